import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Number languages: their ends")
struct NumberExtentTests {
  typealias Bound = NumberLanguage.Bound

  @Test func endsOfRanges() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<150 {
      func number() -> ExactNumber {
        let digits = Int.random(in: -2_000...2_000, using: &generator)
        return .of("\(digits)e\(Int.random(in: -5...3, using: &generator))")
      }
      let ends = [number(), number()].sorted()
      if ends[0] == ends[1] { continue }
      let low = Bound(ends[0], isExclusive: Bool.random(using: &generator))
      let high = Bound(ends[1], isExclusive: Bool.random(using: &generator))
      let both = try NumberLanguage.range(minimum: low, maximum: high)
      #expect(try NumberLanguage.least(both) == low)
      #expect(try NumberLanguage.greatest(both) == high)
      let above = try NumberLanguage.range(minimum: low, maximum: nil)
      #expect(try NumberLanguage.least(above) == low)
      #expect(try NumberLanguage.greatest(above) == nil)
      let below = try NumberLanguage.range(minimum: nil, maximum: high)
      #expect(try NumberLanguage.least(below) == nil)
      #expect(try NumberLanguage.greatest(below) == high)
    }
  }

  @Test func endsOfOthers() throws {
    for language in [NumberLanguage.all, NumberLanguage.integers, .empty] {
      #expect(try NumberLanguage.least(language) == nil)
      #expect(try NumberLanguage.greatest(language) == nil)
    }
    let values = try NumberLanguage.values(["-3", "0.25", "12.5"].map(ExactNumber.of))
    #expect(try NumberLanguage.least(values) == Bound(.of("-3")))
    #expect(try NumberLanguage.greatest(values) == Bound(.of("12.5")))
    let sevens = try NumberLanguage.multiples(of: .of("7")).intersection(
      NumberLanguage.range(minimum: Bound(.of("10")), maximum: Bound(.of("1e6"))))
    #expect(try NumberLanguage.least(sevens) == Bound(.of("14")))
    #expect(try NumberLanguage.greatest(sevens) == Bound(.of("999999")))
  }

  @Test(arguments: [
    ("0", "0"), ("-0.0", "0"), ("1e3", "1000"), ("-12.50", "-12.5"), ("5e-7", "0.0000005"),
    ("5e-8", "5e-8"), ("123e18", "1.23e20"), ("123e17", "12300000000000000000"),
    ("-1.7976931348623157e308", "-1.7976931348623157e308"), ("0.001", "0.001"),
  ])
  func texts(written: String, shown: String) {
    #expect(ExactNumber.of(written).text == shown)
    #expect(ExactNumber.of(shown) == ExactNumber.of(written))
  }
}
