/// The one way in which the grammar writes keys and enumerated values.
enum CanonicalText {
  /// A string with quotes: escaped only where JSON demands it, short escapes where there are any.
  static func quoted(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 {
      switch byte {
      case 0x22: bytes += Array(#"\""#.utf8)
      case 0x5C: bytes += Array(#"\\"#.utf8)
      case 0x08: bytes += Array(#"\b"#.utf8)
      case 0x09: bytes += Array(#"\t"#.utf8)
      case 0x0A: bytes += Array(#"\n"#.utf8)
      case 0x0C: bytes += Array(#"\f"#.utf8)
      case 0x0D: bytes += Array(#"\r"#.utf8)
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array(#"\u00"#.utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
    return bytes
  }

  /// Whether the text is one JSON number.
  static func isNumber(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == 0x2D { rest = rest.dropFirst() }
    let startsWithZero = rest.first == 0x30
    let whole = digits()
    if whole == 0 || (startsWithZero && whole > 1) { return false }
    if rest.first == 0x2E {
      rest = rest.dropFirst()
      if digits() == 0 { return false }
    }
    if rest.first == 0x65 || rest.first == 0x45 {
      rest = rest.dropFirst()
      if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}
