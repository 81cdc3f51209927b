import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// The type that the article "How the guarantee works" shows.
struct Delivery: StructuredOutput {
  enum Carrier: Codable, Sendable {
    case post(code: String)
    case courier(name: String, phone: String?)
    case pickup

    enum CodingKeys: CodingKey, CaseIterable { case post, courier, pickup }
  }

  let day: Date
  let weight: Decimal
  let carrier: Carrier

  static var guides: [String: Guide] {
    [
      "day": .format(.date),
      "weight": .range(0...30).multipleOf(0.1),
      "carrier.post.code": .pattern("^[A-Z]{2}[0-9]{9}$"),
    ]
  }
}

@Suite("Types in the documentation")
struct DocumentedTypesTests {
  @Test("the article's type derives, its guides hold, and every instance decodes")
  func delivery() throws {
    let schema = try Schema(of: Delivery.self)
    let grammar = try Grammar(schema)
    func allows(_ text: String) -> Bool { grammar.accepts(text.utf8) }
    let good = #"{"day":"2026-11-30","weight":2.5,"carrier":{"post":{"code":"DE123456789"}}}"#
    #expect(allows(good))
    #expect(!allows(good.replacingOccurrences(of: "2.5", with: "2.55")))
    #expect(!allows(good.replacingOccurrences(of: "2.5", with: "31")))
    #expect(!allows(good.replacingOccurrences(of: "DE1", with: "de1")))
    #expect(!allows(good.replacingOccurrences(of: "11-30", with: "11-31")))
    #expect(allows(#"{"day":"2026-11-30","weight":0,"carrier":{"pickup":{}}}"#))
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<50 {
      let text = String(
        decoding: grammar.randomInstance(patience: 2_000, using: &generator), as: UTF8.self)
      _ = try decodeOutput(Delivery.self, from: text)
    }
  }
}
