import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Exact numbers")
struct ExactNumberTests {
  /// In ascending order; texts in one row are equal.
  private let rows = [
    ["-1e1000000000", "-1.0e1000000000"], ["-12345678901234567890123456789012345678901"],
    ["-2", "-2.0", "-0.02e2"], ["-1.5"], ["-1e-999999"], ["0", "-0", "0.000", "0e5"], ["1e-30"],
    ["0.1", "1e-1", "0.10"], ["0.10000000000000000000000000000000000000000000001"], ["0.2"],
    ["1"], ["9"], ["10", "1e1", "10.0"], ["9007199254740992"], ["9007199254740993"],
    ["9223372036854775807"], ["9223372036854775808"], ["1e1000000000"],
  ]

  @Test func orderIsExact() throws {
    let numbers = try rows.map { row in try row.map { try #require(ExactNumber($0)) } }
    for (index, row) in numbers.enumerated() {
      for (otherIndex, other) in numbers.enumerated() {
        for left in row {
          for right in other {
            #expect((left < right) == (index < otherIndex))
            #expect((left == right) == (index == otherIndex))
          }
        }
      }
    }
  }

  @Test(arguments: [
    "", "-", "01", "1.", ".1", "1e", "+1", "NaN", "inf", "1e1000000001", " 1", "1x",
  ])
  func isNoNumber(text: String) { #expect(ExactNumber(text) == nil) }

  @Test func integersAndDecimals() throws {
    #expect(ExactNumber("1.50e1")?.int == 15)
    #expect(ExactNumber("1.5")?.int == nil)
    #expect(ExactNumber("-9223372036854775808")?.int == Int.min)
    #expect(ExactNumber("9223372036854775808")?.int == nil)
    #expect(ExactNumber("1e1000000000")?.int == nil)
    #expect(ExactNumber("14.10")?.decimal == Decimal(string: "14.1"))
    #expect(ExactNumber("1e300")?.decimal == nil)
    #expect(ExactNumber(Decimal.nan) == nil)
    #expect(ExactNumber(String(repeating: "9", count: 38))?.decimal != nil)
    #expect(ExactNumber("1" + String(repeating: "0", count: 38) + "1")?.decimal == nil)
  }

  @Test func everyDecimalComesBack() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let mantissa = Decimal(Int64.random(in: .min ... .max, using: &generator))
      let exponent = Int.random(in: -120...120, using: &generator)
      let text = "\(mantissa)e\(exponent)"
      let decimal = try #require(Decimal(string: text))
      #expect(ExactNumber(text)?.decimal == decimal, "\(text)")
      #expect(ExactNumber(decimal) == ExactNumber(text), "\(text)")
    }
  }
}
