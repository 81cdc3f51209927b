public import Fovea

/// Runs a GGUF model, with its projector where it has one, through llama.cpp and mtmd.
///
///     let engine = try await LlamaEngine.load(.gguf("model.gguf", projector: "mmproj.gguf"))
///     let model = LanguageModel(engine: engine)
///
/// Model and projector are loaded once. Requests are evaluated on threads of the engine's own, several
/// of them together or side by side (`LlamaOptions.parallelRequests`); what a prompt has in common with
/// an earlier one is not evaluated again. Everything native is freed when the last reference goes.
///
///     request ─▶ admission ─▶ read, encode pictures ─▶ lane: evaluate the prompt, write
public actor LlamaEngine: InferenceEngine {
  /// What the files say about themselves.
  public nonisolated let model: ModelDescription
  /// The model's tokens.
  public nonisolated let vocabulary: Vocabulary

  /// How many requests are evaluated together.
  public nonisolated let parallelRequests: Int

  /// The model's file.
  let path: String
  private nonisolated let executor: EngineExecutor
  let loaded: LoadedModel
  /// Nil: the model cannot see pictures.
  private let pictures: PictureEncoder?
  let lanes: LanePool
  private var lastRequest = 0
  /// How many requests have pictures ready: one more than are evaluated.
  private let admission: Gate

  /// Jobs of this actor run here.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private init(
    path: String, executor: EngineExecutor, natives: [NativeModel], first: NativeModel,
    decoding: DecodingOptions,
    model: ModelDescription, vocabulary: Vocabulary
  ) {
    let loaded = first.loaded
    let pictures = loaded.projector.map {
      PictureEncoder(
        $0, executor: executor, isBeside: loaded.plan.encodesBeside.value,
        keepsEmbeddings: decoding.reusesPrompts)
    }
    let shape = ContextShape(
      size: first.context.size, batchSize: first.context.batchSize,
      sequenceCount: first.context.sequenceCount)
    let lanes = LanePool(
      natives.map {
        Lane($0, pictures: pictures, vocabulary: vocabulary, decoding: decoding)
      }, context: shape)
    self.path = path
    self.executor = executor
    self.loaded = loaded
    self.pictures = pictures
    self.lanes = lanes
    self.model = model
    self.vocabulary = vocabulary
    parallelRequests = lanes.capacity
    admission = Gate(lanes.capacity + 1)
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
    let parts = try await executor.run { () throws(FoveaError) in
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
      let loaded = try LoadedModel(files: files, load: load, chatTemplate: chatTemplate)
      let first = try NativeModel(
        loaded, executor: loaded.plan.contextCount == 1 ? executor : Self.laneExecutor())
      var natives = [first]
      while natives.count < loaded.plan.contextCount {
        natives.append(try NativeModel(loaded, executor: Self.laneExecutor()))
      }
      var description = ModelDescription(
        name: text.name ?? files.model, architecture: text.architecture,
        parameterCount: loaded.weights.parameterCount, contextSize: first.context.size,
        supportsImages: loaded.projector?.supportsImages ?? false,
        imageRequirements: requirements, chatTemplate: chatTemplate,
        speaksChatML: try loaded.weights.hasControlTokens(PromptFormat.chatMLTokens),
        promptStyle: text.promptStyle, defaultInstruction: text.defaultInstruction,
        sampling: text.sampling)
      description.tokenTexts = loaded.weights.tokenTexts
      return (natives, first, description, loaded.weights.readVocabulary())
    }
    return LlamaEngine(
      path: files.model, executor: executor, natives: parts.0, first: parts.1,
      decoding: options.decoding,
      model: parts.2, vocabulary: parts.3)
  }

  private static func laneExecutor() -> EngineExecutor { EngineExecutor(label: "fovea.llama.lane") }

  /// Evaluates the prompt and writes text; see `InferenceEngine`.
  public func generate(
    _ request: GenerationRequest, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    try await withTicket { ticket throws(FoveaError) in
      try await self.generate(request, ticket, onEvent: onEvent)
    }
  }

  /// Runs something with what evaluates requests while no request is with it. Cancelling the task
  /// stops what llama.cpp evaluates.
  func withNative<Value: Sendable>(
    _ body: @Sendable (NativeModel, CancellationFlag) throws(FoveaError) -> Value
  ) async throws(FoveaError) -> Value {
    try await withTicket { ticket throws(FoveaError) in
      let lane = try await self.lanes.enterAlone(ticket)
      defer { self.lanes.leaveAlone() }
      return try await lane.run { native throws(FoveaError) in try body(native, ticket.cancellation)
      }
    }
  }

  /// Gives a request a name, and sees to it that cancelling its task reaches it wherever it is.
  func withTicket<Value: Sendable>(
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

  /// Sends a request away that waits for its turn, wherever that is.
  private func drop(_ request: RequestTicket.ID) async {
    admission.drop(request)
    lanes.drop(request)
    await pictures?.drop(request)
    for lane in lanes.lanes { await lane.drop(request) }
  }

  private func generate(
    _ request: GenerationRequest, _ ticket: RequestTicket,
    onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    try await admission.enter(ticket)
    defer { admission.leave() }
    let prompt = try await PromptReader(
      model: loaded, pictures: pictures, lanes: lanes, request: request, ticket: ticket
    ).read()
    let lane = try await lanes.enter(for: prompt.entries.items, ticket)
    let outcome = await lane.generate(request, ticket, consume prompt, onEvent: onEvent)
    lanes.leave(lane, records: outcome.records)
    return try outcome.result.get()
  }
}
