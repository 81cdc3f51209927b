/// Joins the bytes of tokens to text without cutting a character in two.
///
/// A token may hold half a character, and a character may need four tokens. Bytes wait here until
/// their character is complete:
///
///     bytes   F0 9F | 98 | B8 41      three tokens
///     text          |    | "😸A"     one piece
///
/// Bytes that cannot begin or continue a character become U+FFFD, one for each maximal wrong run,
/// as `String(decoding:as:)` does.
package struct UTF8Assembler: Sendable {
  private var pending: [UInt8] = []

  /// Starts with nothing pending.
  package init() {}

  /// Adds bytes; returns the text that is complete now.
  package mutating func append(_ bytes: [UInt8]) -> String {
    pending += bytes
    let whole = pending.count - unfinishedSuffixLength()
    guard whole > 0 else { return "" }
    let text = String(decoding: pending[..<whole], as: UTF8.self)
    pending.removeFirst(whole)
    return text
  }

  /// Returns what is left: U+FFFD for a character that was never finished, else nothing.
  package mutating func finish() -> String {
    defer { pending.removeAll() }
    return String(decoding: pending, as: UTF8.self)
  }

  /// How many bytes at the end are a correct beginning of a character that is not complete.
  private func unfinishedSuffixLength() -> Int {
    for length in 1...3 where length <= pending.count {
      let lead = pending[pending.count - length]
      if lead & 0xC0 == 0x80 { continue }  // a continuation byte: the lead is further left
      let needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1
      guard needed > length, lead <= 0xF4, canContinue(lead: lead, length: length) else { return 0 }
      return length
    }
    return 0
  }

  /// The second byte decides whether some leads are overlong, surrogates or beyond U+10FFFF.
  private func canContinue(lead: UInt8, length: Int) -> Bool {
    guard length >= 2 else { return true }
    let second = pending[pending.count - length + 1]
    return switch lead {
    case 0xE0: second >= 0xA0
    case 0xED: second < 0xA0
    case 0xF0: second >= 0x90
    case 0xF4: second < 0x90
    default: true
    }
  }
}
