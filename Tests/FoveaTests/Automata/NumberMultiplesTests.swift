import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Number languages: multiples and values")
struct NumberMultiplesTests {
  @Test(arguments: [
    "1", "2", "3", "4", "5", "6", "7", "8", "10", "12", "16", "20", "25", "30", "99", "100", "125",
    "1000", "0.1", "0.5", "0.01", "0.25", "2.5", "0.3", "0.7", "1.5", "0.0001", "12.5", "0.06",
    "1e3", "1e10", "7e-3", "3.75",
  ])
  func multiples(text: String) throws {
    let divisor = ExactNumber.of(text)
    let language = try NumberLanguage.multiples(of: divisor)
    for texts in [NumberTexts.digits, .long] {
      #expect(texts.difference(language) { $0.isMultiple(of: divisor) } == nil)
    }
    #expect(try NumberLanguage.multiples(of: -divisor) == language)
  }

  @Test func randomMultiples() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      let factor = Int.random(in: 1...1_500, using: &generator)
      let divisor = ExactNumber.of("\(factor)e\(Int.random(in: -4...3, using: &generator))")
      let language = try NumberLanguage.multiples(of: divisor)
      for _ in 0..<200 {
        let count = Int.random(in: -5_000_000...5_000_000, using: &generator)
        let place = divisor.scale - divisor.digits.count
        let product = ExactNumber.of("\(count * factor)e\(min(place, 3))")
        #expect(NumberLanguage.contains(language, product) == product.isMultiple(of: divisor))
        let other = ExactNumber.of("\(count)e\(Int.random(in: -8...8, using: &generator))")
        #expect(NumberLanguage.contains(language, other) == other.isMultiple(of: divisor))
      }
    }
  }

  @Test func integers() throws {
    #expect(try NumberLanguage.multiples(of: .of("1.0")) == NumberLanguage.integers)
    for texts in [NumberTexts.digits, .long] {
      #expect(texts.difference(NumberLanguage.integers) { $0.isInteger } == nil)
      #expect(texts.difference(NumberLanguage.all) { _ in true } == nil)
      #expect(texts.difference(.empty) { _ in false } == nil)
    }
    let broken = try NumberLanguage.all.subtracting(NumberLanguage.integers)
    #expect(NumberTexts.long.difference(broken) { !$0.isInteger } == nil)
    for text in ["1e1000000000", "-7", "0", "12345678901234567890000000000e-10"] {
      #expect(NumberLanguage.contains(NumberLanguage.integers, .of(text)))
      #expect(!NumberLanguage.contains(broken, .of(text)))
    }
    for text in ["1e-1000000000", "-7.5", "1e-1", "123456789012345678900000000001e-10"] {
      #expect(!NumberLanguage.contains(NumberLanguage.integers, .of(text)))
      #expect(NumberLanguage.contains(broken, .of(text)))
    }
  }

  /// Remainders of numbers with more zeros than anyone can read.
  @Test func endlessZeros() throws {
    let sevens = try NumberLanguage.multiples(of: .of("7"))
    // 10^6 leaves 1, and 10^1000000000 is 10^4 there, which leaves 4.
    #expect(!NumberLanguage.contains(sevens, .of("1e1000000000")))
    #expect(NumberLanguage.contains(sevens, .of("7e999999999")))
    let table = [1, 3, 2, 6, 4, 5]
    for exponent in 999_999_990...999_999_999 {
      let rest = table[exponent % 6]
      for first in 1...20 {
        #expect(
          NumberLanguage.contains(sevens, .of("\(first)e\(exponent)")) == (first * rest % 7 == 0))
      }
    }
  }

  @Test func largePowersOfTenAreCheap() throws {
    for text in ["1e1000", "1e-1000", "3e500", "7e-500"] {
      let language = try NumberLanguage.multiples(of: .of(text))
      #expect(NumberLanguage.contains(language, .of(text)))
      #expect(!NumberLanguage.contains(language, .of("1e-1024")))
      #expect(language.stateCount < 15_000)
    }
  }

  @Test(arguments: ["123456789", "0.123456789", "1e5000", "1e-5000", "20001e-7"])
  func largeStepsAreRefused(text: String) {
    #expect(throws: AutomatonTooLarge.self) { try NumberLanguage.multiples(of: .of(text)) }
  }

  @Test(arguments: [
    [], ["0"], ["5"], ["5", "5.05"], ["5.05", "5"], ["1", "10", "100", "0.1", "0.01", "0.001"],
    ["-1", "1", "-0.5"], ["0", "0.05", "-0.005"], ["99.9", "-99.9", "999", "9.99"], ["1e-20", "0"],
    ["5.5", "5.50", "55e-1"],
  ])
  func values(texts: [String]) throws {
    let values = texts.map(ExactNumber.of)
    let language = try NumberLanguage.values(values)
    for texts in [NumberTexts.digits, .long] {
      #expect(texts.difference(language) { values.contains($0) } == nil)
    }
    #expect(values.allSatisfy { NumberLanguage.contains(language, $0) })
    let union = try values.reduce(DFA.empty) { union, value in
      try union.union(NumberLanguage.values([value]))
    }
    #expect(union == language)
  }

  @Test func randomSets() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<40 {
      let values = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
        let digits = Int.random(in: -1_200...1_200, using: &generator)
        return ExactNumber.of("\(digits)e-\(Int.random(in: 0...4, using: &generator))")
      }
      let set = Set(values)
      let language = try NumberLanguage.values(values)
      for texts in [NumberTexts.digits, .long] {
        #expect(texts.difference(language) { set.contains($0) } == nil)
      }
    }
  }

  /// Every operation on languages is one on values.
  @Test func operationsOnValues() throws {
    var generator = SeededGenerator(seed: 21)
    typealias Rule = (ExactNumber) -> Bool
    func random() throws -> (DFA, Rule) {
      let number = ExactNumber.of(
        "\(Int.random(in: 1...60, using: &generator))e-\(Int.random(in: 0...2, using: &generator))")
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: return (NumberLanguage.integers, { $0.isInteger })
      case 1: return (try NumberLanguage.multiples(of: number), { $0.isMultiple(of: number) })
      case 2: return (try NumberLanguage.values([number]), { $0 == number })
      case 3:
        return (
          try NumberLanguage.range(minimum: .init(-number, isExclusive: true), maximum: nil),
          { -number < $0 }
        )
      default:
        return (
          try NumberLanguage.range(minimum: nil, maximum: .init(number)), { !(number < $0) }
        )
      }
    }
    for _ in 0..<60 {
      var (language, rule) = try random()
      for _ in 0..<3 {
        let (other, otherRule) = try random()
        let before = rule
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: (language, rule) = (try language.union(other), { before($0) || otherRule($0) })
        case 1:
          (language, rule) = (try language.intersection(other), { before($0) && otherRule($0) })
        default:
          (language, rule) = (try language.subtracting(other), { before($0) && !otherRule($0) })
        }
      }
      #expect(NumberTexts.long.difference(language, rule) == nil)
    }
  }
}
