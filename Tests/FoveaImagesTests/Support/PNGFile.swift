/// Writes PNG files of every kind, uncompressed, so that tests need no image library and know
/// each byte.
struct PNGFile {
  var width: Int
  var height: Int
  /// 1, 2, 4, 8 or 16 bits a sample.
  var bitDepth: UInt8 = 8
  var kind: Kind = .rgb
  /// The rows as PNG stores them: samples packed to bytes, 16 bit with the high byte first.
  var rows: [[UInt8]]
  /// Chunks that stand between the header and the pixels.
  var chunks: [(type: String, content: [UInt8])] = []

  enum Kind: UInt8 {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyAlpha = 4
    case rgba = 6
  }

  var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += PNGFile.chunk("IHDR", header)
    for chunk in chunks { file += PNGFile.chunk(chunk.type, chunk.content) }
    file += PNGFile.chunk("IDAT", PNGFile.stored(rows.flatMap { [0] + $0 }))
    return file + PNGFile.chunk("IEND", [])
  }

  private var header: [UInt8] {
    bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [bitDepth, kind.rawValue, 0, 0, 0]
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return bigEndian(UInt32(content.count)) + body + bigEndian(crc(body))
  }

  /// A zlib stream of blocks that are not compressed.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65535, bytes.count)
      let count = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      for value in [count, ~count] { stream += [UInt8(value & 255), UInt8(value >> 8)] }
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return stream + bigEndian(b << 16 | a)
  }

  private static let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
  }
}

func bigEndian(_ value: UInt32) -> [UInt8] {
  [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}
