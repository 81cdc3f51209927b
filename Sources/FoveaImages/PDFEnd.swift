/// The mark at the end of a PDF document. Programs that show PDF repair a document that was cut short
/// as well as they can, without a word about the pages and pictures that are gone.
enum PDFEnd {
  /// Whether `%%EOF` stands in the last 1024 bytes, where the format wants it; what some servers and
  /// disks add, zeros and line ends, does not count.
  static func isThere(in bytes: [UInt8]) -> Bool {
    let end = bytes.lastIndex { $0 > 0x20 } ?? bytes.startIndex
    let mark = Array("%%EOF".utf8)
    return bytes[...end].suffix(1024).windows(of: mark.count).contains { $0.elementsEqual(mark) }
  }
}

extension ArraySlice {
  /// Each run of `count` elements.
  fileprivate func windows(of count: Int) -> some Sequence<ArraySlice<Element>> {
    indices.lazy.filter { $0 <= endIndex - count }.map { self[$0..<$0 + count] }
  }
}
