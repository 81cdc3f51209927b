import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Number languages: what a model writes")
struct NumberWritingTests {
  typealias Bound = NumberLanguage.Bound

  static func range(_ low: String?, _ high: String?) throws -> DFA {
    try NumberLanguage.range(
      minimum: low.map { Bound(.of($0)) }, maximum: high.map { Bound(.of($0)) })
  }

  static func nines(_ count: Int) -> String { String(repeating: "9", count: count) }

  @Test func canonicalSpellings() throws {
    for text in NumberTexts.long.all where text.count <= 4 && NumberTexts.isPlain(text) {
      let isCanonical =
        !(text.contains(".") && text.hasSuffix("0")) && text != "-0"
      let canonical = try NumberLanguage.canonical(NumberLanguage.values([.of(text)]))
      let words = try #require(canonical.allWords(limit: 2))
      #expect(words.count == 1)
      #expect((words.first?.text == Array(text.utf8)) == isCanonical)
    }
  }

  @Test func wholeNumbersHaveNoFraction() throws {
    let written = try NumberLanguage.written(NumberLanguage.integers)
    for text in ["0", "7", "-7", "1000", Self.nines(38), "-" + Self.nines(38)] {
      #expect(written.accepts(text.utf8))
    }
    for text in ["-0", "7.0", "0.0", "7.", Self.nines(39), "1e3", "00", ""] {
      #expect(!written.accepts(text.utf8))
    }
    let even = try NumberLanguage.written(NumberLanguage.multiples(of: .of("2")))
    #expect(even.accepts("4".utf8) && even.accepts("-8".utf8) && !even.accepts("4.0".utf8))
    let int64 = try NumberLanguage.written(
      Self.range("-9223372036854775808", "9223372036854775807")
        .intersection(NumberLanguage.integers))
    #expect(int64.accepts("9223372036854775807".utf8))
    #expect(int64.accepts("-9223372036854775808".utf8))
    #expect(!int64.accepts("9223372036854775808".utf8))
    #expect(!int64.accepts("-9223372036854775809".utf8))
  }

  @Test func numbersKeepAllSpellings() throws {
    let written = try NumberLanguage.written(NumberLanguage.all)
    let longest = Self.nines(20) + "." + Self.nines(17)
    for text in ["0", "-0", "0.0", "1.50", "-2.00", longest, "-" + longest, Self.nines(38)] {
      #expect(written.accepts(text.utf8), "\(text)")
    }
    for text in ["00", "1.", ".5", longest + "9", "9" + longest, Self.nines(39), "1e5"] {
      #expect(!written.accepts(text.utf8), "\(text)")
    }
    #expect(written.stateCount <= 80)
  }

  @Test func fewValuesHaveOneSpelling() throws {
    let written = try NumberLanguage.written(
      NumberLanguage.multiples(of: .of("0.25")).intersection(Self.range("-1", "1.25")))
    let words = try #require(written.allWords(limit: 100)).map {
      String(decoding: $0.text, as: UTF8.self)
    }
    #expect(
      Set(words) == [
        "-1", "-0.75", "-0.5", "-0.25", "0", "0.25", "0.5", "0.75", "1", "1.25",
      ])
    let many = try NumberLanguage.written(
      NumberLanguage.multiples(of: .of("0.25")).intersection(Self.range("0", "10000")))
    // As many places as the numbers need, so that a price does not run on.
    for text in ["1.50", "1.5", "1.0", "-0", "9999.75"] { #expect(many.accepts(text.utf8)) }
    for text in ["1.500", "1.55", "10000.25"] { #expect(!many.accepts(text.utf8)) }
    // Values stay, however long they are.
    let long = try NumberLanguage.values([.of("1e-300"), .of("1e300")])
    #expect(try #require(NumberLanguage.written(long).allWords(limit: 3)).count == 2)
  }

  @Test func boundsExtendTheDigits() throws {
    let long = try NumberLanguage.written(Self.range("0", "1e44"))
    #expect(long.accepts(("1" + String(repeating: "0", count: 44)).utf8))
    #expect(long.accepts((Self.nines(44) + ".5").utf8))
    #expect(!long.accepts((Self.nines(45) + ".5").utf8))
    #expect(!long.accepts(("2" + String(repeating: "0", count: 44)).utf8))
    let tiny = try NumberLanguage.written(
      NumberLanguage.range(
        minimum: Bound(.of("0"), isExclusive: true), maximum: Bound(.of("1e-26"))))
    #expect(tiny.accepts("0.000000000000000000000000009".utf8))
    #expect(!tiny.accepts("0.00000000000000000000000002".utf8))
    // A bound that is only there to keep a number finite does not ask for 309 digits.
    let double = try NumberLanguage.written(Self.range("-1e308", "1e308"))
    #expect(double == (try NumberLanguage.written(NumberLanguage.all)))
  }

  /// Large steps cost digits, then they are refused; with bounds they are fine.
  @Test func largeSteps() throws {
    let written = try NumberLanguage.written(NumberLanguage.multiples(of: .of("499")))
    #expect(written.accepts("499000000000000000".utf8))
    #expect(!written.accepts("499.0".utf8) && !written.accepts("500".utf8))
    let large = try NumberLanguage.multiples(of: .of("4999"))
    #expect(throws: AutomatonTooLarge.self) { try NumberLanguage.written(large) }
    let bounded = try NumberLanguage.written(large.intersection(Self.range("0", "20000")))
    #expect(try #require(bounded.allWords(limit: 9)).count == 5)
  }

  /// A language with numbers has some to write, and only its own; the text always ends.
  @Test func nothingIsLost() throws {
    var languages = [try Self.range("1e40", nil), try Self.range(nil, "-1e70")]
    for text in ["1e-40", "1e-90", "3e60", "3e-60", "7e100"] {
      languages.append(try NumberLanguage.multiples(of: .of(text)))
      languages.append(
        try NumberLanguage.multiples(of: .of(text)).intersection(
          NumberLanguage.range(
            minimum: Bound(.of("0"), isExclusive: true), maximum: Bound(.of("9e100")))))
      languages.append(
        try NumberLanguage.range(
          minimum: Bound(.of("0"), isExclusive: true), maximum: Bound(.of(text))))
    }
    for language in languages {
      let written = try NumberLanguage.written(language)
      #expect(!written.isEmpty)
      #expect(try written.subtracting(language).isEmpty)
      // Finite: with a loop in it, the count would not change with the limit.
      let lengths = written.shortestCompletions
      var state = written.start
      var steps = 0
      while steps < 1_000 {
        let next = (UInt8(0)...255).map { written.next(state, $0) }.filter { $0 != 0 }
          .max { lengths[Int($0)] < lengths[Int($1)] }
        guard let next else { break }
        state = next
        steps += 1
      }
      #expect(steps < 1_000)
    }
  }
}
