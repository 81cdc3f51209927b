import Foundation
import Testing

/// `fovea schema`, as a person runs it.
@Suite("The schema command")
struct SchemaTests {
  static let order = """
    {"type": "object", "required": ["id", "lines"], "additionalProperties": false, "properties": {
      "id": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$"},
      "lines": {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 5}},
      "note": {"type": "string"}}}
    """

  /// Runs the command with a schema in a file, and perhaps a value in another.
  func run(
    _ arguments: [String], schema: String = SchemaTests.order, value: String? = nil,
    input: String? = nil
  ) throws -> Program.Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try schema.write(
      to: folder.appendingPathComponent("order.json"), atomically: true, encoding: .utf8)
    try value?.write(
      to: folder.appendingPathComponent("value.json"), atomically: true, encoding: .utf8)
    return try Program.run(
      ["schema"] + arguments, input: input.map { Data($0.utf8) }, in: folder)
  }

  /// The lines under a title.
  func instances(_ output: String, under title: String) -> [String] {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(where: { $0.hasPrefix(title) }) else { return [] }
    return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
  }

  @Test("the normal form, the sizes, the shortest instance and some by chance")
  func shows() throws {
    let outcome = try run(["order.json", "--examples", "5", "--seed", "7"])
    #expect(outcome.code == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.contains(#""id"        required  string like "AA-000""#))
    #expect(outcome.output.contains("whole number ≥ 5"))
    #expect(outcome.output.contains("shortest instance, 27 bytes:"))
    #expect(
      instances(outcome.output, under: "shortest instance") == [#"{"id":"AA-000","lines":[5]}"#])
    let examples = instances(outcome.output, under: "instances by chance")
    #expect(examples.count == 5 && Set(examples).count > 1)
    for example in examples {
      #expect(try run(["--check", "order.json"], input: example).output == "valid\n")
    }
    #expect(try run(["order.json", "--examples", "5", "--seed", "7"]).output == outcome.output)
    #expect(try run(["order.json", "--examples", "5", "--seed", "8"]).output != outcome.output)
  }

  @Test("--json is the schema, --outline what prompts show of it")
  func json() throws {
    let outcome = try run(["order.json", "--json"])
    #expect(outcome.code == 0)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    #expect((object as? [String: Any])?["type"] as? String == "object")
    #expect(outcome.output.contains("^[A-Z]{2}-[0-9]{3}$"))
    #expect(
      try run(["order.json", "--outline"]).output == """
        {
          "id": string, // matches /^[A-Z]{2}-[0-9]{3}$/
          "lines": [ // at least 1 items
            integer // at least 5
          ],
          "note"?: string
        }

        """)
    #expect(try run(["order.json", "--outline", "--json"]).code == 2)
  }

  @Test("blanks and the order of keys")
  func policies() throws {
    #expect(
      instances(
        try run(["order.json", "--whitespace", "spaced"]).output, under: "shortest instance")
        == [#"{"id": "AA-000", "lines": [5]}"#])
    #expect(
      instances(
        try run(["order.json", "--whitespace", "pretty"]).output, under: "shortest instance")
        == ["{", #"  "id": "AA-000","#, #"  "lines": ["#, "    5", "  ]", "}"])
    let any = try run(["order.json", "--key-order", "any", "--examples", "40"])
    let examples = instances(any.output, under: "instances by chance")
    #expect(examples.contains { $0.hasPrefix(#"{"lines""#) })
  }

  @Test("--check says what is wrong and where")
  func checks() throws {
    let valid = try run(
      ["--check", "order.json", "value.json"], value: #"{"lines": [5e0], "id": "DE-123"}"#)
    #expect(valid.code == 0 && valid.output == "valid\n")
    let invalid = try run(
      ["--check", "order.json", "value.json"], value: #"{"id": "DE-123", "lines": [7, 4]}"#)
    #expect(invalid.code == 1 && invalid.error == "")
    #expect(invalid.output.hasPrefix("invalid: /lines/1 is 4"), "\(invalid.output)")
    let cut = try run(["--check", "order.json"], input: #"{"id": "DE-1"#)
    #expect(cut.code == 1)
    #expect(cut.output.hasPrefix("invalid: the text is not JSON"), "\(cut.output)")
    let receipt = try run(["--check", "--type", "receipt", "value.json"], value: "{}")
    #expect(receipt.code == 1 && receipt.output.contains("vendor"), "\(receipt.output)")
    let missing = try run(["--check", "order.json", "nowhere.json"])
    #expect(missing.code == 3 && missing.error.contains("the value 'nowhere.json'"))
  }

  @Test("a refusal names file, place, keyword, reason and fix")
  func refusals() throws {
    let cases: [(schema: String, says: [String])] = [
      (
        #"{"properties": {"a": {"type": "array", "maxContains": 2, "contains": {"const": 1}}}}"#,
        ["order.json: ", #""maxContains" at #/properties/a"#, "cannot be enforced", "maxItems"]
      ),
      (#"{"type": "string", "pattern": "(?<=a)b"}"#, [#""pattern" at #"#, "look-behind"]),
      (#"{"type": "string", "format": "colour"}"#, [#""format" at #"#, #""colour""#]),
      (#"{"type": "strin"}"#, [#""type" at #"#]),
      ("{", ["order.json: ", "is not JSON", "line 1"]),
      (#"{"$ref": "https://example.com/a.json"}"#, ["https://example.com/a.json"]),
      (
        ##"{"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}}"##,
        ["order.json: "]
      ),
    ]
    for (schema, says) in cases {
      let outcome = try run(["order.json"], schema: schema)
      #expect(outcome.code == 3 && outcome.output == "", "\(schema): \(outcome)")
      #expect(outcome.errorLines.count == 1, "\(outcome.error)")
      for text in says { #expect(outcome.error.contains(text), "\(schema): \(outcome.error)") }
    }
  }

  @Test("what has no effect is a warning, and an error with --strict")
  func warnings() throws {
    let schema = #"{"type": "integer", "minimun": 3}"#
    let outcome = try run(["order.json"], schema: schema)
    #expect(outcome.code == 0 && outcome.output.contains("whole number"))
    #expect(outcome.error.hasPrefix("fovea: warning: order.json: #: \"minimun\""))
    #expect(outcome.error.contains("did you mean \"minimum\""))
    let strict = try run(["order.json", "--strict"], schema: schema)
    #expect(strict.code == 3 && strict.error.contains("\"minimun\""))
  }

  @Test("the choices that a schema leaves open")
  func choices() throws {
    let cases: [(option: [String], schema: String, warns: String)] = [
      (["--unknown-formats", "annotate"], #"{"type": "string", "format": "colour"}"#, "colour"),
      (
        ["--unique", "ignore"],
        #"{"type": "array", "uniqueItems": true, "items": {"type": "object"}}"#, "uniqueItems"
      ),
      (
        ["--one-of", "any-of"],
        #"{"oneOf": [{"type": "object"}, {"additionalProperties": {"type": "string"}}]}"#, "oneOf"
      ),
    ]
    for (option, schema, warns) in cases {
      let refused = try run(["order.json"], schema: schema)
      #expect(refused.code == 3 && refused.error.contains(warns), "\(refused.error)")
      let outcome = try run(option + ["order.json"], schema: schema)
      #expect(outcome.code == 0 && outcome.error.contains("warning"), "\(outcome)")
      #expect(outcome.error.contains(warns))
    }
  }

  @Test("command lines that make no sense")
  func usage() throws {
    for arguments in [
      ["order.json", "value.json"], ["--check", "order.json", "value.json", "more"],
      ["--check", "--json", "order.json"], ["--check", "-"], ["--examples", "-1", "order.json"],
      ["--whitespace", "some", "order.json"],
    ] {
      let outcome = try run(arguments)
      #expect(outcome.code == 2, "\(arguments): \(outcome)")
      #expect(outcome.error.contains("fovea schema --help"), "\(outcome.error)")
    }
  }

  @Test("extract reads a schema by the same choices, before it loads a model")
  func extract() throws {
    let schema = #"{"type": "string", "format": "colour"}"#
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try schema.write(
      to: folder.appendingPathComponent("colour.json"), atomically: true, encoding: .utf8)
    let arguments = ["extract", "nowhere.jpg", "--schema", "colour.json"]
    let refused = try Program.run(arguments, in: folder)
    #expect(refused.code == 3 && refused.error.contains("colour.json: \"format\""))
    let read = try Program.run(arguments + ["--unknown-formats", "annotate"], in: folder)
    #expect(read.code == 3 && read.error.contains("warning: colour.json"), "\(read.error)")
    #expect(read.error.contains("nowhere.jpg"))
  }
}
