internal import Foundation
internal import Fovea

/// `fovea extract`: values from pictures and texts.
struct ExtractCommand {
  static let specification = CommandSpecification(
    name: "extract",
    summary: "Extract a value from each picture or text, as JSON that matches a schema.",
    operands: "IMAGE|TEXT…",
    operandsHelp: """
      Pictures, PDFs and text files are told apart by their content; a folder stands for the pictures
      in it, '-' for standard input. Each page of a PDF or TIFF is an input of its own, and
      'scan.pdf[2]' is its second page. Without --model the embedded receipt reader is used.

      The format json gives the value of one input, or an array of records for several; jsonl gives a
      record for each input on a line of its own, failures included.
      """,
    options: ModelArguments.specifications + [
      OptionSpecification("schema", short: "s", value: "FILE", "a JSON Schema of the value")
    ] + SchemaArguments.sources + [
      OptionSpecification("prompt", short: "p", value: "TEXT", "what to extract, in words"),
      OptionSpecification(
        "format", short: "f", value: "FORMAT", choices: OutputFormat.allCases.map(\.rawValue),
        "how results are written"),
      OptionSpecification("output", short: "o", value: "FILE", "write there, not to the terminal"),
      OptionSpecification(
        "prompt-cache", value: "FILE",
        "keep the evaluated beginning of prompts there, for the next run with this model and schema"
      ),
      OptionSpecification("stream", "print the JSON while the model writes it (one input)"),
      OptionSpecification("verbose", short: "v", "tell token counts and times on standard error"),
    ] + ImageArguments.specifications + SamplingArguments.specifications
      + ThinkingArguments.specifications
      + SchemaArguments.choices,
    examples: [
      ("fovea extract receipt.jpg", "reads a receipt with the embedded model"),
      (
        "fovea extract scans/ --format jsonl --output receipts.jsonl",
        "reads all pictures of a folder; one record a line, failures included"
      ),
      (
        "fovea extract 'invoices.pdf[2]' --password secret",
        "the second page of an encrypted PDF; without [2] all pages"
      ),
      (
        "fovea extract invoice.png -m model.gguf --projector mmproj.gguf -s invoice.json",
        "any vision model with a schema of your own"
      ),
      (
        "fovea extract mail.txt -m model.gguf -s order.json -p 'Extract the order.'",
        "from text, with any model"
      ),
    ])

  private let model: ModelArguments
  private let schema: SchemaArguments
  private let hasSchemaFile: Bool
  private let prompt: String?
  private let format: OutputFormat
  private let outputPath: String?
  private let promptCache: String?
  private let streams: Bool
  private let isVerbose: Bool
  private let operands: [String]
  private let images: ImageArguments
  private var options = ExtractionOptions()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let command = Self.specification
    model = try ModelArguments(arguments, of: command)
    schema = SchemaArguments(arguments, path: arguments.values["schema"])
    hasSchemaFile = arguments.values["schema"] != nil
    prompt = arguments.values["prompt"]
    format = arguments.values["format"].flatMap(OutputFormat.init) ?? .json
    outputPath = arguments.values["output"]
    promptCache = arguments.values["prompt-cache"]
    streams = arguments.flags.contains("stream")
    isVerbose = arguments.flags.contains("verbose")
    operands = arguments.operands
    images = try ImageArguments(arguments, of: command)
    options.sampling = try SamplingArguments(
      arguments, of: command, maxTokens: &options.maxTokens
    ).applied(to: options.sampling)
    try ThinkingArguments.apply(arguments, of: command, to: &options.thinking)
    guard !operands.isEmpty else {
      throw UsageError("no input: name a picture, a text file or a folder", command: command)
    }
    guard operands.count(where: { $0 == "-" }) <= 1 else {
      throw UsageError("standard input ('-') can be read only once", command: command)
    }
    guard !hasSchemaFile || arguments.values["type"] == nil else {
      throw UsageError("'--schema' and '--type' exclude each other", command: command)
    }
    guard !streams || (format == .json && outputPath == nil) else {
      throw UsageError(
        "'--stream' prints JSON to the terminal: leave out '--output' and '--format jsonl'",
        command: command)
    }
  }

  /// Runs the command; every failure is told on standard error.
  func run() async throws -> ExitCode {
    let schema = try self.schema.read()
    // What cannot be enforced should not wait for the model either.
    try self.schema.named { () throws(FoveaError) in _ = try Grammar(schema) }
    let inputs = try InputFile.expand(operands, options: images.options)
    guard !streams || inputs.count == 1 else {
      throw UsageError(
        "'--stream' takes one input, not \(inputs.count)", command: Self.specification)
    }
    // A missing file should not wait for a model of gigabytes to load; a batch records it.
    let first = inputs.count == 1 && format == .json ? try inputs[0].read() : nil
    return try await run(inputs: inputs, first: first, schema: schema)
  }

  private func run(
    inputs: [InputFile], first: InputFile.Content?, schema: Schema
  ) async throws -> ExitCode {
    let model = try await self.model.load(isForOneRequest: inputs.count == 1)
    if usesEmbeddedModel {
      Console.note(
        "no --model given: using the embedded receipt reader, '\(model.description.name)'")
      if hasSchemaFile {
        Console.note("warning: it only knows receipts; what it writes for other fields is made up")
      }
    }
    if let promptCache { try await prepare(model, schema, promptCache) }
    let prompt =
      self.prompt ?? model.description.defaultInstruction
      ?? "Extract the data of this document as JSON."
    if streams {
      Console.progress("1 of 1: \(inputs[0].name) …")
      let outcome = try await stream(
        inputs[0], read: first, with: model, prompt: prompt, schema: schema)
      return tell(outcome, of: inputs[0])
    }
    var outcomes = outcomes(of: inputs, read: first, with: model, prompt: prompt, schema: schema)
      .makeAsyncIterator()
    var output = RecordOutput(format: format, path: outputPath, isArray: inputs.count > 1)
    var exitCode = ExitCode.ok
    for (index, input) in inputs.enumerated() {
      Console.progress("\(index + 1) of \(inputs.count): \(input.name) …")
      guard let outcome = await outcomes.next() else { break }
      let code = tell(outcome, of: input)
      if code == .interrupted {
        try output.finish()
        return code
      }
      if exitCode == .ok { exitCode = code }
      try output.append(Record(input: input.name, damage: input.damage.error, outcome: outcome))
    }
    Console.clearProgress()
    try output.finish()
    return exitCode
  }

  private func prepare(
    _ model: LanguageModel, _ schema: Schema, _ path: String
  ) async throws(FoveaError) {
    // What is wrong with the folder is told by the write that fails.
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    Console.progress("preparing the prompt …")
    defer { Console.clearProgress() }
    let prepared = try await model.prepare(for: schema, promptCache: path, options: options)
    guard isVerbose else { return }
    switch prepared.source {
    case .file: Console.note("\(prepared.tokenCount) tokens of the prompt read from '\(path)'")
    case .evaluation:
      Console.note("\(prepared.tokenCount) tokens of the prompt evaluated and kept in '\(path)'")
    case .memory: Console.note("the prompts of this model have no beginning worth keeping")
    }
  }

  /// Tells people what became of an input; the exit code that it stands for.
  private func tell(
    _ outcome: Result<Extraction<JSONValue>, FoveaError>, of input: InputFile
  ) -> ExitCode {
    if let damage = input.damage.error { Console.note("warning: \(damage)") }
    switch outcome {
    case .success(let extraction):
      Console.clearProgress()
      if extraction.isTruncatedByBudget {
        Console.note(
          "warning: \(input.name): the answer was closed early to fit its limit of tokens; raise "
            + "--max-tokens or --context")
      }
      if isVerbose {
        Console.note(
          "\(input.name): \(Summary.line(usage: extraction.usage, timings: extraction.timings))")
      }
      return .ok
    case .failure(let error):
      Console.note("error: \(error)")
      if let partial = error.partialText { Console.note("written so far: \(partial)") }
      return ExitCode(error)
    }
  }

  private var usesEmbeddedModel: Bool { model.files == nil }

  /// What an input holds, read unless that was done.
  ///
  /// - Throws: What ``InputFile/read()`` throws, and `.unsupportedByModel`.
  private func content(
    of input: InputFile, read content: InputFile.Content?
  ) throws(FoveaError) -> InputFile.Content {
    let content = if let content { content } else { try input.read() }
    if usesEmbeddedModel, case .text = content {
      throw FoveaError(
        .unsupportedByModel, "the embedded model reads pictures of receipts, not text",
        fix: "give a model with --model")
    }
    return content
  }

  /// Reads the inputs and extracts their values, some at the same time. What is wrong with an input
  /// or an answer is an outcome.
  private func outcomes(
    of inputs: [InputFile], read first: InputFile.Content?, with model: LanguageModel,
    prompt: String, schema: Schema
  ) -> BatchResults<Extraction<JSONValue>> {
    model.batch(of: inputs) { input throws(FoveaError) in
      do throws(FoveaError) {
        switch try content(of: input, read: first) {
        case .image(let image):
          return .success(
            try await model.extract(image: image, prompt: prompt, schema: schema, options: options))
        case .text(let text):
          return .success(
            try await model.extract(text: text, prompt: prompt, schema: schema, options: options))
        }
      } catch {
        return .failure(error)
      }
    }
  }

  /// Extracts a value and prints its JSON meanwhile.
  ///
  /// - Throws: ``OutputError``. What is wrong with the input or the answer is an outcome.
  private func stream(
    _ input: InputFile, read first: InputFile.Content?, with model: LanguageModel, prompt: String,
    schema: Schema
  ) async throws -> Result<Extraction<JSONValue>, FoveaError> {
    do {
      let events =
        switch try content(of: input, read: first) {
        case .image(let image):
          model.stream(image: image, prompt: prompt, schema: schema, options: options)
        case .text(let text):
          model.stream(text: text, prompt: prompt, schema: schema, options: options)
        }
      var extraction: Extraction<JSONValue>?
      var answer = StreamedAnswer()
      for try await event in events {
        switch event {
        case .thinking(let piece): answer.think(piece)
        case .text(let piece): try answer.write(piece)
        case .partial: break
        case .finished(let result): extraction = result
        }
      }
      try Console.write("\n")
      guard let extraction else { throw FoveaError(.cancelled, "the task was cancelled") }
      return .success(extraction)
    } catch let error as FoveaError {
      return .failure(error)
    }
  }
}
