import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// The promise of a derived schema: whatever it allows decodes as the type.
@Suite("What a derived schema allows decodes")
struct SchemaDecodingTests {
  @Test(
    arguments: [
      TypeDerivationTests.Receipt.self, TypeDerivationTests.Dates.self,
      TypeDerivationTests.Renamed.self, TypeDerivationTests.Lenient.self,
      TypeDerivationTests.Flags.self, TypeDerivationTests.Generic<UInt64?>.self,
      TypeDerivationTests.Generic<Int64>.self, TypeDerivationTests.Generic<Float>.self,
      [TypeDerivationTests.Level].self, GuideTests.Order.self, GuideTests.Outer.self,
      ValidatingTypeTests.Lenient.self, ValidatingTypeTests.Flat.self,
      ValidatingTypeTests.Derived.self, [[Decimal?]].self, [Date].self, Bool.self,
    ] as [any AnyType.Type])
  func randomValues(type: any AnyType.Type) throws {
    let schema = try Schema(probing: type)
    var generator = SeededGenerator(seed: 31)
    for _ in 0..<200 {
      let value = schema.randomValue(using: &generator)
      #expect(schema.violation(of: value) == nil)
      #expect(throws: Never.self, "\(value.text)") { try decodeOutput(type, from: value.text) }
    }
  }

  @Test func valuesComeBackAsTheyWere() throws {
    let receipt = TypeDerivationTests.Receipt(
      vendor: "Café \"Zahn\"", total: Decimal(string: "14.10") ?? 0, isPaid: true, note: "東\n",
      items: [.init(name: "", count: 255, weight: 0.1)], tags: [])
    let text = String(decoding: try JSONEncoder().encode(receipt), as: UTF8.self)
    #expect(
      try Schema(of: TypeDerivationTests.Receipt.self).violation(of: .init(parsing: text)) == nil)
    #expect(try decodeOutput(TypeDerivationTests.Receipt.self, from: text) == receipt)
  }
}
