import Testing

@testable import Fovea

@Suite("Schema validator")
struct SchemaValidationTests {
  private static let receipt = ##"""
    {"type":"object","properties":{
      "vendor":{"type":"string","minLength":1,"maxLength":3},
      "day":{"type":"string","format":"date"},
      "a/b~c":{"type":"array","minItems":1,"maxItems":2,"items":{
        "type":"object","properties":{"price":{"type":"number","minimum":0,"exclusiveMaximum":0.3}},
        "required":["price"]}},
      "count":{"type":["integer","null"],"maximum":9007199254740992},
      "level":{"enum":["low",1.50,null]}
    },"required":["vendor","day"]}
    """##

  @Test(
    arguments: [
      (#"{"vendor":"é😀e","day":"2024-02-29"}"#, nil),
      (#"{"day":"2024-02-29","count":1.0,"vendor":"a","level":1.5}"#, nil),
      (#"{"vendor":"a","day":"2024-02-29","a/b~c":[{"price":0.29999999999999999999999999}]}"#, nil),
      (#"{"vendor":"a","day":"2024-02-29","count":9007199254740992}"#, nil),
      (
        #"{"vendor":"a","day":"2024-02-29","count":9007199254740993}"#,
        "/count is 9007199254740993, which is more than 9007199254740992"
      ),
      (
        #"{"vendor":"a","day":"2024-02-29","count":1.5}"#,
        "/count is 1.5, not a whole number"
      ),
      (#"{"vendor":"a","day":"2023-02-29"}"#, "/day is \"2023-02-29\", which does not match"),
      (#"{"vendor":"","day":"2024-02-29"}"#, "/vendor has 0 characters, fewer than 1"),
      (#"{"vendor":"abcd","day":"2024-02-29"}"#, "/vendor has 4 characters, more than 3"),
      (#"{"vendor":"a"}"#, "the value lacks the required key \"day\""),
      // Objects are open where nothing is said.
      (#"{"vendor":"a","day":"2024-02-29","x":1}"#, nil),
      (#"{"vendor":"a","day":"2024-02-29","a/b~c":[]}"#, "/a~1b~0c has 0 items, fewer than 1"),
      (
        #"{"vendor":"a","day":"2024-02-29","a/b~c":[{"price":0.1},{"price":0.3}]}"#,
        "/a~1b~0c/1/price is 0.3, which is not less than 0.3"
      ),
      (
        #"{"vendor":"a","day":"2024-02-29","a/b~c":[{"price":-1e-30}]}"#,
        "/a~1b~0c/0/price is -1e-30, which is less than 0"
      ),
      (
        #"{"vendor":"a","day":"2024-02-29","level":"high"}"#,
        "/level is \"high\", which does not match"
      ),
      (#"{"vendor":null,"day":"2024-02-29"}"#, "/vendor is null, not a string"),
      (
        #"{"vendor":"a","day":"2024-02-29","count":"1"}"#,
        "/count is \"1\", not null or a number"
      ),
      (#"[]"#, "the value is [], not an object"),
    ] as [(String, String?)])
  func says(text: String, violation: String?) throws {
    let schema = try Schema(jsonSchema: Self.receipt)
    let value = try JSONValue(parsing: text)
    let found = schema.violation(of: value)
    #expect(schema.accepts(value) == (violation == nil))
    if let violation {
      #expect(found?.hasPrefix(violation) ?? false, "\(found ?? "accepted")")
    } else {
      #expect(found == nil)
    }
  }

  @Test func optionalsReportWhatIsWrongInside() throws {
    let schema = try Schema(
      jsonSchema: ##"{"anyOf":[{"type":"array","items":{"type":"null"}},{"type":"null"}]}"##)
    let violation = schema.violation(of: .array([.null, .boolean(true)]))
    #expect(violation?.hasPrefix("/1 is true, not null") ?? false, "\(violation ?? "none")")
  }

  @Test func aRepeatedKeyIsAViolation() {
    let schema = Schema(.object([.init("a", Schema(.null))]))
    let value = JSONValue.object([.init("a", .null), .init("a", .null)])
    #expect(schema.violation(of: value)?.contains("twice") ?? false)
  }
}
