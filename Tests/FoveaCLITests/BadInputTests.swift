import Foundation
import FoveaTestSupport
import Testing

/// What a person gets who gives the program something wrong: one clear line with the fix, and the
/// right exit code.
@Suite("Bad input")
struct BadInputTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    /// `{…}` are replaced: FOLDER by a temporary folder, MODEL, PROJECTOR, RECEIPT by real files.
    let arguments: [String]
    let code: Int32
    /// Each must stand in the line.
    let says: [String]

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "wrong model path",
      arguments: ["extract", "{RECEIPT}", "--model", "{FOLDER}/nowhere.gguf"], code: 4,
      says: ["nowhere.gguf", "cannot be read", "No such file", "check the path"]),
    Case(
      name: "a text file as model",
      arguments: ["extract", "{RECEIPT}", "--model", "{FOLDER}/text.txt"], code: 4,
      says: ["text.txt", "not a GGUF file", "begins with the text", "GGUF format"]),
    Case(
      name: "a truncated model",
      arguments: ["extract", "{RECEIPT}", "--model", "{FOLDER}/truncated.gguf"], code: 4,
      says: ["truncated.gguf", "fetch the file again"]),
    Case(
      name: "a projector as model", arguments: ["extract", "{RECEIPT}", "--model", "{PROJECTOR}"],
      code: 4, says: ["is a projector (mmproj), not a model"]),
    Case(
      name: "a model as projector",
      arguments: ["extract", "{RECEIPT}", "--model", "{MODEL}", "--projector", "{MODEL}"], code: 4,
      says: ["is not a projector but a model", "give the mmproj file"]),
    Case(
      name: "a picture for a model without projector",
      arguments: ["extract", "{RECEIPT}", "--model", "{MODEL}"], code: 4,
      says: ["cannot see images", "mmproj"]),
    Case(
      name: "a missing image", arguments: ["extract", "{FOLDER}/nowhere.jpg"], code: 3,
      says: ["nowhere.jpg", "cannot be read", "No such file"]),
    Case(
      name: "an image of 0 bytes", arguments: ["extract", "{FOLDER}/empty.png"], code: 3,
      says: ["empty.png", "empty"]),
    Case(
      name: "a truncated image", arguments: ["extract", "{FOLDER}/truncated.png"], code: 3,
      says: ["truncated.png"]),
    Case(
      name: "a truncated image of which nothing is left",
      arguments: ["extract", "{FOLDER}/truncated.jpg", "--allow-damaged"], code: 3,
      says: ["truncated.jpg", "nothing of it can be decoded"]),
    Case(
      name: "an image beyond a limit",
      arguments: ["extract", "{RECEIPT}", "--max-pixels", "100"], code: 3,
      says: ["more than the limit of 100", "--max-pixels"]),
    Case(
      name: "a page that a document does not have",
      arguments: ["extract", "{FOLDER}/two.pdf[3]"], code: 2,
      says: ["two.pdf[3]", "2 pages", "from 1 to 2"]),
    Case(
      name: "a document of too many pages",
      arguments: ["extract", "{FOLDER}/two.pdf", "--max-pages", "1"], code: 3,
      says: ["2 pages", "limit of 1", "--max-pages"]),
    Case(
      name: "a damaged document", arguments: ["extract", "{FOLDER}/cut.pdf"], code: 3,
      says: ["cut.pdf", "damaged or cut short"]),
    Case(
      name: "bytes that are no image", arguments: ["extract", "{FOLDER}/noise.jpg"], code: 3,
      says: ["noise.jpg"]),
    Case(
      name: "an empty folder", arguments: ["extract", "{FOLDER}/void"], code: 3,
      says: ["void", "no pictures"]),
    Case(
      name: "a schema that is no JSON",
      arguments: ["extract", "{RECEIPT}", "--schema", "{FOLDER}/text.txt"], code: 3,
      says: ["text.txt", "line 1"]),
    Case(
      name: "a schema that cannot be enforced",
      arguments: ["extract", "{RECEIPT}", "--schema", "{FOLDER}/pattern.json"], code: 3,
      says: ["pattern", "/properties/a"]),
    Case(
      name: "a missing schema",
      arguments: ["extract", "{RECEIPT}", "--schema", "{FOLDER}/nowhere.json"], code: 3,
      says: ["nowhere.json", "cannot be read"]),
    Case(
      name: "a type that does not exist", arguments: ["extract", "{RECEIPT}", "--type", "invoice"],
      code: 2, says: ["invoice", "receipt"]),
    Case(name: "no input", arguments: ["extract"], code: 2, says: ["no input", "--help"]),
    Case(
      name: "a misspelt option", arguments: ["extract", "{RECEIPT}", "--shema", "x"], code: 2,
      says: ["--shema", "did you mean '--schema'"]),
    Case(
      name: "a projector without a model",
      arguments: ["extract", "{RECEIPT}", "--projector", "{PROJECTOR}"], code: 2,
      says: ["needs '--model'"]),
    Case(
      name: "nothing at a time", arguments: ["extract", "{RECEIPT}", "--parallel", "0"], code: 2,
      says: ["'--parallel' needs a whole number from 1 to 64, not '0'"]),
    Case(
      name: "standard input twice", arguments: ["extract", "-", "{RECEIPT}", "-"], code: 2,
      says: ["standard input", "only once"]),
    Case(name: "an unknown command", arguments: ["extrct"], code: 2, says: ["unknown command"]),
    Case(name: "no command", arguments: [], code: 2, says: ["no command", "--help"]),
    Case(
      name: "an answer that is cut",
      arguments: ["extract", "{RECEIPT}", "--max-tokens", "10"], code: 5,
      says: ["cut after 10 tokens", "--max-tokens", "54 tokens are always enough"]),
    Case(
      name: "a limit that no answer keeps to",
      arguments: ["extract", "{RECEIPT}", "--max-tokens", "1"], code: 5,
      says: ["takes at least", "the limit is 1", "54 tokens are always enough"]),
    Case(
      name: "an output file that cannot be written",
      arguments: ["extract", "{RECEIPT}", "--output", "{FOLDER}/nowhere/out.json"], code: 3,
      says: ["out.json", "cannot write"]),
    Case(
      name: "a context that is too small for the picture",
      arguments: [
        "extract", "{LONG}", "--model", "{MODEL}", "--projector", "{PROJECTOR}", "--context",
        "64",
      ], code: 5, says: ["tokens", "larger context"]),
    Case(
      name: "a grammar that is malformed",
      arguments: ["chat", "Hi", "-m", "{MODEL}", "--grammar", "{FOLDER}/undefined.gbnf"], code: 3,
      says: ["undefined.gbnf", "line 1, column 10", "'item' is not defined", "quotes"]),
    Case(
      name: "a grammar that is left-recursive",
      arguments: ["chat", "Hi", "-m", "{MODEL}", "--grammar", "{FOLDER}/left.gbnf"], code: 3,
      says: ["left.gbnf", "left-recursive", "expr → term → expr", "c b*"]),
    Case(
      name: "a missing grammar",
      arguments: ["chat", "Hi", "-m", "{MODEL}", "--grammar", "{FOLDER}/nowhere.gbnf"], code: 3,
      says: ["nowhere.gbnf", "cannot be read", "No such file"]),
    Case(
      name: "a regular expression that nothing matches",
      arguments: ["chat", "Hi", "-m", "{MODEL}", "--regex", "[a"], code: 3,
      says: ["regular expression", "\"[a\""]),
    Case(
      name: "a choice among nothing",
      arguments: ["chat", "Hi", "-m", "{MODEL}", "--choice", ","], code: 2, says: ["--choice"]),
    Case(
      name: "two constraints",
      arguments: ["chat", "Hi", "-m", "{MODEL}", "--choice", "a,b", "--regex", "a"], code: 2,
      says: ["'--choice' and '--regex' exclude each other"]),
    Case(name: "chat without a model", arguments: ["chat", "Hi"], code: 2, says: ["--model"]),
  ]

  @Test("one clear line, the fix, and the right exit code", arguments: cases)
  func badInput(bad: Case) throws {
    let folder = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let arguments = try bad.arguments.map { try Self.fill($0, folder: folder) }
    let outcome = try Program.run(arguments)
    #expect(outcome.code == bad.code, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    let errors = outcome.errorLines.filter { $0.hasPrefix("fovea: error: ") }
    #expect(errors.count == 1, "\(outcome.error)")
    for text in bad.says { #expect(errors.first?.contains(text) == true, "\(outcome.error)") }
  }

  @Test(
    "a projector of another model",
    .enabled(
      if: Material.smolLM2 != nil,
      "needs SmolLM2 (`scripts/fetch-models smollm2`); `make test` fetches it"))
  func foreignProjector() throws {
    let model = try #require(Material.smolLM2)
    let pictures = try Material.pictures().map(\.path)
    let receipt = try #require(pictures.first)
    let outcome = try Program.run([
      "extract", receipt, "--model", model, "--projector", Material.projector,
    ])
    #expect(outcome.code == 4, "\(outcome.error)")
    let line = outcome.errorLines.first { $0.hasPrefix("fovea: error: ") }
    #expect(line?.contains("cannot be loaded for this model") == true, "\(outcome.error)")
    #expect(line?.contains("published together") == true, "\(outcome.error)")
    #expect(line?.contains("n_embd") == true, "mtmd's own reason is kept: \(outcome.error)")
  }

  private static func fill(_ argument: String, folder: URL) throws -> String {
    let pictures = try Material.pictures().map(\.path)
    let receipt = try #require(pictures.first)
    // Its prompt alone has more tokens than the smallest context that llama.cpp makes, 256.
    let long = try #require(pictures.first { $0.contains("04-four-items") })
    return argument.replacingOccurrences(of: "{FOLDER}", with: folder.path)
      .replacingOccurrences(of: "{MODEL}", with: Material.model)
      .replacingOccurrences(of: "{PROJECTOR}", with: Material.projector)
      .replacingOccurrences(of: "{RECEIPT}", with: receipt)
      .replacingOccurrences(of: "{LONG}", with: long)
  }

  /// A folder of wrong files.
  private static func makeFolder() throws -> URL {
    let folder = try Material.temporaryFolder()
    func write(_ name: String, _ data: Data) throws {
      try data.write(to: folder.appendingPathComponent(name))
    }
    let picture = try Data(contentsOf: try #require(try Material.pictures().first))
    let model = try Data(contentsOf: URL(fileURLWithPath: Material.model))
    try write("text.txt", Data("This is no JSON, no model and no picture.\n".utf8))
    try write("empty.png", Data())
    try write("truncated.png", picture.prefix(picture.count / 2))
    try write("truncated.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]))
    let pages = Data(PDFFile(pages: [.init([1, 0, 0]), .init([0, 1, 0])]).bytes)
    try write("two.pdf", pages)
    try write("cut.pdf", pages.prefix(pages.count / 2))
    try write("truncated.gguf", model.prefix(model.count / 2))
    try write("noise.jpg", Data((0..<999).map { UInt8(truncatingIfNeeded: $0 * 7 % 251) }))
    try write(
      "pattern.json",
      Data(#"{"type":"object","properties":{"a":{"type":"string","pattern":"^(x)\\1"}}}"#.utf8))
    try write("undefined.gbnf", Data("root ::= item\n".utf8))
    try write(
      "left.gbnf",
      Data(
        """
        root ::= expr
        expr ::= term "+" | "x"
        term ::= expr | "y"
        """.utf8))
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("void"), withIntermediateDirectories: false)
    return folder
  }
}
