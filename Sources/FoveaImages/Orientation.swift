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

  /// Whether stored rows are columns of the upright image, so that width and height change places.
  package var swapsSides: Bool { rawValue >= 5 }
}
