import Foundation
import Fovea
import FoveaTestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `fovea bench`, as a person runs it, with small numbers. How fast something is is never asked here.
@Suite("The bench command")
struct BenchTests {
  private static let small = ["--prompt-tokens", "24", "--write", "3", "--repeat", "2"]
  private static let model = [Material.model, "--projector", Material.projector]

  /// The JSON that the command writes. Others read it, so that its keys must stay.
  private struct Report: Decodable {
    struct Samples: Decodable {
      let mean, deviation, median: Double
      let values: [Double]

      var isPlausible: Bool {
        values.count == 2 && values.allSatisfy { $0 > 0 } && deviation >= 0
          && abs(mean - values.reduce(0, +) / 2) <= mean * 1e-3 + 1e-6
          && abs(median - mean) <= mean * 1e-3 + 1e-6
      }
    }

    struct Settings: Decodable {
      let threads, batchThreads, batch, context, gpuLayers: Int
      let adaptsThreads: Bool
      let attention, kvCache: String
      let devices: [String]
    }

    struct Model: Decodable {
      let name, file, architecture: String
      let parameters: Int
    }

    struct Evaluation: Decodable {
      let tokens: Int
      let tokensPerSecond: Samples
      let joulesPerToken: Double?
    }

    struct Image: Decodable {
      let file: String
      let width, height, tokens, promptTokens: Int
      let decodeSeconds, encodeSeconds, firstTokenSeconds: Samples
    }

    struct Tuning: Decodable {
      struct Trial: Decodable {
        let threads, batch: Int
        let flashAttention: Bool
      }

      struct Best: Decodable {
        let threads, batchThreads, batch: Int
        let flashAttention: Bool
      }

      let prefill, decode: [Trial]
      let best: Best
      let options: String
    }

    let model: Model
    let settings: Settings
    let `repeat`: Int
    let loadSeconds: Double
    let prefill, decode: Evaluation
    let image: Image?
    let peakMemoryBytes: Int
    let energyUnavailable: String?
    let tuning: Tuning?
  }

  private func report(
    _ arguments: [String], numbers: [String] = Self.small
  ) throws -> Report {
    let outcome = try Program.run(["bench", "--json"] + numbers + arguments)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.hasSuffix("}\n"))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Report.self, from: Data(outcome.output.utf8))
  }

  @Test("measures prompts and writing")
  func evaluation() throws {
    let report = try report([Material.model])
    #expect(report.model.file == Material.model)
    #expect(report.model.parameters > 1_000_000)
    #expect(report.repeat == 2)
    #expect(report.loadSeconds > 0)
    #expect(report.prefill.tokens == 24)
    #expect(report.decode.tokens == 3)
    #expect(report.prefill.tokensPerSecond.isPlausible)
    #expect(report.decode.tokensPerSecond.isPlausible)
    // The weights alone are larger.
    #expect(report.peakMemoryBytes > 2_000_000)
    #expect(report.image == nil)
    #expect(report.tuning == nil)
    #expect((report.energyUnavailable == nil) == (report.prefill.joulesPerToken != nil))
    #expect((report.energyUnavailable == nil) == (report.decode.joulesPerToken != nil))
  }

  @Test("computes as asked for")
  func settings() throws {
    let settings = try report(
      [
        Material.model, "--threads", "1", "--batch-threads", "2", "--batch", "16", "--context",
        "512", "--flash-attention", "on",
      ]
    ).settings
    #expect(settings.threads == 1)
    #expect(settings.batchThreads == 2)
    #expect(settings.batch == 16)
    #expect(settings.context == 512)
    #expect(settings.attention == "flash")
    #expect(!settings.adaptsThreads, "a number that was asked for stays")
    let others = try report(
      [Material.model, "--flash-attention", "off", "--threads", "1"]
    ).settings
    #expect(others.attention == "plain")
    #expect(others.kvCache == "f16")
  }

  @Test("follows a picture to the first token")
  func image() throws {
    let picture = try #require(try Material.pictures().first).path
    let report = try report(Self.model + ["--image", picture])
    let image = try #require(report.image)
    #expect(image.file == picture)
    #expect(image.width % 16 == 0 && image.height % 16 == 0, "fitted to the model")
    #expect(image.tokens > 0)
    #expect(image.promptTokens > image.tokens, "the instruction's tokens are more")
    for samples in [image.decodeSeconds, image.encodeSeconds, image.firstTokenSeconds] {
      #expect(samples.isPlausible)
    }
  }

  @Test("a table for people")
  func table() throws {
    let outcome = try Program.run(["bench"] + Self.small + [Material.model])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    for (name, detail) in [("prefill", "24 tokens"), ("decode", "3 tokens")] {
      let line = try #require(lines.first { $0.hasPrefix("  \(name) ") })
      #expect(line.contains(detail))
      #expect(line.contains(" ± "))
      #expect(line.contains(#/[█▏▎▍▌▋▊▉]/#))
    }
    #expect(outcome.output.contains("peak memory  "))
    #expect(outcome.output.contains("energy       "))
  }

  @Test("tries other ways and tells options that the program takes")
  func tuning() throws {
    let report = try report(
      [Material.model, "--tune"],
      numbers: ["--prompt-tokens", "64", "--write", "3", "--repeat", "1"])
    let tuning = try #require(report.tuning)
    #expect(Set(tuning.decode.map(\.flashAttention)) == [false, true])
    #expect(tuning.decode.contains { $0.threads == 1 })
    #expect(tuning.prefill.contains { $0.batch == 64 }, "a batch that the prompt fills")
    #expect(tuning.prefill.count > tuning.decode.count)
    let best = tuning.best
    #expect(
      tuning.prefill.contains {
        $0.threads == best.batchThreads && $0.batch == best.batch
          && $0.flashAttention == best.flashAttention
      })
    let options = tuning.options.split(separator: " ").map(String.init)
    #expect(options.count == 8)
    let settings = try self.report([Material.model] + options).settings
    #expect(settings.threads == best.threads)
    #expect(settings.batchThreads == best.batchThreads)
    #expect(settings.batch == best.batch)
    #expect(settings.attention == (best.flashAttention ? "flash" : "plain"))
  }

  @Test("a page that stands alone")
  func page() throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = folder.appendingPathComponent("a<b>&c.gguf")
    try FileManager.default.copyItem(atPath: Material.model, toPath: model.path)
    let file = folder.appendingPathComponent("page.html")
    let outcome = try Program.run(["bench"] + Self.small + [model.path, "--html", file.path])
    #expect(outcome.code == 0, "\(outcome.error)")
    let page = try String(contentsOf: file, encoding: .utf8)
    let markup = String(page.dropFirst("<!DOCTYPE html>\n".count))
    #expect(page.hasPrefix("<!DOCTYPE html>\n"))
    // The page keeps to what XML allows, except for tags that HTML leaves open.
    let closed = markup.replacing(#/<meta ([^>]*)>/#) { "<meta \($0.output.1)/>" }
    let reader = XMLReader()
    #expect(reader.read(closed), "\(reader.error)")
    #expect(reader.names.filter { $0 == "rect" }.count == 2)
    #expect(reader.names.filter { $0 == "circle" }.count == 4, "a dot for each run")
    #expect(reader.text.contains("a<b>&c.gguf"))
    #expect(page.contains("prefers-color-scheme: dark"))
    for word in ["<script", "http:", "https:", "url(", "@import", "src="] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test("what cannot be measured is told before anything is")
  func errors() throws {
    let picture = try #require(try Material.pictures().first).path
    let cases: [(arguments: [String], code: Int32, words: String)] = [
      ([], 2, "name one model"),
      (["a", "b"], 2, "name one model"),
      (["/nowhere.gguf"], 4, "'/nowhere.gguf' cannot be read"),
      ([Material.projector], 4, "is a projector"),
      ([Material.model, "--device", "GPU9"], 4, "finds no GPU called 'GPU9'"),
      ([Material.model, "--prompt-tokens", "0"], 2, "'--prompt-tokens' needs a whole number"),
      ([Material.model, "--write", "0"], 2, "'--write' needs a whole number"),
      ([Material.model, "--repeat", "0"], 2, "'--repeat' needs a whole number"),
      ([Material.model, "--batch", "0"], 2, "'--batch' needs a whole number"),
      ([Material.model, "--image", picture], 2, "'--image' needs '--projector'"),
      (Self.model + ["--image", "/nowhere.png"], 3, "'/nowhere.png' cannot be read"),
      (
        Self.model + ["--image", Material.root.appendingPathComponent("LICENSE").path], 3,
        "is a text, not a picture"
      ),
      (
        [Material.model, "--context", "64", "--prompt-tokens", "900"], 2,
        "900 tokens do not fit the context of"
      ),
      (
        [Material.model, "--html", "/nowhere/page.html"] + Self.small, 3,
        "cannot write '/nowhere/page.html'"
      ),
    ]
    for (arguments, code, words) in cases {
      let outcome = try Program.run(["bench"] + arguments)
      #expect(outcome.code == code, "\(arguments): \(outcome.error)")
      #expect(outcome.error.contains(words), "\(arguments): \(outcome.error)")
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.output == "")
    }
  }
}

/// Reads markup and notes its elements and text.
private final class XMLReader: NSObject, XMLParserDelegate {
  private(set) var names: [String] = []
  private(set) var text = ""
  private(set) var error = ""

  /// Whether the markup is well-formed.
  func read(_ markup: String) -> Bool {
    let parser = XMLParser(data: Data(markup.utf8))
    parser.delegate = self
    let isWellFormed = parser.parse()
    error = parser.parserError.map { "line \(parser.lineNumber): \($0)" } ?? ""
    return isWellFormed
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    names.append(name)
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }
}
