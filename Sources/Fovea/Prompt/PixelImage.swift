/// Decoded pixels: upright, sRGB, 8 bits a channel, no alpha.
public struct PixelImage: Sendable, Hashable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// `width * height * 3` bytes: R, G, B, row by row from the top left, without padding.
  public let rgb: [UInt8]

  /// Makes an image of raw pixels.
  ///
  /// - Precondition: `rgb.count == width * height * 3`, and both sides are at least 1.
  public init(width: Int, height: Int, rgb: [UInt8]) {
    precondition(width > 0 && height > 0, "an image has at least one pixel")
    precondition(rgb.count == width * height * 3, "rgb must hold width * height * 3 bytes")
    self.width = width
    self.height = height
    self.rgb = rgb
  }
}
