import Foundation
import Testing

@testable import Fovea

/// What a schema made by hand becomes as a JSON Schema document.
@Suite("Schema as a document")
struct SchemaDocumentTests {
  static let document = JSONValue.object([
    .init("$schema", .string("http://json-schema.org/draft-04/schema#")),
    .init("type", .string("null")),
  ])

  @Test func aDocumentIsItself() throws {
    #expect(try Schema(.document(Self.document)).document() == Self.document)
    #expect(Schema(.document(Self.document)).jsonSchema() == Self.document.text)
  }

  @Test(
    arguments: [
      (Schema(.any, description: "x"), #"{"description":"x"}"#),
      (Schema(.tuple([])), #"{"type":"array","maxItems":0}"#),
      (
        Schema(
          .dictionary(
            values: Schema(.any), keys: .init(minLength: 1, format: .uuid), minProperties: 1,
            maxProperties: 0)),
        #"{"type":"object","additionalProperties":{},"propertyNames":{"minLength":1,"format":"uuid"},"minProperties":1,"maxProperties":0}"#
      ),
      (
        Schema(.string(.init(format: .base64, pattern: "^A"))),
        #"{"type":"string","pattern":"^A","allOf":[{"pattern":"\#(Schema.Format.base64Pattern)"}],"contentEncoding":"base64"}"#
      ),
      (
        Schema(.number(.init(multipleOf: 3))), #"{"type":"number","multipleOf":3}"#
      ),
      (
        Schema(.array(items: Schema(.null), minItems: -1, maxItems: nil)),
        #"{"type":"array","items":{"type":"null"},"minItems":-1}"#
      ),
    ])
  func kinds(schema: Schema, expected: String) throws {
    #expect(try schema.document().text == (try JSONValue(parsing: expected)).text)
  }

  /// Definitions of schemas inside come to the top, once, with names that a pointer can say.
  @Test func definitionsAreHoisted() throws {
    var inner = Schema(.reference("a/b c"))
    inner.definitions = [.init("a/b c", Schema(.array(items: inner, minItems: 0, maxItems: 1)))]
    let schema = Schema(.object([.init("x", inner), .init("y", inner)]))
    let reference = ##"{"$ref":"#/$defs/a~1b%20c"}"##
    #expect(
      try schema.document().text
        == #"{"type":"object","properties":{"x":\#(reference),"y":\#(reference)},"required":["x","y"],"#
        + #""additionalProperties":false,"$defs":{"a/b c":{"type":"array","items":\#(reference),"maxItems":1}}}"#
    )
  }

  @Test(
    arguments: [
      (
        Schema(.tuple([Schema(.null), Schema(.document(document))])),
        "#/prefixItems/1 is a JSON Schema document"
      ),
      (
        Schema(
          .dictionary(
            values: Schema(.reference("x")), keys: nil, minProperties: 0, maxProperties: nil)),
        "#/additionalProperties refers to \"x\""
      ),
      (
        Schema(.object([.init("a/b", Schema(.number(.init(maximum: .nan))))])),
        "#/properties/a~1b has a bound"
      ),
      (Schema(.anyOf([defining(.null), defining(.boolean)])), "#/$defs/x is defined twice"),
      (
        defining(.set(items: Schema(.reference("y")), minItems: 0, maxItems: nil)),
        "#/$defs/x/items refers to \"y\""
      ),
    ])
  func refusals(schema: Schema, reason: String) throws {
    let error = try #require(throws: FoveaError.self) { try schema.document() }
    #expect(error.code == .invalidSchema)
    #expect(error.message.contains(reason), "\(error)")
  }

  private static func defining(_ kind: Schema.Kind) -> Schema {
    var schema = Schema(.reference("x"))
    schema.definitions = [.init("x", Schema(kind))]
    return schema
  }

  // MARK: The validator

  @Test(
    arguments: [
      (
        .set(items: Schema(.number(.init())), minItems: 0, maxItems: nil), "[1,2,1.0]",
        "the value has equal items at 0 and 2"
      ),
      (.set(items: Schema(.number(.init())), minItems: 0, maxItems: nil), "[1,-1]", nil),
      (.tuple([Schema(.null), Schema(.boolean)]), "[null,1]", "/1 is 1, not a boolean"),
      (.tuple([Schema(.null)]), "[]", "the value has 0 items, fewer than 1"),
      (
        .dictionary(
          values: Schema(.null), keys: .init(maxLength: 1), minProperties: 1, maxProperties: 1),
        #"{"a":1}"#, "/a is 1, not null"
      ),
      (
        .dictionary(
          values: Schema(.null), keys: .init(maxLength: 1), minProperties: 1, maxProperties: 1),
        #"{"ab":null}"#, "the value has the key \"ab\" that is not declared"
      ),
      (
        .dictionary(values: Schema(.null), keys: nil, minProperties: 1, maxProperties: 1),
        "{}", "the value has 0 keys, fewer than 1"
      ),
      (
        .reference("x"), "1",
        "no value is allowed: the schema at # refers to \"x\", which is not defined"
      ),
      (.number(.init(multipleOf: 3)), "12e300", nil),
      (
        .number(.init(multipleOf: 3)), "1e300", "the value is 1e300, which is not an allowed number"
      ),
      (.number(.init(multipleOf: 3)), "1.5", "the value is 1.5, not a whole number"),
    ] as [(Schema.Kind, String, String?)])
  func violations(kind: Schema.Kind, text: String, violation: String?) throws {
    let found = try Schema(kind).violation(of: JSONValue(parsing: text))
    #expect(
      violation == nil ? found == nil : found?.hasPrefix(violation ?? "") ?? false,
      "\(found ?? "none")")
  }

  @Test func referencesInACircleEnd() {
    var schema = Schema(.reference("x"))
    schema.definitions = [.init("x", Schema(.reference("y"))), .init("y", Schema(.reference("x")))]
    #expect(schema.violation(of: .null) != nil)
  }
}
