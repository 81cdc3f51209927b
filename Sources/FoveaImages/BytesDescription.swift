/// What bytes that are no image seem to be, and what to do about it: the words of an error.
package struct BytesDescription: Sendable, Hashable {
  /// Completes the sentence "it is ...".
  package let what: String
  /// What the reader can do.
  package let fix: String

  /// Looks at the first bytes.
  package init(of bytes: [UInt8]) {
    let start = bytes.prefix(1024)
    if start.starts(with: "GGUF".utf8) {
      what = "a GGUF model"
      fix = "give the picture here, and the model where the model is asked for"
    } else if start.starts(with: "PK\u{03}\u{04}".utf8) {
      what = "a ZIP archive or an office document"
      fix = "unpack it, or export the page as PNG or JPEG"
    } else if start.dropFirst(4).starts(with: "ftyp".utf8) {
      what = "a video or an audio file"
      fix = "give a still picture, for example a JPEG or PNG"
    } else if let text = BytesDescription.text(start) {
      if text.hasPrefix("<") {
        what = "HTML or XML text"
        fix =
          "if the picture was downloaded, the server sent a page in its place; download it again"
      } else {
        what = "text"
        fix = "give it as text, or give a picture such as a JPEG or PNG"
      }
    } else {
      let first = start.prefix(8).map { byte in
        String(repeating: "0", count: byte < 16 ? 1 : 0) + String(byte, radix: 16)
      }
      what = "something else (it begins with the bytes \(first.joined(separator: " ")))"
      fix = "give a JPEG, PNG, WebP, GIF, TIFF, HEIC or AVIF picture, or a PDF"
    }
  }

  /// The bytes as text without leading white space and byte order mark, or nil where control
  /// characters or broken UTF-8 say that they are none.
  static func text(_ start: ArraySlice<UInt8>) -> Substring? {
    for byte in start where byte < 0x20 && !(0x09...0x0D).contains(byte) { return nil }
    let text = String(decoding: start, as: UTF8.self)
    // The last character may have been cut in the middle, hence the three bytes of grace.
    if text.dropLast(3).unicodeScalars.contains("\u{FFFD}") { return nil }
    let content = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return content.isEmpty ? nil : content
  }
}
