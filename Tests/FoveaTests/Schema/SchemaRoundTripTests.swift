import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Schema to JSON Schema and back")
struct SchemaRoundTripTests {
  @Test func randomSchemasComeBack() throws {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<400 {
      let schema = Schema.random(using: &generator)
      let text = schema.jsonSchema()
      let again = try Schema(jsonSchema: text)
      #expect(again.jsonSchema() == text)
      #expect(try Schema(jsonSchema: schema.jsonSchema(pretty: true)) == again)
      // Read back it judges values as before.
      for _ in 0..<4 {
        let value = JSONValue.random(using: &generator)
        #expect(schema.accepts(value) == again.accepts(value), "\(text): \(value.text)")
      }
    }
  }

  @Test func derivedSchemasComeBack() throws {
    for type in [
      TypeDerivationTests.Receipt.self, TypeDerivationTests.Dates.self, [Int64?].self,
      GuideTests.Order.self, GuideTests.Outer.self, [[Decimal]?].self,
    ] as [any Decodable.Type] {
      let schema = try Schema(probing: type)
      let (again, warnings) = try Schema.parse(jsonSchema: schema.jsonSchema())
      #expect(again.jsonSchema() == schema.jsonSchema())
      #expect(warnings == [])
    }
  }

  @Test func prettyIsTheSame() throws {
    let schema = try Schema(of: TypeDerivationTests.Receipt.self)
    let compact = try JSONValue(parsing: schema.jsonSchema())
    #expect(try JSONValue(parsing: schema.jsonSchema(pretty: true)) == compact)
    #expect(schema.jsonSchema(pretty: true).contains("\n  \"properties\": {\n"))
  }
}

extension Schema {
  /// Any schema that allows something.
  fileprivate static func random(
    depth: Int = 3, using generator: inout SeededGenerator
  ) -> Schema {
    var schema = Schema(randomKind(depth: depth, using: &generator))
    if Bool.random(using: &generator) { schema.description = "é \"quoted\"" }
    if Int.random(in: 0..<5, using: &generator) == 0 { schema.title = "" }
    if Int.random(in: 0..<5, using: &generator) == 0 {
      schema.examples = [.random(using: &generator)]
    }
    return schema
  }

  private static func randomKind(depth: Int, using generator: inout SeededGenerator) -> Kind {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
    case 0: return .null
    case 1: return .boolean
    case 2: return .integer(randomBounds(using: &generator))
    case 3: return .number(randomBounds(using: &generator))
    case 4:
      let least = Int.random(in: 0...9, using: &generator)
      return .string(
        StringRule(
          minLength: least, maxLength: Bool.random(using: &generator) ? least + 20 : nil,
          format: [nil, .date, .dateTime, .time].randomElement(using: &generator) ?? nil))
    case 5:
      return .enumeration(
        [.string("a"), .number("1.50"), .null, .boolean(true)].shuffled(using: &generator))
    case 6:
      let least = Int.random(in: 0...2, using: &generator)
      return .array(
        items: random(depth: depth - 1, using: &generator), minItems: least,
        maxItems: Bool.random(using: &generator) ? least : nil)
    case 7:
      let branch = random(depth: 0, using: &generator)
      if branch.kind == .null { return .boolean }
      if case .enumeration = branch.kind { return .boolean }
      return .anyOf([branch, Schema(.null, description: "none"), Schema(.object([]))])
    default:
      return .object(
        ["b", "", "a/~b", "\u{E9}", "e\u{301}"].prefix(Int.random(in: 0...5, using: &generator)).map
        {
          Property(
            $0, random(depth: depth - 1, using: &generator),
            isRequired: Bool.random(using: &generator))
        })
    }
  }

  private static func randomBounds(using generator: inout SeededGenerator) -> NumberBounds {
    let least = Decimal(Int.random(in: -1000...1000, using: &generator)) / 8
    var bounds = NumberBounds()
    if Bool.random(using: &generator) {
      bounds.minimum = least
      bounds.isMinimumExclusive = Bool.random(using: &generator)
    }
    if Bool.random(using: &generator) {
      bounds.maximum = least + 3
      bounds.isMaximumExclusive = Bool.random(using: &generator)
    }
    return bounds
  }
}
