/// The outer structure of a PNG file, walked before a decoder sees it: libpng allocates what a
/// chunk claims to hold before it looks whether the file is that long, up to 2 GB.
///
///     89 P N G 0D 0A 1A 0A │ length type content crc │ length type content crc │ ... IEND
///                             4      4    length   4
package enum PNGChunks {
  /// The size in the header, in pixels; nil where there is none. Some versions of libpng refuse a
  /// large one without saying why.
  package static func size(in bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    let sides = [16, 20].map { bytes[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (sides[0], sides[1])
  }

  /// What is wrong with the lengths; nil when each chunk ends inside the file.
  /// Lenient: also when pixels or the end are missing, which takes no memory.
  package static func problem(in bytes: [UInt8], isLenient: Bool = false) -> String? {
    var at = 8
    while at + 8 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = bytes[at + 4..<at + 8]
      let left = bytes.count - at - 12
      if length > left {
        if isLenient, type.elementsEqual("IDAT".utf8) { return nil }
        return "a chunk claims \(length) bytes, but \(max(left, 0)) are left"
      }
      if type.elementsEqual("IEND".utf8) { return nil }
      at += length + 12
    }
    return isLenient ? nil : "the end chunk is missing"
  }
}
