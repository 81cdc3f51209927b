public import Fovea

/// Runs a GGUF model, with its projector where it has one, through llama.cpp and mtmd.
///
///     let engine = try await LlamaEngine.load(.gguf("model.gguf", projector: "mmproj.gguf"))
///     let model = LanguageModel(engine: engine)
///
/// Model and projector are loaded once. Requests are evaluated on a thread of the engine's own, several
/// of them together (`LlamaOptions.parallelRequests`); what a prompt has in common with an earlier one
/// is not evaluated again. Everything native is freed when the last reference goes.
///
///     request ─▶ admission ─▶ read, encode pictures ─▶ sequence ─▶ prompt, in turn ─▶ write together
public actor LlamaEngine: InferenceEngine {
  /// What the files say about themselves.
  public nonisolated let model: ModelDescription
  /// The model's tokens.
  public nonisolated let vocabulary: Vocabulary

  /// How many requests are evaluated together.
  public nonisolated let parallelRequests: Int

  private nonisolated let executor: EngineExecutor
  private let native: NativeModel
  private let decoding: DecodingOptions
  private var constraints: ConstraintPool
  private var lastRequest = 0
  /// How many requests have pictures ready: one more than are evaluated.
  private let admission: Gate
  /// Prompts are evaluated one at a time, so that the next one finds what it has in common.
  private let promptTurn = Gate(1)

  /// Jobs of this actor run here.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private init(
    executor: EngineExecutor, native: NativeModel, decoding: DecodingOptions,
    model: ModelDescription, vocabulary: Vocabulary
  ) {
    self.executor = executor
    self.native = native
    self.decoding = decoding
    self.model = model
    self.vocabulary = vocabulary
    parallelRequests = native.context.sequenceCount
    admission = Gate(native.context.sequenceCount + 1)
    constraints = ConstraintPool(parallelRequests: native.context.sequenceCount)
  }

  /// Loads a model and its projector.
  ///
  /// - Throws: `.fileNotReadable`, `.invalidModel`, `.invalidProjector`, `.insufficientMemory`,
  ///   `.invalidArgument`, `.unsupportedByModel` for a cache in `q8_0` that it cannot have.
  public static func load(
    _ files: ModelFiles, options: LlamaOptions = LlamaOptions()
  ) async throws(FoveaError) -> LlamaEngine {
    try options.validate()
    let executor = EngineExecutor(label: "fovea.llama")
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
        files: files, load: load, chatTemplate: chatTemplate,
        keepsEmbeddings: options.decoding.reusesPrompts, executor: executor)
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
      executor: executor, native: loaded.0, decoding: options.decoding, model: loaded.1,
      vocabulary: loaded.2)
  }

  /// Evaluates the prompt and writes text; see `InferenceEngine`.
  public func generate(
    _ request: GenerationRequest, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    try await withTicket { ticket throws(FoveaError) in
      try await self.generate(request, ticket, onEvent: onEvent)
    }
  }

  /// Runs something with the model on the engine's thread while no request is with it. Cancelling the
  /// task stops what llama.cpp evaluates.
  func withNative<Value: Sendable>(
    _ body: @Sendable (NativeModel, CancellationFlag) throws(FoveaError) -> Value
  ) async throws(FoveaError) -> Value {
    try await withTicket { ticket throws(FoveaError) in
      try await self.native.sequences.takeAll(ticket)
      defer { self.native.sequences.giveBackAll() }
      return try body(self.native, ticket.cancellation)
    }
  }

  /// Gives a request a name, and sees to it that cancelling its task reaches it wherever it is.
  private func withTicket<Value: Sendable>(
    _ body: (RequestTicket) async throws(FoveaError) -> Value
  ) async throws(FoveaError) -> Value {
    lastRequest += 1
    let ticket = RequestTicket(id: lastRequest, cancellation: CancellationFlag())
    let result: Result<Value, FoveaError> = await withTaskCancellationHandler {
      do throws(FoveaError) {
        return .success(try await body(ticket))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      ticket.cancellation.set()
      Task { await self.drop(ticket.id) }
    }
    return try result.get()
  }

  /// Sends a request away that waits for its turn.
  private func drop(_ request: RequestTicket.ID) {
    admission.drop(request)
    native.encodings.drop(request)
    native.sequences.drop(request)
    promptTurn.drop(request)
  }

  // MARK: One request

  private func generate(
    _ request: GenerationRequest, _ ticket: RequestTicket,
    onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    try await admission.enter(ticket)
    defer { admission.leave() }
    let prompt = try await PromptReader(native: native, request: request, ticket: ticket)
      .read()
    let memory = try await native.sequences.take(for: prompt.entries.items, ticket)
    defer { native.sequences.giveBack(memory) }
    guard let maker = request.constraintMaker else {
      return try await write(request, ticket, consume prompt, memory, nil, onEvent: onEvent)
    }
    let constraint = try constraints.take(from: maker)
    defer { constraints.giveBack(constraint, to: maker) }
    return try await write(request, ticket, consume prompt, memory, constraint, onEvent: onEvent)
  }

  private func write(
    _ request: GenerationRequest, _ ticket: RequestTicket, _ prompt: consuming PromptReader.Prompt,
    _ memory: ContextMemory, _ constraint: (any TokenConstraint)?,
    onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    var generation = Generation(
      native: native, memory: memory, vocabulary: vocabulary, request: request, ticket: ticket,
      prompt: consume prompt, options: decoding, constraint: constraint)
    let sampler = try SamplerHandle(request.sampling, tokenCount: vocabulary.count)
    do throws(FoveaError) {
      try await evaluatePrompt(&generation, sampler)
      defer { leave() }
      return try await generation.write(sampler: sampler, onEvent: onEvent)
    } catch {
      throw error.withPartialText(generation.text + generation.unshown)
    }
  }

  /// Evaluates a prompt when it is its turn. From then on the request is at work.
  private func evaluatePrompt(
    _ generation: inout Generation, _ sampler: borrowing SamplerHandle
  ) async throws(FoveaError) {
    try await promptTurn.enter(generation.ticket)
    defer { promptTurn.leave() }
    native.scheduler.enter()
    do throws(FoveaError) {
      try await generation.evaluatePrompt(sampler: sampler)
    } catch {
      leave()
      throw error
    }
  }

  /// A request is at work no more: the others go on, after its result is on its way.
  private func leave() {
    native.scheduler.leave()
    Task { native.scheduler.evaluateWaiting() }
  }
}
