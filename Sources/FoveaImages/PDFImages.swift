/// The sizes of the pictures inside a PDF document, which its pages' sizes say nothing about: a
/// decoder would take gigabytes for a file of a hundred kilobytes. The dictionary before a picture is
/// never compressed or encrypted, so it can be read without a parser.
///
///     5 0 obj << /Type /XObject /Subtype /Image /Width 30000 /Height 30000 … >> stream
///
/// What this does not see: numbers that stand elsewhere (`/Width 7 0 R`), which programs do not
/// write, and pictures inside a page's own drawing.
struct PDFImages {
  /// One picture, in pixels.
  struct Size {
    let width: Int
    let height: Int
  }

  private let bytes: [UInt8]

  /// The pictures of a document.
  static func sizes(in bytes: [UInt8]) -> [Size] {
    PDFImages(bytes: bytes).sizes()
  }

  private func sizes() -> [Size] {
    var found: [Size] = []
    // What the dictionary at hand has said so far.
    var (width, height): (Int?, Int?)
    for at in bytes.indices {
      // '/' begins a name, and "stream" ends the dictionary before it.
      if bytes[at] == 0x2F {
        if let value = value(of: "/Width", at: at) { width = value }
        if let value = value(of: "/Height", at: at) { height = value }
      } else if bytes[at] == 0x73, hasText("stream", at: at) {
        if let width, let height { found.append(Size(width: width, height: height)) }
        (width, height) = (nil, nil)
      }
    }
    return found
  }

  private func hasText(_ text: String, at start: Int) -> Bool {
    start + text.utf8.count <= bytes.count
      && bytes[start..<start + text.utf8.count].elementsEqual(text.utf8)
  }

  /// The number behind a name; the greatest one for what is too long.
  private func value(of name: String, at start: Int) -> Int? {
    guard hasText(name, at: start) else { return nil }
    let rest = bytes[(start + name.utf8.count)...].drop { $0 <= 0x20 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    return Int(String(decoding: digits, as: UTF8.self)) ?? .max
  }
}
