import Foundation
import FoveaTestSupport
import Testing

/// `fovea extract` on the embedded model, as a person runs it.
@Suite("fovea extract")
struct ExtractTests {
  private func receipt(_ index: Int = 0) throws -> URL {
    let pictures = try Material.pictures()
    return try #require(pictures.dropFirst(index).first)
  }

  private func truth(of picture: URL) throws -> NSDictionary {
    let url = picture.deletingPathExtension().appendingPathExtension("json")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? NSDictionary)
  }

  private func object(_ text: some StringProtocol) throws -> NSDictionary {
    try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary, "\(text)")
  }

  @Test("one receipt: its value on standard output, words on standard error")
  func one() throws {
    let picture = try receipt()
    let outcome = try Program.run(["extract", picture.path])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try object(outcome.output) == truth(of: picture))
    #expect(outcome.error.contains("embedded receipt reader"))
  }

  @Test(
    "what prompts begin with is kept in a folder, which is made",
    .enabled(
      if: Material.smolLM2 != nil,
      "needs SmolLM2 (`scripts/fetch-models smollm2`); `make test` fetches it"))
  func promptCache() throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let text = folder.appendingPathComponent("order.txt")
    try Data("CORNER SHOP\n2 Tea   4.80\nTotal   4.80".utf8).write(to: text)
    let schema = folder.appendingPathComponent("order.json")
    try Data(#"{"type":"object","properties":{"total":{"type":"number"}}}"#.utf8)
      .write(to: schema)
    let model = try #require(Material.smolLM2)
    let arguments = [
      "extract", text.path, "--model", model, "--schema", schema.path, "--context", "1024",
      "--verbose", "--prompt-cache",
    ]
    let cache = folder.appendingPathComponent("kept/prompts").path
    let first = try Program.run(arguments + [cache])
    #expect(first.code == 0, "\(first.error)")
    #expect(first.error.contains("tokens of the prompt evaluated and kept in '\(cache)'"))
    let second = try Program.run(arguments + [cache])
    #expect(second.error.contains("tokens of the prompt read from '\(cache)'"))
    #expect(second.output == first.output)
    let refused = try Program.run(arguments + [text.path])
    #expect(refused.code == 3)
    #expect(refused.output.isEmpty)
    #expect(refused.error.contains("Not a directory"), "\(refused.error)")
  }

  @Test("it runs from any folder")
  func anyFolder() throws {
    let outcome = try Program.run(
      ["extract", try receipt().path], in: URL(fileURLWithPath: "/"))
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  @Test("a folder with a broken file: a record for each, the others intact, the code tells")
  func folder() throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let picture = try receipt()
    let data = try Data(contentsOf: picture)
    try data.write(to: folder.appendingPathComponent("a.png"))
    try data.prefix(data.count / 2).write(to: folder.appendingPathComponent("b.png"))
    try data.write(to: folder.appendingPathComponent("c.png"))
    try Data("not a picture".utf8).write(to: folder.appendingPathComponent("notes.txt"))

    let output = folder.appendingPathComponent("out.jsonl")
    let outcome = try Program.run([
      "extract", folder.path, "--format", "jsonl", "--output", output.path,
    ])
    #expect(outcome.code == 3, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
    let records = try lines.map { try object($0) }
    #expect(records.count == 3)
    #expect(records.map { $0["value"] != nil } == [true, false, true])
    #expect((records[1]["error"] as? NSDictionary)?["code"] as? String == "invalidImage")
    #expect(try records[2]["value"] as? NSDictionary == truth(of: picture))
    let usage = try #require(records[0]["usage"] as? NSDictionary)
    #expect(usage["image_tokens"] as? Int ?? 0 > 0)
  }

  @Test("a single input that fails has its record too, where records are asked for")
  func failureRecord() throws {
    let outcome = try Program.run(["extract", "/nowhere.jpg", "--format", "jsonl"])
    #expect(outcome.code == 3, "\(outcome.error)")
    let record = try object(outcome.output)
    #expect(record["input"] as? String == "/nowhere.jpg")
    #expect((record["error"] as? NSDictionary)?["code"] as? String == "fileNotReadable")
  }

  @Test("a small limit of tokens gives a whole value, a warning and a mark in the record")
  func closedEarly() throws {
    let picture = try receipt().path
    let outcome = try Program.run(["extract", picture, "--max-tokens", "60"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(Set(try object(outcome.output).allKeys.compactMap { $0 as? String }).count == 4)
    #expect(outcome.error.contains("closed early"))
    let records = try Program.run(
      ["extract", picture, "--max-tokens", "60", "--format", "jsonl"])
    #expect(try object(records.output)["truncated_by_budget"] as? Bool == true)
    let whole = try Program.run(["extract", picture, "--format", "jsonl"])
    #expect(try object(whole.output)["truncated_by_budget"] as? Bool == false)
    #expect(!whole.error.contains("closed early"))
    let stream = try Program.run(["extract", picture, "--max-tokens", "60", "--stream"])
    #expect(stream.code == 0 && stream.error.contains("closed early"))
    #expect(try object(stream.output).count == 4)
  }

  @Test("several inputs as JSON: one array")
  func array() throws {
    let outcome = try Program.run(["extract", try receipt(0).path, try receipt(1).path])
    #expect(outcome.code == 0, "\(outcome.error)")
    let records = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [NSDictionary])
    #expect(records.count == 2)
    #expect(try records[1]["value"] as? NSDictionary == truth(of: receipt(1)))
  }

  @Test("records come in the order of the inputs, however many are evaluated together")
  func parallel() throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let pictures = try Material.pictures()
    for picture in pictures {
      try FileManager.default.copyItem(
        at: picture, to: folder.appendingPathComponent(picture.lastPathComponent))
    }
    let broken = try Data(contentsOf: receipt()).prefix(200)
    try broken.write(to: folder.appendingPathComponent("04-broken.png"))
    let names = (pictures.map(\.lastPathComponent) + ["04-broken.png"]).sorted()

    func records(parallel: Int) throws -> [NSDictionary] {
      let outcome = try Program.run([
        "extract", folder.path, "--format", "jsonl", "--parallel", "\(parallel)",
      ])
      #expect(outcome.code == 3, "\(outcome.error)")
      return try outcome.output.split(separator: "\n").map { line in
        let record = NSMutableDictionary()
        try record.setDictionary(object(line) as? [AnyHashable: Any] ?? [:])
        // How long it took, and what was known from inputs before, may differ.
        record.removeObjects(forKeys: ["timings", "usage"])
        return record
      }
    }
    let together = try records(parallel: 3)
    #expect(together.map { $0["input"] as? String } == names.map { "\(folder.path)/\($0)" })
    for (name, record) in zip(names, together) {
      let isBroken = name == "04-broken.png"
      #expect((record["error"] != nil) == isBroken)
      guard !isBroken else { continue }
      let picture = Material.receipts.appendingPathComponent(name)
      #expect(try record["value"] as? NSDictionary == truth(of: picture))
    }
    #expect(try records(parallel: 1) == together)
  }

  @Test("--stream prints the JSON as it is written")
  func stream() throws {
    let picture = try receipt()
    let outcome = try Program.run(["extract", picture.path, "--stream"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try object(outcome.output) == truth(of: picture))
    #expect(outcome.output.hasPrefix(#"{"vendor":"#))
  }

  @Test("a schema of one's own decides what is written")
  func ownSchema() throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let schema = folder.appendingPathComponent("schema.json")
    try Data(
      #"{"type":"object","properties":{"vendor":{"type":"string","maxLength":4},"paid":{"type":"boolean"}},"required":["vendor","paid"],"additionalProperties":false}"#
        .utf8
    ).write(to: schema)
    let outcome = try Program.run(["extract", try receipt().path, "--schema", schema.path])
    #expect(outcome.code == 0, "\(outcome.error)")
    let value = try object(outcome.output)
    #expect(outcome.error.contains("only knows receipts"))
    #expect(Set(value.allKeys.compactMap { $0 as? String }) == ["vendor", "paid"])
    #expect((value["vendor"] as? String)?.count ?? 99 <= 4)
  }

  @Test("a picture on standard input")
  func standardInput() throws {
    let picture = try receipt()
    let outcome = try Program.run(["extract", "-"], input: Data(contentsOf: picture))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try object(outcome.output) == truth(of: picture))
  }

  @Test("the embedded model does not pretend to read text")
  func embeddedModelOnText() throws {
    let outcome = try Program.run(["extract", "-"], input: Data("TOTAL 3.50\n".utf8))
    #expect(outcome.code == 4)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains("give a model with --model"))
  }

  @Test(
    "text with a real language model",
    .enabled(
      if: Material.smolLM2 != nil,
      "needs SmolLM2 (`scripts/fetch-models smollm2`); `make test` fetches it"))
  func text() throws {
    let model = try #require(Material.smolLM2)
    let schema = Material.root.appendingPathComponent("Examples/schemas/order.json").path
    let outcome = try Program.run(
      ["extract", "-", "--model", model, "--schema", schema, "--threads", "1"],
      input: Data("Order of 2026-11-30 by Ada: 3 lamps at 9.90 each, please be quick.\n".utf8))
    #expect(outcome.code == 0, "\(outcome.error)")
    let value = try object(outcome.output)
    #expect(["low", "normal", "high"].contains(value["priority"] as? String))
    #expect((value["lines"] as? [Any])?.isEmpty == false)
  }

  @Test("Ctrl-C keeps the records that are there and ends with 130")
  func interruption() throws {
    let pictures = try Material.pictures().map(\.path)
    let many = Array(repeating: pictures, count: 200).flatMap { $0 }
    let outcome = try Program.run(
      ["extract"] + many + ["--format", "jsonl"], interruptAfter: 3)
    #expect(outcome.code == 130, "\(outcome.error)")
    let lines = outcome.output.split(separator: "\n")
    #expect(!lines.isEmpty && lines.count < many.count)
    for line in lines { #expect(try object(line)["value"] != nil) }
  }

  @Test("help, version, schema and completion")
  func pages() throws {
    for command in ["extract", "chat", "schema", "bench", "completion"] {
      let page = try Program.run([command, "--help"])
      #expect(page.code == 0)
      #expect(page.output.contains("examples:") && page.output.contains("fovea \(command)"))
    }
    let overview = try Program.run(["--help"])
    #expect(overview.code == 0 && overview.output.contains("Exit codes"))
    #expect(try Program.run(["--version"]).output.hasPrefix("fovea "))
    let schema = try object(try Program.run(["schema", "--type", "receipt", "--json"]).output)
    #expect(schema["additionalProperties"] as? Bool == false)
    for shell in ["bash", "zsh", "fish"] {
      let script = try Program.run(["completion", shell])
      #expect(script.code == 0 && script.output.contains("fovea"))
      #expect(script.output.contains(shell == "fish" ? "-l parallel -r" : "--parallel"))
    }
  }
}
