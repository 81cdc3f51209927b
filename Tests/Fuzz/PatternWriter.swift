internal import Fovea
internal import FoveaTestSupport

/// Writes regular expressions, most of them well-formed.
enum PatternWriter {
  static func pattern(using generator: inout SeededGenerator) -> String {
    var text = Bool.random(using: &generator) ? "^" : ""
    text += alternatives(depth: 3, using: &generator)
    if Bool.random(using: &generator) { text += "$" }
    if Int.random(in: 0..<12, using: &generator) == 0 {
      text += oddities.randomElement(using: &generator) ?? ""
    }
    return text
  }

  private static func alternatives(depth: Int, using generator: inout SeededGenerator) -> String {
    (0..<(Int.random(in: 0..<4, using: &generator) == 0 ? 3 : 1)).map { _ in
      sequence(depth: depth, using: &generator)
    }.joined(separator: "|")
  }

  private static func sequence(depth: Int, using generator: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      text += atom(depth: depth, using: &generator)
      if Int.random(in: 0..<3, using: &generator) == 0 {
        text += quantifiers.randomElement(using: &generator) ?? ""
      }
    }
    return text
  }

  private static func atom(depth: Int, using generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
    case 0...2: return letters.randomElement(using: &generator) ?? "a"
    case 3...4: return classes.randomElement(using: &generator) ?? "."
    case 5: return escapes.randomElement(using: &generator) ?? "\\d"
    default:
      let opening = ["(", "(?:", "(?<n>", "(?=", "(?!", "(?<="]
      // Groups are common, assertions rare.
      let kind = min(
        Int.random(in: 0..<8, using: &generator), Int.random(in: 0..<6, using: &generator))
      return opening[kind] + alternatives(depth: depth - 1, using: &generator) + ")"
    }
  }

  private static let letters = [
    "a", "b", "Z", "0", " ", "-", "é", "名", "😀", "/", "\"", ",", "\u{1}",
  ]
  private static let classes = [
    ".", "[a-z]", "[^a]", "[0-9A-F]", "[\\w.-]", "[^\\s\"]", "[]", "[^]", "[é-ü]",
    "[\\u4e00-\\u9fff]",
    "[a-", "[z-a]", "[^\\x00-\\x7f]", "[\\D\\d]",
  ]
  private static let escapes = [
    "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\b", "\\B", "\\/", "\\.", "\\n", "\\t", "\\\\",
    "\\u00e9",
    "\\ud83d\\ude00", "\\ud83d", "\\x41", "\\cA", "\\0", "\\1", "\\p{L}", "\\P{Lu}", "\\k<n>", "\\",
  ]
  private static let quantifiers = [
    "*", "+", "?", "{0}", "{1}", "{2}", "{3,}", "{0,5}", "{2,1}", "{10,200}", "{1000}",
    "{0,99999}", "{99999999999}", "*?", "+?", "**", "{", "{,5}",
  ]
  private static let oddities = [
    "(", ")", "[", "*", "(?", "(?<", "|", "^^", "$$", "\\", "a{1", "(?i)a",
  ]
}
