import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// Which texts a number's grammar accepts, against a check that compares values.
@Suite("Numbers: exactly the texts within the bounds")
struct NumberLanguageTests {
  /// All texts of up to `length` letters, cut where no text of the notation goes on.
  static func texts(upTo length: Int, over alphabet: String) -> [String] {
    var result: [String] = []
    var level = [""]
    for _ in 0..<length {
      level = level.flatMap { start in alphabet.map { start + String($0) } }
        .filter { $0.filter { $0 == "." }.count <= 1 && !$0.dropFirst().contains("-") }
      result += level
    }
    return result
  }

  /// The notation, written down without an automaton.
  static func isPlain(_ text: String, isInteger: Bool) -> Bool {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= (isInteger ? 1 : 2) else { return false }
    if parts.contains(where: \.isEmpty) || (whole.hasPrefix("0") && whole.count > 1) {
      return false
    }
    // Only a whole number has no second spelling of zero.
    let isZero = !parts.joined().contains { $0 != "0" }
    return !(isInteger && isNegative && isZero)
  }

  static func isWithin(_ text: String, _ bounds: Schema.NumberBounds) -> Bool {
    guard let value = Decimal(string: text) else { return false }
    if let minimum = bounds.minimum {
      if value < minimum || (value == minimum && bounds.isMinimumExclusive) { return false }
    }
    if let maximum = bounds.maximum {
      if value > maximum || (value == maximum && bounds.isMaximumExclusive) { return false }
    }
    return true
  }

  static func bounds(_ low: String?, _ high: String?) -> [Schema.NumberBounds] {
    let minimum = low.flatMap { Decimal(string: $0) }
    let maximum = high.flatMap { Decimal(string: $0) }
    return [false, true].flatMap { noLow in
      [false, true].map { noHigh in
        Schema.NumberBounds(
          minimum: minimum, isMinimumExclusive: noLow, maximum: maximum, isMaximumExclusive: noHigh)
      }
    }
  }

  /// Texts to try, and which of them the notation allows: found once for all bounds.
  struct Candidates: Sendable {
    var texts: [String]
    var plainIntegers: [String]
    var plainNumbers: [String]

    init(upTo length: Int, over alphabet: String) {
      texts = NumberLanguageTests.texts(upTo: length, over: alphabet)
      plainIntegers = texts.filter { NumberLanguageTests.isPlain($0, isInteger: true) }
      plainNumbers = texts.filter { NumberLanguageTests.isPlain($0, isInteger: false) }
    }
  }

  static let integerTexts = Candidates(upTo: 4, over: "-.0123456789")
  static let decimalTexts = Candidates(upTo: 6, over: "-.0159")
  static let randomTexts = Candidates(upTo: 5, over: "-.029")

  func compare(_ bounds: Schema.NumberBounds, isInteger: Bool, _ candidates: Candidates) {
    let plain = isInteger ? candidates.plainIntegers : candidates.plainNumbers
    var expected = plain.filter { Self.isWithin($0, bounds) }
    // Finitely many values have one spelling each.
    if let value = bounds.minimum, value == bounds.maximum {
      expected = expected.filter { !$0.hasPrefix("-0") || value != 0 }
      expected = Array(expected.prefix(1))
    }
    do {
      let grammar = try Grammar(Schema(isInteger ? .integer(bounds) : .number(bounds)))
      var automaton = ByteAutomaton(grammar, reach: 1)
      let accepted = candidates.texts.filter { text in
        var here = automaton.start
        for byte in text.utf8 where !here.isDead { here = automaton.step(here, byte) }
        return !here.isDead && automaton.isComplete(here)
      }
      #expect(accepted == expected, "\(bounds)")
    } catch {
      #expect(expected.isEmpty, "\(bounds): \(error)")
    }
  }

  @Test(arguments: [
    (nil, nil), ("0", nil), (nil, "0"), ("1", nil), (nil, "-1"), ("-1", "1"), ("0", "99"),
    ("7", "7"), ("8", "7"), ("9", "10"), ("-12", "105"), ("-105", "-12"), ("19", "201"),
    ("99", "100"), ("999", "1000"), ("0.2", "0.8"), ("0.2", "1.2"), ("-1.5", "2.5"), ("-0.5", nil),
    ("10", nil), (nil, "-99.5"),
  ])
  func integers(_ low: String?, _ high: String?) {
    for bounds in Self.bounds(low, high) {
      compare(bounds, isInteger: true, Self.integerTexts)
    }
  }

  @Test(arguments: [
    (nil, nil), ("0", nil), (nil, "0"), ("0", "0"), ("0.5", nil), (nil, "-0.5"), ("0", "9.99"),
    ("0.09", "0.1"), ("0.1", "0.09"), ("-0.1", "0.1"), ("0.95", "1.05"), ("9.5", "10.5"),
    ("-10.05", "-9.5"), ("10", "19"), ("-5.1", "51"), ("1.05", "1.05"), ("5.5", "5.50"),
    ("0.001", "0.002"), ("1", "1.001"), ("50.05", nil), (nil, "0.0999"),
  ])
  func decimals(_ low: String?, _ high: String?) {
    for bounds in Self.bounds(low, high) {
      compare(bounds, isInteger: false, Self.decimalTexts)
    }
  }

  @Test func randomBounds() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<120 {
      func bound() -> String? {
        if Int.random(in: 0..<5, using: &generator) == 0 { return nil }
        let value = Int.random(in: -3_000...3_000, using: &generator)
        let scale = [1, 10, 100, 1_000].randomElement(using: &generator) ?? 1
        return (Decimal(value) / Decimal(scale)).description
      }
      let choice = Self.bounds(bound(), bound()).randomElement(using: &generator)
      guard let choice else { continue }
      compare(choice, isInteger: false, Self.randomTexts)
      compare(choice, isInteger: true, Self.randomTexts)
    }
  }

  @Test(arguments: [
    ("-9223372036854775808", "9223372036854775807"), ("0", "18446744073709551615"),
    ("-170141183460469231731687303715884105728", "99999999999999999999999999999999999998"),
  ])
  func endsOfWideRanges(low: String, high: String) throws {
    let bounds = Schema.NumberBounds(minimum: Decimal(string: low), maximum: Decimal(string: high))
    for kind in [Schema.Kind.integer(bounds), .number(bounds)] {
      let grammar = try Grammar(Schema(kind))
      for end in [low, high] {
        #expect(grammar.accepts(end.utf8))
        #expect(grammar.accepts(Self.moved(end, by: -1).utf8))
        // One farther from zero is outside.
        #expect(end == "0" || !grammar.accepts(Self.moved(end, by: 1).utf8))
        #expect(!grammar.accepts((end + "0").utf8) || end == "0")
        #expect(!grammar.accepts("0\(end)".utf8))
      }
      #expect(grammar.accepts("-0".utf8) == (kind == .number(bounds)))
      #expect(!grammar.accepts("1e3".utf8))
    }
  }

  /// The last digit moved away from zero or towards it; the ends above do not carry.
  static func moved(_ text: String, by step: Int) -> String {
    guard text != "0", let last = text.last?.wholeNumberValue else { return text }
    return text.dropLast() + "\(last + step)"
  }

  @Test func digitsDoNotRunOn() throws {
    let integer = try Grammar(GrammarSamples.integer())
    #expect(integer.accepts(String(repeating: "9", count: 38).utf8))
    #expect(!integer.accepts(String(repeating: "9", count: 39).utf8))
    let number = try Grammar(GrammarSamples.number())
    let nines = String(repeating: "9", count: 20) + "." + String(repeating: "9", count: 17)
    #expect(number.accepts(nines.utf8))
    #expect(number.accepts(("-" + nines).utf8))
    #expect(!number.accepts((nines + "9").utf8))
    #expect(!number.accepts(("9" + nines).utf8))
  }

  @Test func boundsWithMoreDigitsExtendTheMost() throws {
    let tiny = Decimal(string: "0.00000000000000000000000001")
    let small = try Grammar(
      Schema(
        .number(
          .init(minimum: 0, isMinimumExclusive: true, maximum: tiny, isMaximumExclusive: true))))
    #expect(small.accepts("0.000000000000000000000000009".utf8))
    #expect(!small.accepts("0.00000000000000000000000001".utf8))
    let huge = try Grammar(GrammarSamples.integer(Decimal(string: "1e60")))
    #expect(huge.accepts(("1" + String(repeating: "0", count: 60)).utf8))
    #expect(!huge.accepts(String(repeating: "9", count: 60).utf8))
  }

  /// After nothing but zeros only a digit that makes the number positive remains.
  @Test func noWayIntoADeadEnd() throws {
    let grammar = try Grammar(
      Schema(.number(.init(minimum: 0, isMinimumExclusive: true, maximum: 1))))
    for text in ["0", "0.0", "0.00"] { #expect(!grammar.accepts(text.utf8)) }
    #expect(grammar.accepts("0.01".utf8))
    var automaton = ByteAutomaton(grammar, reach: 1)
    var here = automaton.start
    for byte in "0.0000000000000000".utf8 { here = automaton.step(here, byte) }
    #expect(automaton.follow(here).bytes == Array("123456789".utf8))
    #expect(automaton.shortestCompletion(here) == 1)
  }

  @Test func integersAndOtherNumbersMerge() throws {
    let grammar = try Grammar(
      Schema(
        .anyOf([
          GrammarSamples.integer(100, 200),
          GrammarSamples.number(0, Decimal(string: "1.5")), Schema(.enumeration([.number("1e3")])),
        ])))
    for text in ["100", "200", "0.25", "1.5", "1", "1000"] { #expect(grammar.accepts(text.utf8)) }
    for text in ["99", "100.5", "1.51", "1e3", "2", "201"] { #expect(!grammar.accepts(text.utf8)) }
  }
}
