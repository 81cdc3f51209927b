import FoveaTestSupport
import Testing

@testable import Fovea

/// Which texts patterns accept: all short ones, against a matcher that tries every path.
@Suite("Patterns: exactly the texts in which they match")
struct PatternLanguageTests {
  static func texts(upTo length: Int, over letters: [String]) -> [String] {
    var result = [""]
    var level = [""]
    for _ in 0..<length {
      level = level.flatMap { text in letters.map { text + $0 } }
      result += level
    }
    return result
  }

  /// The texts on which automaton and matcher disagree.
  static func differences(_ pattern: String, _ texts: [String]) throws -> [String] {
    let tree = try PatternParser.parse(pattern)
    let language = try TextLanguage.pattern(pattern)
    return texts.filter {
      language.accepts($0.utf8) != BacktrackingMatcher(tree, $0).finds
    }
  }

  @Test(arguments: [
    "", "a", "ab", "^a", "a$", "^a$", "^a|b$", "(^a)", "(^|b)a", "a($|b)", "a^b", "a$b", "$^",
    "^$", "(a$|b)c?", "^^a$$", "a*", "^a*$", "^a+$", "^a?$", "^a{2}$", "^a{1,2}$", "^a{2,}$",
    "^a{0}$", "^(a|b)*a$", "^(a*)*$", "^(a*b?)+$", "^(a|b*)+c$", "^(?:a?){3}$", "^(|a)b", "()",
    "a||b", "^(a{0,2}){0,2}$", "^(ab?){2,3}$", "(a|b)*a(a|b){2}$", "^[ab]$", "[^ab]", "^[^a]+$",
    "[]a|b", "^[^]$", "^.$", "^[a-b]c", "a+?b", "^a{1,2}?$", "(?:a)(?<x>b)",
    // Look-ahead, wherever it stands.
    "^(?=.*a)(?!.*b).{2}$", "(?=a)ab", "(?!a)b", "^(?:(?!ab).)*$", "(?:(?!ab).)*$",
    "(a(?=b)|c)+$", "a(?!b(?=c))", "(?=^a)a|b", "^(?:a(?=b|$)b?)*$", "(?=a$)|b", "(?!)", "(?=)",
    "^(?!$)", "(?!^)a", "^(?:(?=ab)a|(?=c)c|b)+$", "(?=(?=a).b)", "(?!(?!a))b", "^(?!.*(?:a|b)c)",
    "(?=a|(?!b))c", "^(?=a|b)(?=b|c)", "(?=a)*b", "^(?!a)+b", "^(?:(?=a)){2}a$", "(?:(?=ab)a|b){2}",
  ])
  func smallPatterns(pattern: String) throws {
    let texts = Self.texts(upTo: 4, over: ["a", "b", "c"])
    #expect(try Self.differences(pattern, texts) == [])
  }

  @Test(arguments: [
    "\\b", "\\B", "^\\b", "\\b$", "\\B$", "\\ba\\b", "\\Ba", "a\\B", "\\b\\B", "\\ba|-\\B",
    "(\\ba|\\B-)+$", "^(?:\\b.){2}$", "a\\b.\\bé", "(?=\\b)a", "(?=a\\b)", "(?!\\B)-", "$\\b",
    "^.\\b(?!-)", "(?:\\b|a)+-", "(?!a\\b).$", "\\b\\w+\\b.\\b\\w+\\b$", "^\\W\\b\\w\\B\\w",
    "^\\s\\S$", "\\d", "[^\\w]é", "\\D\\b\\d",
  ])
  func wordBoundaries(pattern: String) throws {
    let texts = Self.texts(upTo: 4, over: ["a", "0", "-", "é"])
    #expect(try Self.differences(pattern, texts) == [])
  }

  @Test func randomPatterns() throws {
    var generator = SeededGenerator(seed: 5)
    func random(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth == 0 ? 4 : 13), using: &generator) {
      case 0, 1: return "a"
      case 2: return "b"
      case 3: return [".", "^", "$", "\\b", "\\B", "[^a]"].randomElement(using: &generator) ?? ""
      case 4, 5, 6: return random(depth - 1) + random(depth - 1)
      case 7, 8: return "(?:\(random(depth - 1))|\(random(depth - 1)))"
      case 9: return "(?:\(random(depth - 1)))*"
      case 10: return "(?:\(random(depth - 1))){1,2}"
      case 11: return "(?=\(random(depth - 1)))"
      default: return "(?!\(random(depth - 1)))"
      }
    }
    let texts = Self.texts(upTo: 4, over: ["a", "b", "-"])
    for _ in 0..<100 {
      let pattern = random(4)
      #expect(try Self.differences(pattern, texts) == [], "\(pattern)")
    }
  }

  @Test(arguments: [
    // Escapes, and characters that need none.
    ("^\\-\\_\\/\\\"\\'\\@\\ \\#$", "-_/\"'@ #", true),
    ("^\\t\\n\\v\\f\\r\\0$", "\t\n\u{B}\u{C}\r\0", true),
    ("^\\cA\\cz$", "\u{1}\u{1A}", true), ("^\\x41\\u00e9\\u{1F600}$", "Aé😀", true),
    ("^\\ud83d\\ude00$", "😀", true), ("^[\\ud83d\\ude00-\\ud83d\\ude02]$", "😁", true),
    ("^[\\ud800-\\udfff]$", "a", false), ("^[^\\ud800-\\udfff]$", "a", true),
    ("\\ud83d", "😀", false),
    ("^[\\b]$", "\u{8}", true), ("^]}{$", "]}{", true), ("^a{,5}$", "a{,5}", true),
    ("^{a}$", "{a}", true), ("^x{$", "x{", true), ("^x{1$", "x{1", true),
    // Classes.
    ("^[\\w-.]+$", "a-.", true), ("^[\\w-.]+$", "+", false), ("^[a-\\d]+$", "a-5", true),
    ("^[-a]+$", "-a", true), ("^[a-]+$", "-a", true), ("^[+--]+$", "+,-", true),
    ("^[$^.]+$", "$^.", true), ("^[[]$", "[", true), ("^[\\]]$", "]", true),
    ("^[^\\]]$", "]", false),
    ("^[a^]$", "^", true), ("^[(-)]$", ")", true),
    // One character is one code point.
    ("^.$", "😀", true), ("^.$", "e\u{301}", false), ("^🐲*$", "🐲🐲", true), ("^🐲*$", "🐉", false),
    ("^.$", "\n", false), ("^.$", "\r", false), ("^.$", "\u{2028}", false),
    ("^.$", "\u{2029}", false),
    ("^.$", "\u{85}", true), ("^abc$", "abc\n", false),
    (
      "^\\s+$",
      "\t\n\u{B}\u{C}\r \u{A0}\u{1680}\u{2003}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}",
      true
    ),
    ("\\s", "\u{85}\u{180E}\u{200B}", false), ("^\\d$", "٣", false), ("^\\w$", "é", false),
    ("^\\p{L}+$", "aéЖ中", true), ("^\\p{Lu}$", "a", false), ("^\\P{Lu}$", "a", true),
    ("^\\p{Letter}\\p{Decimal_Number}\\p{gc=Sc}\\p{General_Category=Zs}$", "é٣€ ", true),
    ("^[\\p{L}\\p{N}_]+$", "a_٣", true), ("^[^\\p{L}]$", "a", false), ("^\\p{digit}+$", "৪২", true),
    ("^\\p{Alphabetic}\\p{White_Space}\\p{Emoji}\\p{ASCII}$", "é 😀a", true),
    ("^\\p{Any}\\P{Any}*$", "a", true), ("\\P{Assigned}", "a", false),
    (
      "^\\p{Uppercase}\\p{Lowercase}\\p{ID_Start}\\p{ID_Continue}\\p{AHex}\\p{Ideographic}$",
      "Aab1f中", true
    ),
    ("^\\P{L}$", "é", false), ("^\\p{LC}\\p{M}$", "a\u{301}", true), ("\\p{Cs}", "a", false),
  ])
  func singleTexts(pattern: String, text: String, isAccepted: Bool) throws {
    #expect(try TextLanguage.pattern(pattern).accepts(text.utf8) == isAccepted)
  }

  @Test func passwordsAndPaths() throws {
    let strong = try TextLanguage.pattern("^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{8,10}$")
    #expect(strong.accepts("Passw0rd".utf8))
    #expect(!strong.accepts("passw0rd".utf8))
    #expect(!strong.accepts("Passw0r".utf8))
    #expect(!strong.accepts("Passw0rdddd".utf8))
    let host = try TextLanguage.pattern("^(?!-)[a-z-]{1,63}(?<label>\\.[a-z]+)*$")
    #expect(host.accepts("a-b.c".utf8))
    #expect(!host.accepts("-a".utf8))
  }

  @Test func equalPatternsAreEqualLanguages() throws {
    #expect(try TextLanguage.pattern("^(?:a|b)*$") == TextLanguage.pattern("^[ab]*$"))
    #expect(
      try TextLanguage.pattern("^(?!.*b)")
        == TextLanguage.pattern("^[^b\\n\\r\\u2028\\u2029]*(?:[\\n\\r\\u2028\\u2029]|$)"))
    #expect(try TextLanguage.pattern("a^b").isEmpty)
    #expect(try TextLanguage.pattern("(?!)") == .empty)
    #expect(try TextLanguage.pattern("[]") == .empty)
    #expect(try TextLanguage.pattern("x*") == TextLanguage.all)
    #expect(try TextLanguage.pattern("^\\d{3}$") == TextLanguage.pattern("^[0-9][0-9][0-9]$"))
  }
}
