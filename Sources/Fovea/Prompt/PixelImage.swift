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

/// How a model wants its images, read from its projector file.
public struct ImageRequirements: Sendable, Hashable {
  /// Sides are padded with white to multiples of this many pixels; 1: no padding.
  public var alignment: Int
  /// A wider image is shrunk; nil: no limit.
  public var maxWidth: Int?
  /// A taller image is shrunk; nil: no limit.
  public var maxHeight: Int?
  /// An image is shrunk by a whole factor only, by averaging areas, so that a fixed pixel grid
  /// survives.
  public var shrinksByWholeFactor: Bool

  /// Makes requirements; by default none.
  public init(
    alignment: Int = 1, maxWidth: Int? = nil, maxHeight: Int? = nil,
    shrinksByWholeFactor: Bool = false
  ) {
    self.alignment = alignment
    self.maxWidth = maxWidth
    self.maxHeight = maxHeight
    self.shrinksByWholeFactor = shrinksByWholeFactor
  }
}

/// An image to look at. `FoveaImages` makes one of a file, of bytes or of pixels:
/// `.file("receipt.jpg")`, `.data(bytes)`, `.pixels(image)`.
public struct ImageInput: Sendable {
  /// What error messages call it, usually the path.
  public let name: String
  /// Decodes, turns upright and fits the image.
  package let load: @Sendable (ImageRequirements) throws -> PixelImage

  /// Makes an input of a function that decodes and fits the image.
  package init(name: String, load: @escaping @Sendable (ImageRequirements) throws -> PixelImage) {
    self.name = name
    self.load = load
  }
}
