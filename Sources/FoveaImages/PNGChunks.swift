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
  package static func problem(in bytes: [UInt8]) -> String? {
    var at = 8
    while at + 8 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = bytes[at + 4..<at + 8]
      let left = bytes.count - at - 12
      if length > left {
        return "a chunk claims \(length) bytes, but \(max(left, 0)) are left"
      }
      if type.elementsEqual("IEND".utf8) { return nil }
      at += length + 12
    }
    return "the end chunk is missing"
  }

  /// The file with its last chunk of pixels ended where the file ends: libpng reads pixels in large
  /// pieces and drops a piece that is not whole. Nil where another chunk is cut.
  static func closed(_ bytes: [UInt8]) -> [UInt8]? {
    var at = 8
    while at + 8 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = bytes[at + 4..<at + 8]
      if length > bytes.count - at - 12 {
        guard type.elementsEqual("IDAT".utf8) else { return nil }
        let body = bytes[(at + 4)...]
        return bytes[..<at] + bigEndian(UInt32(body.count - 4)) + body + bigEndian(checksum(body))
          + end
      }
      if type.elementsEqual("IEND".utf8) { return bytes }
      at += length + 12
    }
    return bytes[..<min(at, bytes.count)] + end
  }

  private static let end: [UInt8] =
    [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]

  /// CRC-32 as PNG, zlib and Ethernet have it.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = (0..<256 as Range<UInt32>).map { index in
      (0..<8).reduce(index) { value, _ in
        value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
      }
    }
    return ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
