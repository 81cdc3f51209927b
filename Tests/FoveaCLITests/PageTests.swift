import Foundation
import FoveaTestSupport
import Testing

/// Documents and damaged pictures as inputs of `fovea extract`.
@Suite("fovea extract: pages and damage")
struct PageTests {
  private func records(_ outcome: Program.Outcome) throws -> [NSDictionary] {
    try outcome.output.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary, "\(line)")
    }
  }

  private let document = Data(
    PDFFile(pages: [.init([1, 0, 0]), .init([0, 1, 0]), .init([0, 0, 1])]).bytes)

  @Test("each page of a PDF is an input; a number takes one; a folder has documents too")
  func pages() throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let path = folder.appendingPathComponent("scan.pdf").path
    try document.write(to: URL(fileURLWithPath: path))
    let receipt = try #require(try Material.pictures().first)
    try FileManager.default.copyItem(at: receipt, to: folder.appendingPathComponent("z.png"))

    let numbers = ["[1]", "[2]", "[3]"]
    for (operand, names) in [
      (path, numbers.map { path + $0 }), (path + "[2]", [path + "[2]"]),
      (folder.path, numbers.map { path + $0 } + [folder.path + "/z.png"]),
    ] {
      let outcome = try Program.run(["extract", operand, "--format", "jsonl"])
      #expect(outcome.code == 0, "\(outcome.error)")
      let records = try records(outcome)
      #expect(records.map { $0["input"] as? String } == names)
      #expect(records.allSatisfy { $0["value"] != nil && $0["damage"] == nil })
    }
    let outcome = try Program.run(["extract", "-", "--format", "jsonl"], input: document)
    #expect(try records(outcome).map { $0["input"] as? String } == numbers.map { "-" + $0 })
  }

  @Test("a file whose name looks like a page is a file")
  func literalName() throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let receipt = try #require(try Material.pictures().first)
    for name in ["scan.png", "scan.png[7]"] {
      try FileManager.default.copyItem(at: receipt, to: folder.appendingPathComponent(name))
    }
    let path = folder.appendingPathComponent("scan.png[7]").path
    #expect(try Program.run(["extract", path]).code == 0)
    #expect(
      try Program.run(["extract", folder.appendingPathComponent("scan.png[8]").path]).code == 2)
  }

  @Test("what there is of a damaged picture is used where allowed, with a warning and a mark")
  func damage() throws {
    let receipt = try Data(contentsOf: try #require(try Material.pictures().first))
    let cut = receipt.prefix(receipt.count * 9 / 10)
    let refused = try Program.run(["extract", "-"], input: cut)
    #expect(refused.code == 3 && refused.output.isEmpty)
    #expect(refused.error.contains("--allow-damaged"))
    let arguments = ["extract", "-", "--allow-damaged", "--format", "jsonl"]
    let outcome = try Program.run(arguments, input: cut)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("warning: the image standard input is damaged"))
    let record = try #require(try records(outcome).first)
    let words = (record["damage"] as? NSDictionary)?["message"] as? String
    #expect(words?.contains("rows are used") == true)
    #expect(record["value"] != nil)
    let whole = try Program.run(arguments, input: receipt)
    #expect(try records(whole).first?["damage"] == nil && !whole.error.contains("warning"))
  }
}
