import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// Public corpora: of whatever schema is accepted, no invalid value may be.
///
/// The numbers are ratchets: lower them when more is supported, never raise them.
@Suite("Schema corpora", .enabled(if: SharedData.isPresent, SharedData.missing))
struct SchemaCorpusTests {
  private struct Tally {
    var schemas = 0
    var refused = 0
    var invalidAccepted: [String] = []
    var validRejected: [String] = []

    mutating func add(_ name: String, _ schema: JSONValue, _ tests: JSONValue?) throws {
      guard case .array(let tests)? = tests else {
        throw FoveaError(.invalidArgument, "\(name) has no tests")
      }
      schemas += 1
      let compiled: Schema
      do {
        compiled = try Schema(jsonSchema: schema.text)
      } catch {
        refused += 1
        #expect(error.code == .unsupportedSchema || error.code == .invalidSchema, "\(name)")
        #expect(error.message.contains("#"), "\(name): no JSON pointer in \(error.message)")
        return
      }
      let written = compiled.jsonSchema()
      #expect(throws: Never.self, "\(name)") {
        let again = try Schema(jsonSchema: written)
        #expect(again == compiled, "\(name)")
      }
      for test in tests {
        guard let value = test[name: "data"] else { continue }
        let violation = compiled.violation(of: value)
        let isValid = test[name: "valid"] == .boolean(true)
        if violation == nil, !isValid { invalidAccepted.append("\(name): \(value.excerpt)") }
        if let violation, isValid { validRejected.append("\(name): \(violation)") }
      }
    }
  }

  @Test func realSchemas() throws {
    var tally = Tally()
    for file in SharedData.files(below: "structured/maskbench", extensions: ["jsonl"]) {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let line = try JSONValue(parsing: String(line))
        let schema = try #require(line[name: "schema"])
        try tally.add(line[name: "id"]?.text ?? file.path, schema, line[name: "tests"])
      }
    }
    #expect(tally.schemas == 1486)
    #expect(tally.invalidAccepted == [])
    #expect(tally.refused <= 715)
    // Objects are closed; all other valid values are accepted.
    #expect(tally.validRejected.count <= 89)
    for rejection in tally.validRejected {
      #expect(
        rejection.contains("that is not declared")
          || rejection.contains("which is none of: an object"))
    }
  }

  @Test(arguments: [
    ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ("draft2019-09", "https://json-schema.org/draft/2019-09/schema"),
    ("draft7", "http://json-schema.org/draft-07/schema#"),
    ("draft4", "http://json-schema.org/draft-04/schema#"),
  ])
  func testSuite(draft: String, uri: String) throws {
    let root = "structured/json-schema-test-suite"
    let files =
      SharedData.files(below: "\(root)/\(draft)", extensions: ["json"])
      + SharedData.files(below: "\(root)/tests/\(draft)", extensions: ["json"])
    var tally = Tally()
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard case .array(let groups) = try JSONValue(parsing: text) else { continue }
      for group in groups {
        var schema = try #require(group[name: "schema"])
        // The suite's folders say the draft, and most of its schemas do not.
        if case .object(let members) = schema, schema[name: "$schema"] == nil {
          schema = .object([.init("$schema", .string(uri))] + members)
        }
        let name = "\(file.lastPathComponent) \(group[name: "description"]?.text ?? "")"
        try tally.add(name, schema, group[name: "tests"])
      }
    }
    #expect(tally.schemas > 150)
    // Later drafts call 1.0 an integer, draft-04 does not. The grammar never writes it.
    tally.invalidAccepted.removeAll { $0.hasPrefix("zeroTerminatedFloats.json") }
    #expect(tally.invalidAccepted == [])
  }
}
