import Testing

@testable import Fovea

/// What is refused or reported, where, and with which words.
@Suite("JSON Schema: refusals")
struct SchemaNormalizerRefusalTests {
  private func error(_ schema: String, _ options: SchemaOptions = .init()) throws -> FoveaError {
    let document = try JSONValue(parsing: schema)
    return try #require(throws: FoveaError.self) { try NormalForm.read(document, options: options) }
  }

  private func warnings(_ schema: String, _ options: SchemaOptions = .init()) throws -> [String] {
    try NormalForm.read(JSONValue(parsing: schema), options: options).warnings
  }

  @Test(arguments: [
    (#"{"properties": {"a": {"minLength": -1}}}"#, "#/properties/a", "minLength"),
    (#"{"minLength": 1.5}"#, "#", "minLength"),
    (#"{"type": "int"}"#, "#", "type"),
    (#"{"anyOf": []}"#, "#", "anyOf"),
    (#"{"multipleOf": 0}"#, "#", "multipleOf"),
    (##"{"$ref": "#/$defs/x"}"##, "#", "$ref"),
    (##"{"$ref": "#"}"##, "#", "$ref"),
    (##"{"anyOf": [{"type": "null"}, {"not": {"$ref": "#"}}]}"##, "#", "itself"),
    (#"{"type": "string", "enum": [1]}"#, "#", "no value"),
    (
      ##"{"required": ["a"], "type": "object", "properties": {"a": {"$ref": "#"}}}"##, "#",
      "no value"
    ),
    (
      #"{"type": "array", "minItems": 3, "uniqueItems": true, "items": {"enum": [1, 2]}}"#, "#",
      "no value"
    ),
    (#"{"type": "object", "minProperties": 2, "maxProperties": 1}"#, "#", "no value"),
  ]) func malformed(schema: String, pointer: String, word: String) throws {
    let error = try error(schema)
    #expect(error.code == .invalidSchema)
    #expect(error.message.contains("at \(pointer)"), "\(error)")
    #expect(error.message.contains(word), "\(error)")
    #expect(error.fix != nil)
  }

  @Test(arguments: [
    (#"{"$ref": "https://a.example/b.json"}"#, "https://a.example/b.json"),
    (#"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#, "schema of schemas"),
    (#"{"$schema": "http://json-schema.org/draft-03/schema#"}"#, "older"),
    (#"{"items": {"format": "country-code"}}"#, "country-code"),
    (#"{"type": "array", "uniqueItems": true}"#, "uniqueItems"),
    (#"{"contains": {"type": "null"}, "maxContains": 2}"#, "maxContains"),
    (
      #"{"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}"#,
      "unevaluatedProperties"
    ),
    (#"{"type": "object", "not": {"additionalProperties": {"type": "null"}}}"#, "not"),
  ]) func unsupported(schema: String, word: String) throws {
    let error = try error(schema)
    #expect(error.code == .unsupportedSchema)
    #expect(error.message.contains("at #"), "\(error)")
    #expect(error.message.contains(word), "\(error)")
    #expect(error.fix != nil)
  }

  @Test func unknownNamesAreReported() throws {
    #expect(try warnings(#"{"x-a": 1, "_format": 2, "title": "t"}"#).count == 1)
    let text = try warnings(#"{"items": {"decription": "d"}}"#).joined()
    #expect(text.contains("#/items") && text.contains("\"description\"?"), "\(text)")
    #expect(
      try error(#"{"minimun": 1}"#, SchemaOptions(isStrict: true)).message.contains("minimun"))
  }

  @Test func keywordsOfOtherDialectsAreReported() throws {
    let old = #"{"$schema": "http://json-schema.org/draft-04/schema#", "const": 1}"#
    #expect(try warnings(old).count == 1)
    #expect(try warnings(#"{"items": [{}]}"#).count == 1)
    #expect(try warnings(#"{"$schema": "https://a.example/own"}"#).count == 1)
  }

  @Test func optionsGiveUpOnePromiseEach() throws {
    let format = try warnings(
      #"{"type": "string", "format": "x"}"#, SchemaOptions(unknownFormats: .annotate))
    #expect(format.count == 1)
    let unique = try warnings(
      #"{"type": "array", "uniqueItems": true}"#, SchemaOptions(uniqueContainers: .ignoreAndReport))
    #expect(unique.count == 1)
    let overlap = #"""
      {"oneOf": [{"type": "object"}, {"additionalProperties": {"type": "null"}, "type": "object"}]}
      """#
    #expect(try error(overlap).message.contains("oneOf"))
    #expect(try warnings(overlap, SchemaOptions(overlappingOneOf: .asAnyOf)).count == 1)
  }
}
