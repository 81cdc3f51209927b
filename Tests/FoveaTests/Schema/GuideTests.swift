import Foundation
import Testing

@testable import Fovea

@Suite("Guides")
struct GuideTests {
  struct Item: Codable { let name: String, price: Decimal, tags: [String] }
  enum Level: String, Codable, CaseIterable { case low, middle, high }
  struct Order: Codable {
    let vendor: String
    let day: Date
    let count: UInt8
    let share: Double?
    let level: Level
    let items: [Item]?
    let isPaid: Bool
  }

  /// The JSON Schema of the field at `path` of Order when it has this guide.
  private func guided(_ path: String, _ guide: Guide) throws -> String {
    let schema = try Schema(probing: Order.self).applying([path: guide], of: "Order")
    var place = schema
    for name in path.split(separator: ".") {
      while true {
        if case .anyOf(let branches) = place.kind, name == "price" || name == "tags" {
          place = branches[0]
        } else if case .array(let items, _, _) = place.kind {
          place = items
        } else {
          break
        }
      }
      guard case .object(let properties) = place.kind,
        let property = properties.first(where: { $0.name == name })
      else { throw FoveaError(.invalidArgument, "the test has no \(path)") }
      place = property.schema
    }
    return place.jsonSchema()
  }

  @Test(
    arguments: [
      (
        "vendor", .describedAs("the shop").length(1...40),
        #"{"description":"the shop","type":"string","minLength":1,"maxLength":40}"#
      ),
      ("vendor", .length(2...), #"{"type":"string","minLength":2}"#),
      (
        "vendor", .length(..<4).examples(["Aldi"]).length(...4),
        #"{"type":"string","maxLength":4,"examples":["Aldi"]}"#
      ),
      ("vendor", .oneOf(["A", "B"]), #"{"enum":["A","B"]}"#),
      ("day", .format(.date), #"{"type":"string","format":"date"}"#),
      ("count", .range(1...), #"{"type":"integer","minimum":1,"maximum":255}"#),
      ("count", .range(0...1000), #"{"type":"integer","minimum":0,"maximum":255}"#),
      ("count", .range(..<10), #"{"type":"integer","minimum":0,"exclusiveMaximum":10}"#),
      (
        "share", .range(0.1...0.3),
        #"{"anyOf":[{"type":"number","minimum":0.1,"maximum":0.3},{"type":"null"}]}"#
      ),
      (
        "share", .describedAs("part").range(...1),
        #"{"description":"part","anyOf":[{"type":"number","maximum":1},{"type":"null"}]}"#
      ),
      ("level", .oneOf(["low", "high"]), #"{"enum":["low","high"]}"#),
      (
        "items.price", .range(0..<1_000_000).describedAs("in euros"),
        #"{"description":"in euros","type":"number","minimum":0,"exclusiveMaximum":1000000}"#
      ),
      (
        "items.tags", .count(...3).length(...8),
        #"{"type":"array","items":{"type":"string","maxLength":8},"maxItems":3}"#
      ),
      (
        "isPaid", .describedAs("cash on the table"),
        #"{"description":"cash on the table","type":"boolean"}"#
      ),
    ] as [(String, Guide, String)])
  func changeTheField(path: String, guide: Guide, expected: String) throws {
    #expect(try guided(path, guide) == expected)
  }

  @Test func emptyPathIsTheWholeValue() throws {
    let schema = try Schema(probing: Order.self)
      .applying(["": .describedAs("an order")], of: "Order")
    #expect(schema.description == "an order")
  }

  @Test(
    arguments: [
      ("vendr", .describedAs("x"), "no field \"vendr\" among vendor, day"),
      ("items.cost", .describedAs("x"), "no field \"cost\" among name, price"),
      ("vendor.name", .describedAs("x"), "text has no field \"name\""),
      ("vendor.", .describedAs("x"), "no field"),
      ("vendor", .range(0...1), "range does not fit text"),
      ("vendor", .count(0...1), "count does not fit text"),
      ("count", .length(0...1), "length does not fit a whole number"),
      ("count", .format(.date), "format does not fit a whole number"),
      ("isPaid", .oneOf(["x"]), "allowed values does not fit a boolean"),
      ("items", .range(0...1), "range does not fit an object"),
      ("count", .range(300...400), "no number is left"),
      ("count", .range(0.2...0.8), "no number is left"),
      ("share", .range(Double.infinity...), "no exact decimal ends"),
      ("vendor", .length((-1)...2), "begins below zero"),
      ("vendor", .length(..<0), "is empty"),
      ("vendor", .oneOf([]), "no text is allowed"),
      ("vendor", .oneOf(["long"]).length(...2), "\"long\" does not fit"),
      ("vendor", .examples(["long"]).length(...2), "\"long\" does not fit"),
      ("vendor", .format(.date).length(...9), "no text of that format"),
      ("day", .format(.time), "does not make a Date"),
      ("level", .oneOf(["lowest"]), "none of its values"),
    ] as [(String, Guide, String)])
  func misfitsAreErrors(path: String, guide: Guide, reason: String) throws {
    let error = try #require(throws: FoveaError.self) {
      try Schema(probing: Order.self).applying([path: guide], of: "Order")
    }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains("\"\(path)\" of Order"))
    #expect(error.message.contains(reason), "\(error)")
  }

  // MARK: Kinds

  struct Kinds: Codable {
    let point: TypeTable.Point
    let prices: [String: Decimal]
    let byUnit: [TypeTable.Unit: Int8]
    let codes: Set<String>
    let shape: TypeTable.Shape?
    let tree: TypeTable.Tree
    let grade: TypeTable.Grade
    let link: URL
    let bytes: Data
    let weight: Int
  }

  @Test(
    arguments: [
      (
        "point.1", .range(0...1),
        #"{"type":"array","prefixItems":[{"type":"number"},{"type":"number","minimum":0,"maximum":1}],"items":false,"minItems":2}"#
      ),
      (
        "prices", .count(1...9).multipleOf(0.5),
        #"{"type":"object","additionalProperties":{"type":"number","multipleOf":0.5},"minProperties":1,"maxProperties":9}"#
      ),
      (
        "codes", .count(...3).pattern("^[A-Z]"),
        #"{"type":"array","items":{"type":"string","pattern":"^[A-Z]"},"maxItems":3,"uniqueItems":true}"#
      ),
      ("byUnit.kg", .range(0...9), #""kg":{"type":"integer","minimum":0,"maximum":9},"piece""#),
      ("shape.circle.radius", .range(0...), #""radius":{"type":"number","minimum":0}"#),
      ("tree", .describedAs("family"), ##"{"description":"family","$ref":"#/$defs/Tree"}"##),
      ("grade", .oneOf(values: [1, 2]), #"{"enum":[1,2]}"#),
      ("link", .format(.uri).length(...80), #"{"type":"string","maxLength":80,"format":"uri"}"#),
      ("weight", .oneOf(values: [5, 10]), #"{"enum":[5,10]}"#),
      ("weight", .multipleOf(5).examples(values: [10]), #""multipleOf":5,"examples":[10]}"#),
      ("point", .examples(values: [[1, 2]]), #""examples":[[1,2]]}"#),
    ] as [(String, Guide, String)])
  func reachEveryKind(path: String, guide: Guide, expected: String) throws {
    let schema = try Schema(probing: Kinds.self).applying([path: guide], of: "Kinds").jsonSchema()
    #expect(schema.contains(expected), "\(schema)")
  }

  @Test(
    arguments: [
      ("point.2", .range(0...1), "no field \"2\" among 0, 1"),
      ("point", .count(0...1), "count does not fit a list"),
      ("byUnit.g", .range(0...1), "no field \"g\" among kg, piece"),
      ("byUnit", .count(0...1), "count does not fit an object"),
      ("shape", .range(0...1), "several types; name one of circle, text, none"),
      ("shape.square", .range(0...1), "several types; name one of circle, text, none"),
      ("tree.name", .length(0...1), "Tree contains itself"),
      ("grade", .oneOf(values: [3]), "3 is none of its values"),
      ("link", .format(.email), "its type asks for the format uri"),
      ("bytes", .format(.uuid), "its type asks for the format base64"),
      ("weight", .oneOf(values: [0.5]), "the allowed value 0.5 does not fit"),
      ("weight", .multipleOf(0), "0 is no number above zero"),
      ("weight", .multipleOf(5).examples(values: [11]), "the example 11 does not fit"),
      ("weight", .unique(), "different items does not fit a whole number"),
      ("prices", .unique(), "different items does not fit a number"),
      ("weight", .pattern("a"), "pattern does not fit a whole number"),
      ("point", .examples(values: [[1, 2, 3]]), "the example [1,2,3] does not fit"),
    ] as [(String, Guide, String)])
  func misfitsOfEveryKind(path: String, guide: Guide, reason: String) throws {
    let error = try #require(throws: FoveaError.self) {
      try Schema(probing: Kinds.self).applying([path: guide], of: "Kinds")
    }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains(reason), "\(error)")
  }

  struct Person: StructuredOutput {
    let name: String
    let children: [Person]
    static var guides: [String: Guide] { ["name": .length(1...9), "children": .count(...2)] }
  }

  @Test func guidesOfATypeThatContainsItselfCountAtEveryDepth() throws {
    let schema = try Schema(of: [Person].self).jsonSchema()
    #expect(schema.components(separatedBy: #""maxLength":9"#).count == 2)
    #expect(schema.hasPrefix(##"{"type":"array","items":{"$ref":"#/$defs/Person"},"$defs""##))
    let violation = try Schema(of: Person.self).violation(
      of: JSONValue(parsing: #"{"name":"a","children":[{"name":"","children":[]}]}"#))
    #expect(violation?.hasPrefix("/children/0/name has 0 characters, fewer than 1") ?? false)
  }

  // MARK: On types

  struct Inner: StructuredOutput {
    let text: String
    static var guides: [String: Guide] { ["text": .describedAs("inner").length(...9)] }
  }
  struct Outer: StructuredOutput {
    let list: [Inner]
    static var guides: [String: Guide] { ["list.text": .describedAs("outer")] }
  }
  struct Wrong: StructuredOutput {
    let text: String
    static var guides: [String: Guide] { ["txet": .length(...9)] }
  }

  @Test func outerGuidesAddToInnerOnes() throws {
    let schema = try Schema(of: Outer.self).jsonSchema()
    #expect(schema.contains(#"{"description":"outer","type":"string","maxLength":9}"#))
    #expect(try Schema(of: [Outer].self).jsonSchema().contains(schema))
  }

  @Test func aWrongGuideStopsTheDerivation() throws {
    let error = try #require(throws: FoveaError.self) { try Schema(of: [Wrong].self) }
    #expect(error.message.contains("\"txet\" of Wrong"))
  }
}
