internal import Foundation
internal import Fovea
internal import FoveaLlama

/// `fovea bench`: how fast a model is on this machine.
struct BenchCommand {
  static let specification = CommandSpecification(
    name: "bench",
    summary: "Measure how fast a model is here: prompts, writing, pictures, memory, energy.",
    operands: "MODEL",
    operandsHelp: """
      MODEL is a GGUF file. Prompts and texts are of random tokens and nothing is sampled, as
      llama-bench measures. Each test is run once without counting, then as often as --repeat says;
      shown are the mean and the standard deviation.

      Without --threads fewer threads compute for as long as more are slower, as in use.
      """,
    options: [
      OptionSpecification("image", value: "FILE", "a picture to look at; needs --projector"),
      OptionSpecification(
        "prompt-tokens", value: "N",
        "how many tokens a prompt has; \(standard.promptTokens) by default"),
      OptionSpecification(
        "write", value: "N", "how many tokens are written; \(standard.writtenTokens) by default"),
      OptionSpecification(
        "repeat", value: "R", "how often each test is run; \(standard.repeats) by default"),
      OptionSpecification(
        "tune", "try numbers of threads, batches and flash attention, and tell the best"),
      OptionSpecification("json", "write one JSON object"),
      OptionSpecification("html", value: "FILE", "also write a page with a chart"),
    ] + ModelArguments.specifications.filter { !["model", "chat-template"].contains($0.name) },
    examples: [
      ("fovea bench model.gguf", "prompts of 512 tokens, then 128 tokens written, five times"),
      (
        "fovea bench model.gguf --projector mmproj.gguf --image photo.jpg --html bench.html",
        "with the way of a picture to the first token, and a page to keep"
      ),
      ("fovea bench model.gguf --tune", "finds the fastest options for this machine"),
    ])

  private static let standard = BenchmarkOptions()

  private let files: ModelFiles
  private let engineOptions: LlamaOptions
  private let imagePath: String?
  private let isJSON: Bool
  private let pagePath: String?
  private var options = Self.standard

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let command = Self.specification
    guard let path = arguments.operands.first, arguments.operands.count == 1 else {
      throw UsageError("name one model", command: command)
    }
    var arguments = arguments
    arguments.setModel(path)
    let model = try ModelArguments(arguments, of: command)
    files = model.files ?? .gguf(path)
    engineOptions = model.options
    imagePath = arguments.values["image"]
    guard imagePath == nil || files.projector != nil else {
      throw UsageError("'--image' needs '--projector'", command: command)
    }
    isJSON = arguments.flags.contains("json")
    pagePath = arguments.values["html"]
    let range = 1...1 << 20
    if let count = try arguments.integer("prompt-tokens", in: range, of: command) {
      options.promptTokens = count
    }
    if let count = try arguments.integer("write", in: range, of: command) {
      options.writtenTokens = count
    }
    if let count = try arguments.integer("repeat", in: 1...1_000, of: command) {
      options.repeats = count
    }
    options.tunes = arguments.flags.contains("tune")
  }

  /// Measures and reports.
  func run() async throws -> ExitCode {
    let report = Report(files: files, result: try await measure())
    Console.clearProgress()
    if let pagePath { try Self.write(report.page, to: pagePath) }
    try Console.write(isJSON ? report.json.text + "\n" : report.text)
    return .ok
  }

  private func measure() async throws -> BenchmarkResult {
    var options = options
    // A missing picture should not wait for the model.
    if let imagePath { options.image = try Self.image(imagePath) }
    Console.progress("loading \(files.model) …")
    defer { Console.clearProgress() }
    let benchmark: LlamaBenchmark
    do throws(FoveaError) {
      benchmark = try await LlamaBenchmark.load(files, engine: engineOptions, options: options)
    } catch {
      throw LoadingError(error: error)
    }
    return try await benchmark.run { Console.progress("\($0) …") }
  }

  private static func image(_ path: String) throws(FoveaError) -> ImageInput {
    guard case .image(let image) = try InputFile(path: path).read() else {
      throw FoveaError(
        .unsupportedImageFormat, "'\(path)' is a text, not a picture", fix: "give a picture")
    }
    return image
  }

  private static func write(_ text: String, to path: String) throws(OutputError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    } catch {
      throw OutputError(name: "'\(path)'", reason: SystemReason.of(error))
    }
  }
}
