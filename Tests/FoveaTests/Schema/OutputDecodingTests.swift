import Foundation
import Testing

@testable import Fovea

@Suite("Decoding of answers")
struct OutputDecodingTests {
  @Test(arguments: ["14.10", "0.1", "12345678901234567.89", "-0.000000000000000000001", "1e3"])
  func decimalsKeepTheirDigits(digits: String) throws {
    let decoded = try decodeOutput([Decimal].self, from: "[\(digits)]")
    #expect(decoded == [try #require(Decimal(string: digits))])
    #expect(try decodeOutput(Decimal.self, from: digits) == decoded[0])
  }

  @Test(
    arguments: [
      ("1970-01-02", 86_400), ("1969-12-31", -86_400), ("2000-02-29", 951_782_400),
      ("2026-11-30T09:41:00Z", 1_796_031_660), ("2026-11-30T09:41:00.25Z", 1_796_031_660.25),
      ("2026-11-30T11:41:00+02:00", 1_796_031_660), ("2026-11-30t08:11:00-01:30", 1_796_031_660),
      ("2016-12-31T23:59:60Z", 1_483_228_800), ("0000-03-01", -62_162_035_200),
    ] as [(String, Double)])
  func dates(text: String, seconds: Double) throws {
    #expect(
      try decodeOutput(Date.self, from: "\"\(text)\"") == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-1-01", "2026-11-30T09:41:00", "2026-11-30T24:00:00Z",
    "2026-11-30T09:41:60Z", "2026-11-30 09:41:00Z", "2026-11-30T09:41:00.Z", "", "٢٠٢٦-11-30",
    "2026-11-30T09:41:00+2:00", "2026-11-30T09:41:00Zx", "2026-11-31",
  ])
  func notDates(text: String) throws {
    #expect(throws: FoveaError.self) { try decodeOutput(Date.self, from: "\"\(text)\"") }
  }

  struct Moment: StructuredOutput {
    let at: Date
    static var dateStrategy: DateStrategy { .millisecondsSince1970 }
  }

  /// A list has the strategy of its elements, which counts for its encoder too.
  @Test func datesInAnotherForm() throws {
    let moments = try decodeOutput([Moment].self, from: #"[{"at":1796031660250}]"#)
    #expect(moments[0].at == Date(timeIntervalSince1970: 1_796_031_660.25))
    #expect(try JSONValue(parsing: encodedText(moments)).text == #"[{"at":1796031660250}]"#)
    #expect(try Schema(of: [Moment].self).jsonSchema().contains(#""at":{"type":"number"}"#))
    #expect(throws: FoveaError.self) {
      try decodeOutput(Moment.self, from: #"{"at":"2026-11-30T09:41:00Z"}"#)
    }
  }

  struct Receipt: Codable { let items: [Item] }
  struct Item: Codable { let price: Int8 }

  @Test(arguments: [
    (#"{"items":[{"price":1},{"price":300}]}"#, "/items/1/price is 300, which is more than 127"),
    (#"{"items":[{"price":1},{"price":"x"}]}"#, "items[1].price"),
    (#"{"items":[{}]}"#, "items[0].price"),
    (#"{"items":[{"pri"#, "Receipt"),
  ])
  func failuresNameTheField(text: String, place: String) throws {
    let error = try #require(throws: FoveaError.self) {
      try decodeOutput(Receipt.self, from: text)
    }
    #expect(error.code == .decodingFailed)
    #expect(error.partialText == text)
    #expect(error.description.contains(place), "\(error)")
  }
}
