internal import Foundation
package import Fovea

extension Corpus {
  /// The dialects of the JSON Schema test suite that are run.
  package static let drafts = ["draft2020-12", "draft2019-09", "draft7", "draft4"]

  /// All corpora that are here; the public ones are missing where nobody fetched them.
  package static func all() throws -> [Corpus] {
    try maskBench() + [faults()] + drafts.flatMap(testSuite)
  }

  /// The splits of MaskBench: real schemas, one in a line. Most of their values have the keys in
  /// declared order, but a schema allows any.
  package static func maskBench() throws -> [Corpus] {
    try SharedData.files(below: "structured/maskbench", extensions: ["jsonl"]).map { file in
      var corpus = Corpus(
        name: "maskbench/\(file.deletingPathExtension().lastPathComponent)", entries: [],
        keys: .any)
      for line in try lines(of: file) {
        guard let schema = line[name: "schema"], case .string(let id)? = line[name: "id"] else {
          throw FoveaError(.invalidArgument, "\(file.path) is not in the sample's form")
        }
        corpus.entries.append(
          Entry(name: id, schema: schema, instances: instances(line[name: "tests"])))
      }
      return corpus
    }
  }

  /// Minimal cases in the spirit of public bug reports, written for Fovea. Their values are texts,
  /// some with one blank after a comma or colon.
  package static func faults() throws -> Corpus {
    let file = Material.root.appendingPathComponent("Tests/Conformance/faults.jsonl")
    var corpus = Corpus(
      name: "faults", entries: [], whitespaces: [.compact, .spaced], keys: .any)
    for line in try lines(of: file) {
      guard let schema = line[name: "schema"], case .string(let id)? = line[name: "id"],
        case .array(let documents)? = line[name: "docs"]
      else { throw FoveaError(.invalidArgument, "a line of \(file.path) is no case") }
      let instances = documents.map { document in
        let text = document[name: "text"]?.string ?? ""
        return Instance(
          // Texts that are no JSON are among the cases.
          text: text, value: try? JSONValue(parsing: text),
          isValid: document[name: "valid"] == .boolean(true), description: "")
      }
      corpus.entries.append(Entry(name: id, schema: schema, instances: instances))
    }
    return corpus
  }

  /// A dialect of the JSON Schema test suite, in its main part and its optional one.
  package static func testSuite(_ draft: String) throws -> [Corpus] {
    let root = "structured/json-schema-test-suite"
    let files =
      SharedData.files(below: "\(root)/\(draft)", extensions: ["json"])
      + SharedData.files(below: "\(root)/tests/\(draft)", extensions: ["json"])
    var main = Corpus(name: "suite/\(draft)", entries: [], keys: .any)
    var optional = Corpus(name: "suite/\(draft)/optional", entries: [], keys: .any)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard case .array(let groups) = try JSONValue(parsing: text) else { continue }
      for group in groups {
        guard var schema = group[name: "schema"] else { continue }
        // The suite's folders say the dialect, and most of its schemas do not.
        if case .object(let members) = schema, schema[name: "$schema"] == nil {
          schema = .object([.init("$schema", .string(uri(of: draft)))] + members)
        }
        let place = file.pathComponents.drop { $0 != draft }.dropFirst().joined(separator: "/")
        let entry = Entry(
          name: "\(place): \(group[name: "description"]?.string ?? "")", schema: schema,
          instances: instances(group[name: "tests"]))
        if place.hasPrefix("optional/") {
          optional.entries.append(entry)
        } else {
          main.entries.append(entry)
        }
      }
    }
    return [main, optional].filter { !$0.entries.isEmpty }
  }

  private static func uri(of draft: String) -> String {
    switch draft {
    case "draft4", "draft6", "draft7": "http://json-schema.org/draft-0\(draft.suffix(1))/schema#"
    default: "https://json-schema.org/draft/\(draft.dropFirst(5))/schema"
    }
  }

  private static func instances(_ tests: JSONValue?) -> [Instance] {
    guard case .array(let tests)? = tests else { return [] }
    return tests.compactMap { test in
      guard let value = test[name: "data"] else { return nil }
      return Instance(
        text: value.text, value: value, isValid: test[name: "valid"] == .boolean(true),
        description: test[name: "description"]?.string ?? test[name: "why"]?.string ?? "")
    }
  }

  private static func lines(of file: URL) throws -> [JSONValue] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      try JSONValue(parsing: String($0))
    }
  }
}

extension JSONValue {
  /// The text of a string; nil for every other value.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
