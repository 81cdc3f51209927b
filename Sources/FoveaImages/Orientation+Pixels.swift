package import Fovea

extension Orientation {
  /// The upright picture of one that is stored like this.
  package func upright(_ stored: PixelImage) -> PixelImage {
    if self == .topLeft { return stored }
    let (right, bottom) = (stored.width - 1, stored.height - 1)
    let width = swapsSides ? stored.height : stored.width
    let height = swapsSides ? stored.width : stored.height
    var rgb: [UInt8] = []
    rgb.reserveCapacity(stored.rgb.count)
    for y in 0..<height {
      for x in 0..<width {
        let (column, row) =
          switch self {
          case .topLeft: (x, y)
          case .topRight: (right - x, y)
          case .bottomRight: (right - x, bottom - y)
          case .bottomLeft: (x, bottom - y)
          case .leftTop: (y, x)
          case .rightTop: (y, bottom - x)
          case .rightBottom: (right - y, bottom - x)
          case .leftBottom: (right - y, x)
          }
        let at = (row * stored.width + column) * 3
        rgb.append(contentsOf: stored.rgb[at..<at + 3])
      }
    }
    return PixelImage(width: width, height: height, rgb: rgb)
  }
}
