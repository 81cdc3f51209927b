public import Fovea

/// How an image file is read: how large it may be, and what is done about damage, passwords and
/// pages that have no size in pixels.
///
/// Limits are checked before pixels are decoded, by the file's size and by the sizes in its header,
/// so that a small file which claims a huge picture costs nothing. Beyond one, the error has the
/// code `invalidImage` and says the limit and its name.
///
///     let scan = ImageInput.file("poster.tif", options: ImageOptions(maxPixels: 200_000_000))
///
///     var lenient = ImageOptions(allowsDamaged: true)
///     lenient.onDamage = { name, error in print("\(name): \(error)") }
public struct ImageOptions: Sendable {
  /// The greatest size of the encoded file in bytes; 64 MB unless said otherwise.
  public var maxBytes: Int
  /// The greatest width times height in pixels; 100 megapixels unless said otherwise.
  public var maxPixels: Int
  /// The greatest width or height in pixels; 32,768 unless said otherwise.
  public var maxSide: Int
  /// The most pages that ``Fovea/ImageInput/pages(of:options:)-(String,_)`` takes a document apart
  /// into; 200 unless said otherwise.
  public var maxPages: Int
  /// Whether what can be decoded of a damaged image is used; otherwise it is an error. Missing rows
  /// are white.
  public var allowsDamaged: Bool
  /// Called with the image's name and what is wrong with it, each time a damaged image is used.
  public var onDamage: (@Sendable (_ name: String, _ error: FoveaError) -> Void)?
  /// Opens an encrypted PDF.
  public var password: String?
  /// How many pixels an inch of a PDF page becomes; 150 unless said otherwise.
  public var resolution: Int

  /// Makes options. Sizes in bytes and pixels.
  public init(
    maxBytes: Int = 64 << 20, maxPixels: Int = 100_000_000, maxSide: Int = 32_768,
    maxPages: Int = 200, allowsDamaged: Bool = false,
    onDamage: (@Sendable (_ name: String, _ error: FoveaError) -> Void)? = nil,
    password: String? = nil, resolution: Int = 150
  ) {
    self.maxBytes = maxBytes
    self.maxPixels = maxPixels
    self.maxSide = maxSide
    self.maxPages = maxPages
    self.allowsDamaged = allowsDamaged
    self.onDamage = onDamage
    self.password = password
    self.resolution = resolution
  }
}
