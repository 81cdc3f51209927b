/// How an image is stored: the value of the EXIF tag Orientation, named by where the stored
/// image's first row and first column belong in the upright one.
package enum Orientation: Int, Sendable, Hashable, CaseIterable {
  /// Upright.
  case topLeft = 1
  /// Mirrored left to right.
  case topRight = 2
  /// Turned by half.
  case bottomRight = 3
  /// Mirrored top to bottom.
  case bottomLeft = 4
  /// Mirrored along the diagonal from the top left.
  case leftTop = 5
  /// To be turned a quarter clockwise.
  case rightTop = 6
  /// Mirrored along the diagonal from the top right.
  case rightBottom = 7
  /// To be turned a quarter counter-clockwise.
  case leftBottom = 8

  /// Whether stored rows are upright columns.
  package var swapsSides: Bool { rawValue >= 5 }

  /// Whether the stored row's first pixel is at the far end (right or below) of the upright image.
  package var mirrorsColumns: Bool {
    switch self {
    case .topLeft, .bottomLeft, .leftTop, .rightTop: false
    case .topRight, .bottomRight, .rightBottom, .leftBottom: true
    }
  }

  /// Whether the stored first row is at the far end (right or below) of the upright image.
  package var mirrorsRows: Bool {
    switch self {
    case .topLeft, .topRight, .leftTop, .leftBottom: false
    case .bottomRight, .bottomLeft, .rightTop, .rightBottom: true
    }
  }
}
