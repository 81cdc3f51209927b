/// A loaded model that answers with typed values.
///
///     import Fovea
///     import FoveaImages
///     import FoveaLlama
///
///     struct Receipt: StructuredOutput {
///       let vendor: String
///       let total: Decimal
///     }
///
///     let model = try await LanguageModel.load(.gguf("model.gguf", projector: "mmproj.gguf"))
///     let receipt = try await model.predict(
///       image: .file("receipt.jpg"), prompt: "Extract vendor and total.", as: Receipt.self)
///
/// The answer always matches the type: a grammar made of it decides which tokens the model may
/// write. Whether the values are right is up to the model.
///
/// One instance serves any number of callers. As many of their requests as the engine takes
/// (``InferenceEngine/parallelRequests``) are evaluated together; the others wait.
public final class LanguageModel: Sendable {
  package let engine: any InferenceEngine
  let grammars: GrammarCache
  /// How prompts are written; an error where the model's chat template cannot be used.
  private let format: Result<PromptFormat, FoveaError>

  /// Wraps a loaded engine.
  public init(engine: any InferenceEngine) {
    self.engine = engine
    grammars = GrammarCache(vocabulary: engine.vocabulary)
    format = engine.model.promptFormat
  }

  /// What the model file says about itself.
  public var description: ModelDescription { engine.model }

  /// Decodes an image and fits it to the model, for use in a ``Message``.
  ///
  /// - Throws: ``FoveaError``: `.fileNotReadable`, `.invalidImage`, `.unsupportedImageFormat`,
  ///   `.unsupportedByModel` when the model cannot see images.
  public func fit(_ image: ImageInput) throws(FoveaError) -> PixelImage {
    try checkSight()
    return try image.pixels(for: engine.model.imageRequirements)
  }

  /// - Throws: `.unsupportedByModel` when the model cannot see images.
  func checkSight() throws(FoveaError) {
    guard engine.model.supportsImages else {
      throw FoveaError(
        .unsupportedByModel, "'\(engine.model.name)' cannot see images",
        fix: "load it with its projector (the mmproj file), or give text")
    }
  }

  // MARK: The one way through

  /// Asks the model for JSON that matches a schema.
  ///
  /// - Throws: `.tokenLimitReached`: before anything is computed when no answer can keep to the
  ///   limit, with the partial JSON when this one did not.
  func writeJSON(
    from source: ExtractionSource, prompt: String, schema: Schema, options: ExtractionOptions,
    onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    let clock = ContinuousClock()
    let maker = try await constraintMaker(for: schema, options: options)
    let start = clock.now
    let document: ExtractionPrompt.Document
    var sources: [String] = []
    switch source {
    case .image(let image): document = .image(try fit(image))
    case .text(let text):
      document = .text(text)
      sources = [text]
    }
    let imageDecoding = clock.now - start
    let messages = ExtractionPrompt.messages(
      document: document, instruction: prompt, outline: schema.outline(),
      style: options.promptStyle ?? engine.model.promptStyle)
    let rendered = try render(messages, thinking: options.thinking)
    let request = GenerationRequest(
      prompt: rendered.parts, thinking: rendered.thinking, maxTokens: options.maxTokens,
      sampling: options.sampling, thinkingSampling: engine.model.sampling, sources: sources,
      constraintMaker: maker)
    var result = try await engine.generate(request, onEvent: onEvent)
    if case .image = source { result.timings.imageDecoding = imageDecoding }
    if result.finishReason.isTruncated { throw truncation(of: result, request) }
    return result
  }

  /// What makes the constraints for a schema, where an answer can keep to the limit of tokens.
  ///
  /// - Throws: As ``GrammarCache/constraintMaker(for:)-(Schema)``, and `.tokenLimitReached`.
  func constraintMaker(
    for schema: Schema, options: ExtractionOptions
  ) async throws(FoveaError) -> ConstraintMaker {
    let maker = try await grammars.constraintMaker(for: schema)
    try maker.check(maxTokens: options.maxTokens)
    return maker
  }

  /// Writes a conversation as the model's chat template does.
  func render(
    _ messages: [Message], thinking: Thinking
  ) throws(FoveaError) -> RenderedPrompt {
    try format.get().render(messages, thinking: thinking, now: LocalTime.now)
  }

  /// The error for an answer that was cut where it had to be whole.
  func truncation(of result: GenerationResult, _ request: GenerationRequest) -> FoveaError {
    let enough = request.constraintMaker.map { "\($0.enoughTokens) tokens are always enough" }
    return result.finishReason == .contextFull
      ? FoveaError(
        .tokenLimitReached,
        "the answer was cut: the context of \(engine.model.contextSize) tokens is full",
        fix: "load the model with a larger context", partialText: result.text)
      : FoveaError(
        .tokenLimitReached, "the answer was cut after \(request.maxTokens) tokens",
        fix: "raise the limit (maxTokens, --max-tokens)" + (enough.map { ": \($0)" } ?? ""),
        partialText: result.text)
  }
}

/// What a value is extracted from.
enum ExtractionSource: Sendable {
  case image(ImageInput)
  case text(String)
}
