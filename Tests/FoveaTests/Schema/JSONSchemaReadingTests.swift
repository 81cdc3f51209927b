import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("JSON Schema in")
struct JSONSchemaReadingTests {
  @Test(arguments: [
    (
      #"{"type":"string","minLength":2,"maxLength":2.0e0}"#,
      #"{"type":"string","minLength":2,"maxLength":2}"#
    ),
    (
      #"{"type":["string","null"],"title":"t"}"#,
      #"{"title":"t","anyOf":[{"type":"string"},{"type":"null"}]}"#
    ),
    (#"{"type":["integer","number"]}"#, #"{"type":"number"}"#),
    (
      #"{"type":"number","minimum":1,"exclusiveMinimum":1}"#,
      #"{"type":"number","exclusiveMinimum":1}"#
    ),
    (#"{"type":"number","minimum":2,"exclusiveMinimum":1}"#, #"{"type":"number","minimum":2}"#),
    (
      #"{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","maximum":5,"exclusiveMaximum":true}"#,
      #"{"type":"integer","exclusiveMaximum":5}"#
    ),
    (
      #"{"type":"object","properties":{"b":{"type":"null"},"a":{"type":"boolean"}},"required":["a"]}"#,
      #"{"type":"object","properties":{"b":{"type":"null"},"a":{"type":"boolean"}},"required":["a"],"additionalProperties":false}"#
    ),
    (
      #"{"type":"array","items":{"type":"null"},"minItems":1,"maxItems":3}"#,
      #"{"type":"array","items":{"type":"null"},"minItems":1,"maxItems":3}"#
    ),
    (#"{"enum":["a",1,null,true]}"#, #"{"enum":["a",1,null,true]}"#),
    (
      #"{"const":"x","description":"d","examples":["x"]}"#,
      #"{"description":"d","enum":["x"],"examples":["x"]}"#
    ),
    (#"{"enum":["a","b"],"const":"b"}"#, #"{"enum":["b"]}"#),
    (#"{"type":"string","enum":["long","a",1],"maxLength":2}"#, #"{"enum":["a"]}"#),
    (#"{"enum":["long","a",1],"maxLength":2}"#, #"{"enum":["a",1]}"#),
    (#"{"type":"integer","enum":[1,1.5,2.0]}"#, #"{"enum":[1,2.0]}"#),
    (
      #"{"oneOf":[{"type":"string","format":"date"},{"type":"integer"}]}"#,
      #"{"anyOf":[{"type":"string","format":"date"},{"type":"integer"}]}"#
    ),
    (#"{"oneOf":[{"const":"a"},{"const":"b"}]}"#, #"{"enum":["a","b"]}"#),
    (
      #"{"anyOf":[{"enum":["a","b"]},{"enum":["b",null]},{"type":"number"}]}"#,
      #"{"anyOf":[{"enum":["a","b",null]},{"type":"number"}]}"#
    ),
    (
      ##"{"$ref":"#/$defs/a~1b/items","$defs":{"a/b":{"type":"array","items":{"$ref":"#/definitions/c%20d"}}},"definitions":{"c d":{"type":"boolean"}}}"##,
      #"{"type":"boolean"}"#
    ),
    (
      ##"{"$id":"https://a.example/s","type":"array","items":{"$ref":"https://a.example/s#/$defs/x","description":"d"},"$defs":{"x":{"type":"null","description":"e"}}}"##,
      #"{"type":"array","items":{"description":"d","type":"null"}}"#
    ),
    (
      #"{"type":"string","x-note":1,"default":"","readOnly":true,"uniqueItems":false}"#,
      #"{"type":"string"}"#
    ),
    (
      #"{"type":"object","patternProperties":{},"additionalProperties":{}}"#,
      #"{"type":"object","properties":{},"additionalProperties":false}"#
    ),
    (
      #"{"properties":{"$ref":{"type":"string"}}}"#,
      #"{"type":"object","properties":{"$ref":{"type":"string"}},"additionalProperties":false}"#
    ),
    (
      #"{"type":"integer","minimum":-9223372036854775808,"maximum":1e0}"#,
      #"{"type":"integer","minimum":-9223372036854775808,"maximum":1}"#
    ),
  ])
  func reads(text: String, normal: String) throws {
    #expect(try Schema(jsonSchema: text).jsonSchema() == normal)
    #expect(try Schema(jsonSchema: Data(text.utf8)).jsonSchema() == normal)
    #expect(try Schema(jsonSchema: normal).jsonSchema() == normal)
  }

  @Test(arguments: [
    ("pattern", #"{"type":"string","pattern":"a"}"#), ("pattern", #"{"pattern":"a"}"#),
    ("format", #"{"type":"string","format":"email"}"#),
    ("multipleOf", #"{"type":"number","multipleOf":2}"#),
    ("uniqueItems", #"{"type":"array","items":{"type":"null"},"uniqueItems":true}"#),
    ("items", #"{"type":"array","items":[{"type":"null"}]}"#),
    ("prefixItems", #"{"type":"array","prefixItems":[]}"#),
    ("contains", #"{"type":"array","items":{"type":"null"},"contains":{}}"#),
    ("patternProperties", #"{"type":"object","patternProperties":{"a":{}}}"#),
    ("additionalProperties", #"{"type":"object","additionalProperties":{"type":"null"}}"#),
    ("propertyNames", #"{"type":"object","propertyNames":{"maxLength":1}}"#),
    ("minProperties", #"{"type":"object","minProperties":1}"#),
    ("maxProperties", #"{"type":"object","maxProperties":1}"#),
    ("dependentRequired", #"{"type":"object","dependentRequired":{"a":["b"]}}"#),
    ("unevaluatedProperties", #"{"type":"object","unevaluatedProperties":false}"#),
    ("required", #"{"type":"object","required":["b"]}"#),
    ("allOf", #"{"allOf":[{"type":"null"}]}"#), ("not", #"{"type":"null","not":{}}"#),
    ("if", #"{"type":"null","if":{}}"#), ("$dynamicRef", ##"{"$dynamicRef":"#a"}"##),
    ("anyOf", #"{"anyOf":[{"type":"string"},{"const":"a"}]}"#),
    ("oneOf", #"{"oneOf":[{"type":"integer"},{"type":"number"}]}"#),
    ("oneOf", #"{"oneOf":[{"const":1},{"const":1.0}]}"#),
    ("type", #"{"type":"object","anyOf":[{"type":"null"}]}"#),
    ("oneOf", #"{"oneOf":[{"type":"null"}],"anyOf":[{"type":"null"}]}"#),
    ("enum", #"{"enum":[[1]]}"#), ("const", #"{"const":{}}"#),
    ("$ref", ##"{"type":"array","items":{"$ref":"#"}}"##),
    (
      "$ref",
      ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"array","items":{"$ref":"#/$defs/a"}}}}"##
    ),
    ("$ref", #"{"$ref":"https://b.example/s"}"#), ("$ref", ##"{"$ref":"#name"}"##),
    ("type", ##"{"$ref":"#/$defs/a","type":"null","$defs":{"a":{"type":"null"}}}"##),
    (
      "$ref",
      ##"{"type":"array","items":{"$id":"https://c.example","type":"array","items":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"null"}}}"##
    ),
    ("$schema", #"{"$schema":"http://json-schema.org/draft-03/schema#","type":"null"}"#),
    ("minimum", #"{"type":"number","minimum":1e400}"#),
    ("maxLength", #"{"type":"string","maxLength":99999999999999999999}"#),
    ("type", #"{}"#), ("any value", #"{"type":"array","items":true}"#),
    ("no value", #"{"type":"array","items":false}"#),
    ("items", #"{"type":"array"}"#), ("type", #"{"minLength":1,"minimum":1}"#),
  ])
  func refuses(word: String, text: String) throws {
    let error = try #require(throws: FoveaError.self) { try Schema(jsonSchema: text) }
    #expect(error.code == .unsupportedSchema)
    #expect(error.message.contains(word), "\(error)")
    #expect(error.message.contains(" #"), "\(error)")
    #expect(error.fix != nil, "\(error)")
  }

  @Test(arguments: [
    ("not JSON: line 1, column 9", #"{"type":}"#), ("is no type", #"{"type":"text"}"#),
    ("empty", #"{"type":[]}"#),
    ("is no type", #"{"type":null}"#), ("schema should be", "3"),
    ("schema should be", #"{"type":"array","items":"x"}"#),
    ("must be an object", #"{"type":"object","properties":[]}"#),
    ("must be an array", #"{"type":"object","required":true}"#),
    ("is no key", #"{"type":"object","required":[1]}"#),
    ("not declared", #"{"type":"object","required":["b"],"additionalProperties":false}"#),
    ("must be a boolean", #"{"type":"object","additionalProperties":1}"#),
    ("empty", #"{"enum":[]}"#),
    ("must be an array", #"{"enum":"a"}"#),
    ("none of its values", #"{"type":"integer","enum":["a"]}"#),
    ("none of its values", #"{"const":1,"enum":[2]}"#),
    ("at least 0", #"{"type":"string","minLength":-1}"#),
    ("whole number", #"{"type":"string","maxLength":1.5}"#),
    ("must be a number", #"{"type":"string","maxLength":"1"}"#),
    ("2 is greater than \"maxLength\", 1", #"{"type":"string","minLength":2,"maxLength":1}"#),
    (
      "2 is greater than \"maxItems\", 1",
      #"{"type":"array","items":{"type":"null"},"minItems":2,"maxItems":1}"#
    ),
    ("no number is left", #"{"type":"number","minimum":2,"maximum":1}"#),
    ("no number is left", #"{"type":"number","minimum":2,"exclusiveMaximum":2}"#),
    ("no number is left", #"{"type":"integer","minimum":0.1,"maximum":0.9}"#),
    ("no number is left", #"{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2}"#),
    ("must be a number", #"{"type":"number","minimum":"NaN"}"#),
    ("declare draft-04", #"{"type":"number","minimum":1,"exclusiveMinimum":true}"#),
    ("must be an array", #"{"anyOf":{}}"#), ("empty", #"{"oneOf":[]}"#),
    ("nothing at #/$defs/a", ##"{"$ref":"#/$defs/a"}"##),
    ("must be a string", #"{"$ref":1}"#), ("must be a string", #"{"type":"null","title":1}"#),
    ("has the length", #"{"type":"string","format":"date","maxLength":9}"#),
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
          ##"{"type":"object","properties":{"a/b":{"type":"array","items":{"$ref":"#/$defs/x"}}},"$defs":{"x":{"anyOf":[{"type":"null"},{"type":"string","pattern":"a"}]}}}"##
      )
    }
    #expect(error.message.contains("\"pattern\" at #/$defs/x/anyOf/1,"))
  }

  @Test(
    arguments: [
      (
        #"{"type":"string","minimum":1,"pattrn":"a"}"#,
        ["\"minimum\" has no effect", "\"pattrn\" is not a keyword"]
      ),
      (
        #"{"type":"integer","pattern":"a","nullable":true}"#,
        ["\"pattern\" has no effect", "\"nullable\" is not"]
      ),
      (#"{"minLength":1}"#, ["string is assumed"]), (#"{"type":"object"}"#, ["only {}"]),
      (#"{"enum":[1,1.0,"a"]}"#, ["1.0 twice"]),
      (#"{"type":"string","enum":[1,"a"]}"#, ["do not fit"]),
      (#"{"$schema":"https://example.com/mine","type":"null"}"#, ["draft 2020-12 is assumed"]),
      (
        ##"{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","type":"string","allOf":[],"definitions":{"a":{"type":"null"}}}"##,
        ["\"type\" beside \"$ref\"", "\"allOf\" beside \"$ref\""]
      ),
      (#"{"oneOf":[{"const":"a","title":"A"},{"const":"b"}]}"#, ["are left out"]),
      (
        #"{"type":"object","properties":{"a":{"type":"null"}},"required":["a","a"]}"#,
        ["\"a\" twice"]
      ),
      (#"{"type":"string","title":"t","x-a":1,"$comment":"c"}"#, []),
    ] as [(String, [String])])
  func warns(text: String, parts: [String]) throws {
    let warnings = try Schema.parse(jsonSchema: text).warnings
    #expect(warnings.count == parts.count, "\(warnings)")
    for (warning, part) in zip(warnings, parts) {
      #expect(warning.hasPrefix("#") && warning.contains(part), "\(warning)")
    }
  }

  @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
  func receiptSchema() throws {
    let file = SharedData.folder.appendingPathComponent(
      "receipts/text-receipts-annotations/SCHEMA.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    let error = try #require(throws: FoveaError.self) { try Schema(jsonSchema: text) }
    #expect(error.message.contains("\"pattern\" at #/properties/transaction/properties/time,"))
    // That is the only thing in it that is refused.
    let rest = text.replacingOccurrences(
      of: #""pattern": "^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$""#, with: #""maxLength": 8"#)
    let (schema, warnings) = try Schema.parse(jsonSchema: rest)
    #expect(warnings == [])
    guard case .object(let properties) = schema.kind else { return #expect(Bool(false)) }
    #expect(
      properties.map(\.name) == [
        "merchant", "transaction", "items", "summary", "ocr_metadata", "ocr_raw",
      ])
  }
}
