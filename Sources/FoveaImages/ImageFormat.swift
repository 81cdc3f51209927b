/// What bytes are, told by their content and never by a file's name.
package enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  case jpeg = "JPEG"
  case png = "PNG"
  case gif = "GIF"
  case webp = "WebP"
  case tiff = "TIFF"
  case heic = "HEIC"
  case avif = "AVIF"
  case bmp = "BMP"
  case jpegXL = "JPEG XL"
  case jpeg2000 = "JPEG 2000"
  case svg = "SVG"
  case pdf = "PDF"

  /// Recognises an image by its first bytes; nil when they are not an image's.
  package init?(of bytes: [UInt8]) {
    let start = bytes.prefix(1024)
    if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if ImageFormat.tiffStarts.contains(where: start.starts(with:)) {
      self = .tiff
    } else if start.starts(with: "BM".utf8) && start.count > 14
      && start[6..<10].allSatisfy({ $0 == 0 })
    {
      // Two letters alone are too little: the four reserved bytes after the size are zero.
      self = .bmp
    } else if start.starts(with: [0xFF, 0x0A])
      || start.starts(with: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
    {
      self = .jpegXL
    } else if start.starts(with: [0xFF, 0x4F, 0xFF, 0x51])
      || start.starts(with: [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
    {
      self = .jpeg2000
    } else if start.starts(with: "%PDF-".utf8) {
      self = .pdf
    } else if let brand = ImageFormat.heifBrand(start) {
      self = brand
    } else if ImageFormat.isSVG(start) {
      self = .svg
    } else {
      return nil
    }
  }

  /// Little and big endian, classic and BigTIFF.
  private static let tiffStarts: [[UInt8]] = [
    [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B],
  ]

  /// The format named by an ISO media file's brands: the main one, then the compatible ones,
  /// since `mif1` alone does not tell which codec is inside.
  private static func heifBrand(_ start: ArraySlice<UInt8>) -> ImageFormat? {
    guard start.count >= 16, start.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    let end = min(start.count, start.prefix(4).reduce(0) { $0 << 8 | Int($1) })
    var at = 8
    while at + 4 <= end {
      switch String(decoding: start[at..<at + 4], as: UTF8.self) {
      case "avif", "avis": return .avif
      case "heic", "heix", "heim", "heis", "hevc", "hevx": return .heic
      default: break
      }
      at += at == 8 ? 8 : 4  // the minor version stands after the main brand
    }
    return nil
  }

  private static func isSVG(_ start: ArraySlice<UInt8>) -> Bool {
    guard let text = BytesDescription.text(start) else { return false }
    return text.hasPrefix("<svg") || (text.hasPrefix("<?xml") && text.contains("<svg"))
      || (text.hasPrefix("<!--") && text.contains("<svg"))
  }
}
