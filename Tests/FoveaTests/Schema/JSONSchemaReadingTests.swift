import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("JSON Schema in")
struct JSONSchemaReadingTests {
  /// What is allowed by which keywords is the normalizer's: see its tests.
  @Test(arguments: [
    #"{"type":"string","minLength":2,"maxLength":2.0e0}"#, #"{"enum":["a",1,null,true]}"#,
    #"{"oneOf":[{"const":"a","title":"A"},{"const":"b"}]}"#, "true",
    ##"{"$id":"https://a.example/s","type":"array","items":{"$ref":"https://a.example/s#/$defs/x","description":"d"},"$defs":{"x":{"type":"null","description":"e"}}}"##,
  ])
  func staysTheDocumentItIs(text: String) throws {
    let schema = try Schema(jsonSchema: text)
    let document = try JSONValue(parsing: text)
    #expect(schema.kind == .document(document))
    #expect(schema.jsonSchema() == document.text)
    #expect(try Schema(jsonSchema: Data(text.utf8)) == schema)
    #expect(try Schema(jsonSchema: schema.jsonSchema(pretty: true)) == schema)
  }

  @Test(arguments: [
    ("not JSON: line 1, column 9", #"{"type":}"#), ("is no type", #"{"type":"text"}"#),
    ("no schema", "3"), ("no schema", #"{"type":"array","items":"x"}"#),
    ("must list names", #"{"type":"object","required":true}"#),
    ("nothing fits at #", #"{"type":"integer","enum":["a"]}"#),
    ("nothing fits at #", #"{"type":"number","minimum":2,"maximum":1}"#),
    ("whole number", #"{"type":"string","maxLength":1.5}"#),
    ("where nothing is", ##"{"$ref":"#/$defs/a"}"##),
    ("appears twice", #"{"type":"null","type":"null"}"#),
  ])
  func isInvalid(reason: String, text: String) throws {
    let error = try #require(throws: FoveaError.self) { try Schema(jsonSchema: text) }
    #expect(error.code == .invalidSchema)
    #expect(error.description.contains(reason), "\(error)")
  }

  @Test func placesAreJSONPointers() throws {
    let error = try #require(throws: FoveaError.self) {
      try Schema(
        jsonSchema:
          ##"{"type":"object","properties":{"a/b":{"type":"array","items":{"$ref":"#/$defs/x"}}},"$defs":{"x":{"anyOf":[{"type":"null"},{"type":"string","pattern":"(?<=a)b"}]}}}"##
      )
    }
    #expect(error.code == .unsupportedSchema)
    #expect(error.message.contains("\"pattern\" at #/$defs/x/anyOf/1"), "\(error)")
  }

  @Test(
    arguments: [
      (#"{"type":"string","minimum":1,"pattrn":"a"}"#, ["\"pattrn\""]),
      (#"{"type":"integer","pattern":"a","nullable":true}"#, ["\"nullable\""]),
      (#"{"minLength":1}"#, []), (#"{"type":"object"}"#, []),
      (#"{"type":"string","format":"byte"}"#, ["\"byte\" tells what a text is for"]),
      (#"{"type":"string","title":"t","x-a":1,"$comment":"c"}"#, []),
    ] as [(String, [String])])
  func warns(text: String, parts: [String]) throws {
    let warnings = try Schema.parse(jsonSchema: text).warnings
    #expect(warnings.count == parts.count, "\(warnings)")
    for (warning, part) in zip(warnings, parts) {
      #expect(warning.hasPrefix("#") && warning.contains(part), "\(warning)")
    }
  }

  @Test func contentIsEnforcedWhereADialectAssertsIt() throws {
    let base64 =
      #"{"$schema":"http://json-schema.org/draft-07/schema#","contentEncoding":"base64"}"#
    #expect(try !Schema(jsonSchema: base64).accepts(.string("%")))
    #expect(try Schema(jsonSchema: base64).accepts(.string("QQ==")))
    #expect(try Schema(jsonSchema: #"{"contentEncoding":"base64"}"#).accepts(.string("%")))
    let json =
      #"{"$schema":"http://json-schema.org/draft-07/schema#","contentMediaType":"application/json"}"#
    let error = #expect(throws: FoveaError.self) { try Schema(jsonSchema: json) }
    #expect(error?.code == .unsupportedSchema)
  }

  @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
  func receiptSchema() throws {
    let file = SharedData.folder.appendingPathComponent(
      "receipts/text-receipts-annotations/SCHEMA.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    let (schema, warnings) = try Schema.parse(jsonSchema: text)
    #expect(warnings == [])
    #expect(throws: Never.self) { try Grammar(schema) }
  }
}
