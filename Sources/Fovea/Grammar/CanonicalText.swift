/// The one way in which the grammar writes keys and enumerated values.
enum CanonicalText {
  /// A string without quotes: escaped only where JSON demands it, short escapes where there are
  /// any. The same spelling as ``MachineTable/append(text:role:detail:)`` allows.
  static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in text {
      switch byte {
      case 0x22, 0x5C: bytes += [0x5C, byte]
      case 0x08: bytes += [0x5C, 0x62]
      case 0x09: bytes += [0x5C, 0x74]
      case 0x0A: bytes += [0x5C, 0x6E]
      case 0x0C: bytes += [0x5C, 0x66]
      case 0x0D: bytes += [0x5C, 0x72]
      case 0..<0x20:
        let low = byte & 15
        bytes += [0x5C, 0x75, 0x30, 0x30, 0x30 + (byte >> 4), low < 10 ? 0x30 + low : 0x57 + low]
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
