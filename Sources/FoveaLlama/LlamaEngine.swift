public import Fovea

/// Runs a GGUF model, with its projector where it has one, through llama.cpp and mtmd.
///
///     let engine = try await LlamaEngine.load(.gguf("model.gguf", projector: "mmproj.gguf"))
///     let model = LanguageModel(engine: engine)
///
/// Model and projector are loaded once. Requests are evaluated one after the other, on a thread of
/// the engine's own; what a prompt has in common with the one before is not evaluated again.
/// Everything native is freed when the last reference goes.
public actor LlamaEngine: InferenceEngine {
  /// What the files say about themselves.
  public nonisolated let model: ModelDescription
  /// The model's tokens.
  public nonisolated let vocabulary: Vocabulary

  private nonisolated let executor: EngineExecutor
  nonisolated let cancellation: CancellationFlag
  private let native: NativeModel
  private let decoding: DecodingOptions
  private var constraints = ConstraintPool()

  /// Jobs of this actor run here.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private init(
    executor: EngineExecutor, cancellation: CancellationFlag, native: NativeModel,
    decoding: DecodingOptions, model: ModelDescription, vocabulary: Vocabulary
  ) {
    self.executor = executor
    self.cancellation = cancellation
    self.native = native
    self.decoding = decoding
    self.model = model
    self.vocabulary = vocabulary
  }

  /// Loads a model and its projector.
  ///
  /// - Throws: `.fileNotReadable`, `.invalidModel`, `.invalidProjector`, `.insufficientMemory`,
  ///   `.invalidArgument`, `.unsupportedByModel` for a cache in `q8_0` that it cannot have.
  public static func load(
    _ files: ModelFiles, options: LlamaOptions = LlamaOptions()
  ) async throws(FoveaError) -> LlamaEngine {
    try options.validate()
    let executor = EngineExecutor()
    let cancellation = CancellationFlag()
    let loaded = try await executor.run { () throws(FoveaError) in
      let text = try ModelFileCheck(path: files.model, role: .model)
      var requirements = ImageRequirements()
      var projector: ModelFacts?
      if let path = files.projector {
        let check = try ModelFileCheck(path: path, role: .projector)
        requirements = check.imageRequirements
        projector = check.facts
      }
      let chatTemplate = options.chatTemplate ?? text.chatTemplate
      let load = try LoadPlan(
        files: files, model: text.facts, projector: projector, options: options)
      let native = try NativeModel(
        files: files, load: load, chatTemplate: chatTemplate, cancellation: cancellation)
      var description = ModelDescription(
        name: text.name ?? files.model, architecture: text.architecture,
        parameterCount: native.weights.parameterCount, contextSize: native.context.size,
        supportsImages: native.projector?.supportsImages ?? false,
        imageRequirements: requirements, chatTemplate: chatTemplate,
        speaksChatML: try native.weights.hasControlTokens(PromptFormat.chatMLTokens),
        promptStyle: text.promptStyle, defaultInstruction: text.defaultInstruction,
        sampling: text.sampling)
      description.tokenTexts = native.weights.tokenTexts
      return (native, description, native.weights.readVocabulary())
    }
    return LlamaEngine(
      executor: executor, cancellation: cancellation, native: loaded.0,
      decoding: options.decoding, model: loaded.1, vocabulary: loaded.2)
  }

  /// Evaluates the prompt and writes text; see `InferenceEngine`.
  public func generate(
    _ request: GenerationRequest, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    cancellation.set(false)
    let flag = cancellation
    let result: Result<GenerationResult, FoveaError> = await withTaskCancellationHandler {
      run(request, onEvent: onEvent)
    } onCancel: {
      flag.set(true)
    }
    return try result.get()
  }

  /// Runs something with the model on the engine's thread, between requests. Cancelling the task
  /// stops what llama.cpp evaluates.
  func withNative<Value: Sendable>(
    _ body: @Sendable (NativeModel) throws(FoveaError) -> Value
  ) async throws(FoveaError) -> Value {
    cancellation.set(false)
    let flag = cancellation
    let result: Result<Value, FoveaError> = await withTaskCancellationHandler {
      Result { () throws(FoveaError) in try body(native) }
    } onCancel: {
      flag.set(true)
    }
    return try result.get()
  }

  private func run(
    _ request: GenerationRequest, onEvent: @Sendable (GenerationEvent) -> Void
  ) -> Result<GenerationResult, FoveaError> {
    guard let maker = request.constraintMaker else {
      return run(request, constraint: nil, onEvent: onEvent)
    }
    do throws(FoveaError) {
      let constraint = try constraints.take(from: maker)
      defer { constraints.giveBack(constraint, to: maker) }
      return run(request, constraint: constraint, onEvent: onEvent)
    } catch {
      return .failure(error)
    }
  }

  private func run(
    _ request: GenerationRequest, constraint: (any TokenConstraint)?,
    onEvent: @Sendable (GenerationEvent) -> Void
  ) -> Result<GenerationResult, FoveaError> {
    var generation = Generation(
      native: native, vocabulary: vocabulary, request: request, options: decoding,
      constraint: constraint)
    do throws(FoveaError) {
      return .success(try generation.run(onEvent: onEvent))
    } catch {
      return .failure(error.withPartialText(generation.text + generation.unshown))
    }
  }
}
