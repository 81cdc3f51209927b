import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// Schemas and values: keywords that meet, dialects, references.
@Suite("JSON Schema: keywords")
struct SchemaNormalizerTests {
  struct Case: CustomTestStringConvertible {
    let schema: String
    let valid: [String]
    let invalid: [String]

    init(_ schema: String, valid: [String], invalid: [String]) {
      self.schema = schema
      self.valid = valid
      self.invalid = invalid
    }

    var testDescription: String { schema }
  }

  static let cases = [
    // A keyword says nothing about values of other types.
    Case(
      #"{"minimum": 3, "maxLength": 1}"#, valid: ["3", #""a""#, "null", "[]"],
      invalid: ["2", #""ab""#]),
    // Siblings of a reference, also of a recursive one.
    Case(
      ##"{"$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n", "maxProperties": 1}}}}, "$ref": "#/$defs/n"}"##,
      valid: [#"{"next": {"next": {}}}"#],
      invalid: [#"{"next": {"a": 1, "b": 2}}"#, #"{"next": {"next": {"a": 1, "b": 2}}}"#]),
    Case(
      ##"{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"s": {"type": "string"}}, "properties": {"a": {"$ref": "#/definitions/s", "maxLength": 1}}}"##,
      valid: [#"{"a": "long"}"#], invalid: [#"{"a": 1}"#]),
    Case(
      #"{"$schema": "http://json-schema.org/draft-04/schema", "minimum": 1, "exclusiveMinimum": true, "const": 5}"#,
      valid: ["2", "1.5"], invalid: ["1"]),
    Case(
      #"{"$schema": "http://json-schema.org/draft-06/schema#", "items": [{"type": "null"}], "additionalItems": {"type": "boolean"}}"#,
      valid: ["[null, true]", "[]"], invalid: ["[true]", "[null, null]"]),
    // References by identifier, anchor, and pointer with escapes.
    Case(
      ##"{"$id": "https://a.example/s/root.json", "$defs": {"x": {"$id": "item.json", "$defs": {"y": {"$anchor": "here", "type": "null"}}, "$ref": "#here"}}, "$ref": "/s/item.json"}"##,
      valid: ["null"], invalid: ["1"]),
    Case(
      ##"{"$defs": {"a~b/c%": {"type": "null"}}, "$ref": "#/$defs/a~0b~1c%25"}"##, valid: ["null"],
      invalid: ["1"]),
    // Overlapping branches.
    Case(
      #"{"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object"}"#,
      valid: [#"{"a": 1}"#, #"{"b": 1}"#], invalid: ["{}", #"{"a": 1, "b": 1}"#]),
    Case(
      #"{"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}], "type": "integer"}"#,
      valid: ["2", "3"], invalid: ["6", "5"]),
    Case(
      #"{"oneOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "array", "minItems": 2}]}"#,
      valid: ["[1]", "[]", #"["a", "b"]"#], invalid: ["[1, 2]", #"["a"]"#]),
    Case(
      #"{"oneOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false}]}"#,
      valid: [#"{"a": 1}"#, #"{"a": "x"}"#, #"{"b": "x"}"#], invalid: ["{}", #"{"b": 1}"#]),
    // Exclusions.
    Case(
      #"{"type": "array", "not": {"items": {"type": "string"}}}"#, valid: [#"["a", 1]"#],
      invalid: ["[]", #"["a"]"#]),
    Case(
      #"{"type": "string", "maxLength": 4, "not": {"minLength": 2, "maxLength": 3}}"#,
      valid: [#""""#, #""a""#, #""abcd""#], invalid: [#""ab""#, #""abc""#, #""abcde""#]),
    // Conditions and dependencies.
    Case(
      #"{"if": {"properties": {"k": {"const": "a"}}, "required": ["k"]}, "then": {"required": ["v"]}, "else": {"maxProperties": 1}}"#,
      valid: [#"{"k": "a", "v": 1, "w": 2}"#, #"{"k": "b"}"#, "3"],
      invalid: [#"{"k": "a"}"#, #"{"k": "b", "v": 1}"#]),
    Case(
      #"{"dependentRequired": {"a": ["b", "c"]}, "additionalProperties": {"type": "integer"}}"#,
      valid: ["{}", #"{"b": 1}"#, #"{"a": 1, "b": 1, "c": 1}"#],
      invalid: [#"{"a": 1, "b": 1}"#, #"{"b": "x"}"#]),
    Case(
      #"{"dependentSchemas": {"a": {"properties": {"b": {"type": "integer"}}}}}"#,
      valid: [#"{"b": "x"}"#, #"{"a": 1, "b": 1}"#], invalid: [#"{"a": 1, "b": "x"}"#]),
    // Keys.
    Case(
      #"{"patternProperties": {"^a": {"minimum": 1}, "b$": {"maximum": 5}}, "additionalProperties": false}"#,
      valid: [#"{"a": 9, "b": 0, "ab": 3}"#], invalid: [#"{"ab": 9}"#, #"{"ab": 0}"#, #"{"c": 1}"#]),
    Case(
      #"{"propertyNames": {"maxLength": 2}, "properties": {"abc": {}, "ab": {"type": "null"}}}"#,
      valid: [#"{"ab": null, "x": 1}"#], invalid: [#"{"abc": null}"#, #"{"ab": 1}"#]),
    Case(
      #"{"unevaluatedProperties": false, "properties": {"a": {}}}"#, valid: [#"{"a": 1}"#],
      invalid: [#"{"b": 1}"#]),
    // Values.
    Case(
      #"{"enum": [{"a": [1, {}]}, 2.0, "é"]}"#, valid: [#"{"a": [1.0, {}]}"#, "2", #""é""#],
      invalid: [#"{"a": [1]}"#, #"{"a": [1, {}], "b": 1}"#, #""e\#u{301}""#]),
    Case(
      #"{"contains": {"const": 7}, "minContains": 2, "maxItems": 3}"#, valid: ["[7, 1, 7]"],
      invalid: ["[7, 1]", "[7, 7, 1, 2]"]),
    Case(
      #"{"type": "integer", "format": "uint8"}"#, valid: ["0", "255"], invalid: ["-1", "256"]),
  ]

  @Test(arguments: cases) func verdicts(of test: Case) throws {
    let form = try NormalForm.read(JSONValue(parsing: test.schema)).form
    for text in test.valid {
      #expect(form.violation(of: try JSONValue(parsing: text)) == nil, "\(text)")
    }
    for text in test.invalid {
      #expect(form.violation(of: try JSONValue(parsing: text)) != nil, "\(text)")
    }
  }

  @Test func declaredOrderIsKept() throws {
    let schema = #"""
      {"allOf": [{"required": ["late", "b"]}, {"properties": {"b": {"type": "null"}, "a": {}}}],
       "properties": {"first": {}}}
      """#
    let form = try NormalForm.read(JSONValue(parsing: schema)).form
    let shape = try #require(form.nodes[form.root].objects.first)
    let names = shape.properties.map { String(decoding: $0.name, as: UTF8.self) }
    #expect(names == ["first", "late", "b", "a"])
  }

  @Test func impossiblePartsAreDropped() throws {
    let schema = ##"""
      {"$defs": {"n": {"type": "object", "required": ["n"], "properties": {"n": {"$ref": "#/$defs/n"}}}},
       "anyOf": [{"$ref": "#/$defs/n"},
                 {"type": "array", "items": {"$ref": "#/$defs/n"}},
                 {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}}]}
      """##
    let form = try NormalForm.read(JSONValue(parsing: schema)).form
    let root = form.nodes[form.root]
    #expect(root.objects.count == 1)
    #expect(root.objects.first?.properties.first?.node == NormalForm.nothing)
    #expect(root.arrays.first?.maxItems == 0)
  }

  @Test func smallSetsBoundUniqueItems() throws {
    let form = try NormalForm.read(
      JSONValue(
        parsing: #"{"type": "array", "items": {"enum": [1, 1.0, "a", null]}, "uniqueItems": true}"#)
    ).form
    #expect(form.nodes[form.root].arrays.first?.maxItems == 3)
  }

  @Test(.enabled(if: SharedData.isPresent, SharedData.missing)) func publicFaults() throws {
    // What is wrong with these texts is their blanks, which a value no longer has.
    let blanks: Set<String> = ["leading-whitespace", "whitespace-run"]
    var count = 0
    for file in SharedData.files(below: "structured/faults", extensions: ["jsonl"]) {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let fault = try JSONValue(parsing: String(line))
        guard case .string(let id)? = fault[name: "id"], let schema = fault[name: "schema"],
          case .array(let documents)? = fault[name: "docs"]
        else { continue }
        count += 1
        guard let form = try? NormalForm.read(schema).form else {
          let refused = ["ref-cycle", "endless-required", "false-required", "format-unknown"]
          #expect(refused.contains(id), "\(id)")
          continue
        }
        for document in documents where !blanks.contains(id) {
          guard case .string(let text)? = document[name: "text"] else { continue }
          let isAccepted = (try? JSONValue(parsing: text)).map { form.violation(of: $0) == nil }
          #expect(document[name: "valid"] == .boolean(isAccepted ?? false), "\(id): \(text)")
        }
      }
    }
    #expect(count == 50)
  }
}
