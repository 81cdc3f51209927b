internal import Fovea
internal import FoveaLlama

/// The options that choose and load a model, the same for every command.
struct ModelArguments {
  let files: ModelFiles?
  let options: LlamaOptions
  private let templatePath: String?

  static let specifications = [
    OptionSpecification("model", short: "m", value: "FILE", "the model, a GGUF file"),
    OptionSpecification(
      "projector", value: "FILE", "the model's projector (mmproj), which lets it see images"),
    OptionSpecification("context", value: "TOKENS", "how many tokens of prompt and answer fit"),
    OptionSpecification(
      "parallel", value: "COUNT",
      "how many requests are evaluated together, each with a context of its own"),
    OptionSpecification("threads", value: "N", "how many threads compute"),
    OptionSpecification(
      "batch-threads", value: "N", "how many threads evaluate prompts and pictures"),
    OptionSpecification("batch", value: "TOKENS", "the most tokens evaluated at once"),
    OptionSpecification(
      "flash-attention", value: "WHEN", choices: ["on", "off", "auto"],
      "whether attention is computed in pieces; auto: where it is faster or saves much memory"),
    OptionSpecification("gpu-layers", value: "N", "how many layers the GPU computes; 0: none"),
    OptionSpecification(
      "device", value: "NAME",
      "the GPU to use, as 'fovea devices' calls it; none: the CPU alone"),
    OptionSpecification(
      "kv-cache", value: "TYPE", choices: CacheType.allCases.map(\.rawValue),
      "the numbers that the context is kept in; q8_0 takes about half the memory of f16"),
    OptionSpecification(
      "no-memory-check", "load the model although it needs more memory than is free"),
    OptionSpecification(
      "chat-template", value: "FILE", "a chat template in Jinja, instead of the model file's own"),
  ]

  init(
    _ arguments: ParsedArguments, of command: CommandSpecification
  ) throws(UsageError) {
    let model = arguments.values["model"]
    let projector = arguments.values["projector"]
    guard model != nil || projector == nil else {
      throw UsageError("'--projector' needs '--model'", command: command)
    }
    templatePath = arguments.values["chat-template"]
    files = model.map { .gguf($0, projector: projector) }
    options = LlamaOptions(
      contextSize: try arguments.integer("context", in: 16...1 << 24, of: command),
      threadCount: try arguments.integer("threads", in: 1...512, of: command),
      batchThreadCount: try arguments.integer("batch-threads", in: 1...512, of: command),
      gpuLayerCount: try arguments.integer("gpu-layers", in: 0...10_000, of: command),
      deviceNames: arguments.values["device"].map { $0 == "none" ? [] : [$0] },
      usesFlashAttention: ["on": true, "off": false][arguments.values["flash-attention"] ?? "auto"],
      cacheType: arguments.values["kv-cache"].flatMap(CacheType.init) ?? .f16,
      batchSize: try arguments.integer("batch", in: 1...1 << 16, of: command)
        ?? LlamaOptions.defaultBatchSize,
      parallelRequests: try arguments.integer(
        "parallel", in: 1...LlamaOptions.mostParallelRequests, of: command),
      checksMemory: !arguments.flags.contains("no-memory-check"))
  }

  /// Loads the chosen model, or the embedded one.
  ///
  /// - Parameter isForOneRequest: Whether memory for several requests would be of no use; it is made
  ///   only where it was asked for.
  func load(isForOneRequest: Bool) async throws(LoadingError) -> LanguageModel {
    let files: ModelFiles
    let model: LanguageModel
    var options = options
    if isForOneRequest, options.parallelRequests == nil { options.parallelRequests = 1 }
    do throws(FoveaError) {
      options.chatTemplate = try templatePath.map(InputFile.template)
      if let chosen = self.files { files = chosen } else { files = try EmbeddedModel.files() }
      Console.progress("loading \(files.model) …")
      defer { Console.clearProgress() }
      model = try await LanguageModel.load(files, options: options)
    } catch {
      throw LoadingError(error: error)
    }
    if model.description.chatTemplate == nil, !model.description.speaksChatML {
      Console.note(
        "warning: '\(files.model)' has no chat template, so prompts are written in plain words; "
          + "expect poor answers, or give a template with --chat-template")
    }
    return model
  }
}

/// A model that could not be loaded: whatever the reason, the model is at fault.
struct LoadingError: Error {
  let error: FoveaError

  var exitCode: ExitCode { error.code == .cancelled ? .interrupted : .model }
}

/// The options for models that think before they answer.
enum ThinkingArguments {
  static let specifications = [
    OptionSpecification(
      "thinking", value: "WHEN", choices: ["on", "off", "auto"],
      "whether the model thinks first; auto: as its chat template has it"),
    OptionSpecification(
      "thinking-budget", value: "N", "the most tokens of a thought; \(standardBudget) by default"),
  ]

  private static let standardBudget = 1_024

  static func apply(
    _ arguments: ParsedArguments, of command: CommandSpecification, to thinking: inout Thinking
  ) throws(UsageError) {
    let budget = try arguments.integer("thinking-budget", in: 0...1 << 24, of: command)
    let when = arguments.values["thinking"] ?? (budget == nil ? nil : "on")
    if budget != nil, when != "on" {
      throw UsageError("'--thinking-budget' needs '--thinking on'", command: command)
    }
    switch when {
    case "on": thinking = .on(budget: budget ?? standardBudget)
    case "off": thinking = .off
    case "auto": thinking = .automatic
    default: break
    }
  }
}

/// The options that choose tokens, the same for every command.
struct SamplingArguments {
  private let temperature: Float?
  private let seed: UInt32?

  static let specifications = [
    OptionSpecification("max-tokens", value: "N", "the most tokens to write for one answer"),
    OptionSpecification(
      "temperature", value: "T", "0: always the likeliest token; higher: more variety"),
    OptionSpecification("seed", value: "N", "repeats the random choices of an earlier run"),
  ]

  init(
    _ arguments: ParsedArguments, of command: CommandSpecification, maxTokens: inout Int
  ) throws(UsageError) {
    if let value = try arguments.integer("max-tokens", in: 1...1 << 24, of: command) {
      maxTokens = value
    }
    temperature = try arguments.number("temperature", of: command)
    seed = try arguments.integer("seed", in: 0...Int(UInt32.max), of: command).map { UInt32($0) }
  }

  /// The options with what the command line says.
  func applied(to sampling: SamplingOptions) -> SamplingOptions {
    var sampling = sampling
    if let temperature { sampling.temperature = temperature }
    if let seed { sampling.seed = seed }
    return sampling
  }
}
