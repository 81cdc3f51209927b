/// How large an image may be. Checked before its pixels are decoded, by the file's size and by
/// the sizes in its header, so that a small file which claims a huge picture costs nothing.
///
///     let scan = ImageInput.file("poster.tif", limits: ImageLimits(maxPixels: 200_000_000))
///
/// An image beyond a limit is a `FoveaError` with the code `invalidImage`.
public struct ImageLimits: Sendable, Hashable {
  /// The greatest size of the encoded file in bytes; 64 MB unless said otherwise.
  public var maxBytes: Int
  /// The greatest width times height in pixels; 100 megapixels unless said otherwise.
  public var maxPixels: Int
  /// The greatest width or height in pixels; 32,768 unless said otherwise.
  public var maxSide: Int

  /// Makes limits. Sizes in bytes and pixels.
  public init(
    maxBytes: Int = 64 << 20, maxPixels: Int = 100_000_000, maxSide: Int = 32_768
  ) {
    self.maxBytes = maxBytes
    self.maxPixels = maxPixels
    self.maxSide = maxSide
  }
}
