import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Number languages: ranges")
struct NumberRangeTests {
  typealias Bound = NumberLanguage.Bound

  /// All four kinds of a pair of bounds.
  static func pairs(_ low: String?, _ high: String?) -> [(Bound?, Bound?)] {
    [false, true].flatMap { noLow in
      [false, true].map { noHigh in
        (
          low.map { Bound(.of($0), isExclusive: noLow) },
          high.map { Bound(.of($0), isExclusive: noHigh) }
        )
      }
    }
  }

  static func isWithin(_ value: ExactNumber, _ low: Bound?, _ high: Bound?) -> Bool {
    if let low, value < low.value || (value == low.value && low.isExclusive) { return false }
    if let high, high.value < value || (value == high.value && high.isExclusive) { return false }
    return true
  }

  func check(_ low: String?, _ high: String?, _ texts: NumberTexts) throws {
    for (minimum, maximum) in Self.pairs(low, high) {
      let language = try NumberLanguage.range(minimum: minimum, maximum: maximum)
      let difference = texts.difference(language) { Self.isWithin($0, minimum, maximum) }
      #expect(difference == nil, "\(String(describing: (minimum, maximum)))")
    }
  }

  /// Bounds, as texts.
  struct Ends: Sendable, CustomStringConvertible {
    var low: String?
    var high: String?
    init(_ low: String?, _ high: String?) { (self.low, self.high) = (low, high) }
    var description: String { "\(low ?? "") … \(high ?? "")" }
  }

  static let short: [Ends] = [
    .init(nil, nil), .init("0", nil), .init(nil, "0"), .init("0", "0"), .init("1", nil),
    .init(nil, "-1"), .init("-1", "1"), .init("0", "99"), .init("7", "7"), .init("8", "7"),
    .init("9", "10"), .init("-12", "105"), .init("-105", "-12"), .init("19", "201"),
    .init("99", "100"), .init("999", "1000"), .init("0.2", "0.8"), .init("0.2", "1.2"),
    .init("-1.5", "2.5"), .init("-0.5", nil), .init("10", nil), .init(nil, "-99.5"),
    .init("-0", "0.1"), .init("-7", "0"),
  ]

  static let long: [Ends] = [
    .init("0.5", nil), .init(nil, "-0.5"), .init("0", "9.99"), .init("0.09", "0.1"),
    .init("0.1", "0.09"), .init("-0.1", "0.1"), .init("0.95", "1.05"), .init("9.5", "10.5"),
    .init("-10.05", "-9.5"), .init("10", "19"), .init("-5.1", "51"), .init("1.05", "1.05"),
    .init("5.5", "5.50"), .init("0.001", "0.002"), .init("1", "1.001"), .init("50.05", nil),
    .init(nil, "0.0999"), .init("1e-3", "1e3"), .init("-1e-9", "1e-9"), .init("-1e30", "1e-30"),
  ]

  @Test(arguments: short)
  func shortTexts(_ ends: Ends) throws { try check(ends.low, ends.high, .digits) }

  @Test(arguments: long)
  func longerTexts(_ ends: Ends) throws { try check(ends.low, ends.high, .long) }

  @Test func randomBounds() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      func bound() -> String? {
        if Int.random(in: 0..<5, using: &generator) == 0 { return nil }
        let value = Int.random(in: -3_000...3_000, using: &generator)
        return "\(value)e-\(Int.random(in: 0...4, using: &generator))"
      }
      let low = bound()
      let high = bound()
      try check(low, high, .digits)
    }
  }

  /// Numbers near long bounds, in several spellings and as values with exponents.
  @Test(arguments: [
    "9223372036854775807", "18446744073709551615", "170141183460469231731687303715884105728",
    "99999999999999999999999999999999999999999", "1e45", "1e308", "1.7976931348623157e308", "1e-30",
    "1e-400", "5e-324", "123456789.000000000000000000000001", "1e1023",
  ])
  func longBounds(text: String) throws {
    for sign in ["", "-"] {
      let bound = ExactNumber.of(sign + text)
      var near = [bound, .of(sign + "0"), .of(sign + "1e1000000000"), .of(sign + "1e-1000000000")]
      let digits = bound.digitString
      for tail in ["1", "01", "00000000000000001"] {
        near.append(.of("\(sign)0.\(digits)\(tail)e\(bound.scale)"))
      }
      // One less in the last place, then nines.
      let least = digits.dropLast() + String((bound.digits.last ?? 1) - 1)
      for tail in ["", "9", "999999999999"] {
        near.append(.of("\(sign)0.\(least)\(tail)e\(bound.scale)"))
      }
      near += [.of("\(sign)0.\(digits)e\(bound.scale + 1)"), .of("\(sign)0.\(digits)e-999")]
      for isExclusive in [false, true] {
        let limit = Bound(bound, isExclusive: isExclusive)
        for (low, high) in [(limit, nil), (nil, limit)] as [(Bound?, Bound?)] {
          let language = try NumberLanguage.range(minimum: low, maximum: high)
          for value in near + near.map({ -$0 }) {
            #expect(
              NumberLanguage.contains(language, value) == Self.isWithin(value, low, high),
              "\(value) in \(String(describing: (low, high)))")
          }
        }
      }
    }
  }

  @Test func boundsOfAbsurdLengthAreRefused() {
    for text in ["1e5000", "-1e1000000000", "1e-5000", "-1e-1000000000"] {
      for bound in [Bound(.of(text)), Bound(.of(text), isExclusive: true)] {
        #expect(throws: AutomatonTooLarge.self) {
          try NumberLanguage.range(minimum: .init(.of("-1")), maximum: .init(.of("1")))
            .intersection(NumberLanguage.range(minimum: bound, maximum: nil))
        }
        #expect(throws: AutomatonTooLarge.self) {
          try NumberLanguage.range(minimum: nil, maximum: bound)
        }
      }
    }
  }

  /// Both sides of a bound together are all numbers; equal languages are equal automata.
  @Test(arguments: ["0", "-0", "5", "-17.25", "1e40", "-1e-40"])
  func sidesOfABound(text: String) throws {
    for isExclusive in [false, true] {
      let below = try NumberLanguage.range(
        minimum: nil, maximum: Bound(.of(text), isExclusive: isExclusive))
      let above = try NumberLanguage.range(
        minimum: Bound(.of(text), isExclusive: !isExclusive), maximum: nil)
      #expect(try below.union(above) == NumberLanguage.all)
      #expect(try below.intersection(above).isEmpty)
      #expect(try NumberLanguage.all.subtracting(above) == below)
      let point = try NumberLanguage.range(
        minimum: Bound(.of(text)), maximum: Bound(.of(text)))
      #expect(try point == NumberLanguage.values([.of(text)]))
    }
  }
}
