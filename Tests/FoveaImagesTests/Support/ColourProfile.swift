/// Writes small ICC profiles: three primaries and a gamma of 2.2, like a display's.
enum ColourProfile {
  /// The primaries of sRGB, as the profile connection space (D50) has them.
  private static let red = [0.4361, 0.2225, 0.0139]
  private static let green = [0.3851, 0.7169, 0.0971]
  private static let blue = [0.1431, 0.0606, 0.7141]

  /// sRGB but for its gamma, which differs a little.
  static let nearlySRGB = display(red, green, blue)
  /// What it calls red is green, and the other way round.
  static let redAndGreenSwapped = display(green, red, blue)
  /// One channel.
  static let grey = profile("GRAY", [("wtpt", xyz([0.9642, 1, 0.8249])), ("kTRC", gamma)])

  private static let gamma = Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 2, 0x33, 0, 0]

  private static func display(_ r: [Double], _ g: [Double], _ b: [Double]) -> [UInt8] {
    profile(
      "RGB ",
      [
        ("wtpt", xyz([0.9642, 1, 0.8249])), ("rXYZ", xyz(r)), ("gXYZ", xyz(g)), ("bXYZ", xyz(b)),
        ("rTRC", gamma), ("gTRC", gamma), ("bTRC", gamma),
      ])
  }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap { fixed($0) }
  }

  private static func fixed(_ value: Double) -> [UInt8] {
    bigEndian(UInt32((value * 65536).rounded()))
  }

  private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
    let words =
      Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 2, 0x74, 0] + [UInt8](repeating: 0, count: 78)
    let rights = Array("text".utf8) + [0, 0, 0, 0, 0x74, 0, 0, 0]
    let all = tags + [("desc", words), ("cprt", rights)]
    var table = bigEndian(UInt32(all.count))
    var content: [UInt8] = []
    for (name, bytes) in all {
      let offset = 128 + 4 + all.count * 12 + content.count
      table += Array(name.utf8) + bigEndian(UInt32(offset)) + bigEndian(UInt32(bytes.count))
      content += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var header = bigEndian(UInt32(128 + table.count + content.count)) + [0, 0, 0, 0]
    header += [2, 0x40, 0, 0] + Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8)
    header += [7, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28)
    header += fixed(0.9642) + fixed(1) + fixed(0.8249)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + content
  }
}

extension PNGFile {
  /// The chunk that carries a profile.
  static func iccp(_ profile: [UInt8]) -> (type: String, content: [UInt8]) {
    ("iCCP", Array("p\0\0".utf8) + stored(profile))
  }
}
