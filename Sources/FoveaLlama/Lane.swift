internal import Foundation
internal import Fovea

/// Evaluates requests in a context, on a thread. An engine has one lane for all requests, which it
/// evaluates together; or, where one thread computes a model, a lane for each, side by side.
///
///     one lane        sequence ─▶ prompt, in turn ─▶ write together
///     several lanes   sequence ─▶ prompt ─▶ write    │  sequence ─▶ prompt ─▶ write  │ …
actor Lane {
  private nonisolated let executor: EngineExecutor
  private let native: NativeModel
  private let pictures: PictureEncoder?
  private let vocabulary: Vocabulary
  private let decoding: DecodingOptions
  private var constraints: ConstraintPool
  /// Prompts are evaluated one at a time, so that the next one finds what it has in common.
  private let promptTurn = Gate(1)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ native: NativeModel, pictures: PictureEncoder?, vocabulary: Vocabulary,
    decoding: DecodingOptions
  ) {
    executor = native.executor
    self.native = native
    self.pictures = pictures
    self.vocabulary = vocabulary
    self.decoding = decoding
    constraints = ConstraintPool(parallelRequests: native.context.sequenceCount)
  }

  /// What became of a request, and what the lane's sequences hold since.
  struct Outcome: Sendable {
    var result: Result<GenerationResult, FoveaError>
    var records: [ContextRecord]
  }

  /// Evaluates a prompt and writes text.
  func generate(
    _ request: GenerationRequest, _ ticket: RequestTicket, _ prompt: consuming PromptReader.Prompt,
    onEvent: @Sendable (GenerationEvent) -> Void
  ) async -> Outcome {
    let memory = native.sequences.take(for: prompt.entries.items, ticket)
    let result: Result<GenerationResult, FoveaError>
    do throws(FoveaError) {
      result = .success(
        try await constrain(request, ticket, consume prompt, memory, onEvent: onEvent))
    } catch {
      result = .failure(error)
    }
    native.sequences.giveBack(memory)
    return Outcome(result: result, records: native.sequences.records)
  }

  /// Holds the beginning of prompts, for who has all lanes.
  ///
  /// - Returns: Whether the state was of use, what the sequences hold now, and the state where it was asked
  ///   for.
  func hold(
    _ tokens: [TokenID], state: Data?, for ticket: RequestTicket, givesState: Bool
  ) throws(FoveaError) -> (isRestored: Bool, records: [ContextRecord], state: Data?) {
    let memory = native.sequences.first
    memory.owner = ticket.cancellation
    let isRestored = try memory.hold(tokens, state: state)
    return (isRestored, native.sequences.records, givesState ? memory.wholeState : nil)
  }

  /// Runs something with what the lane evaluates with; for who has all lanes.
  func run<Value: Sendable>(
    _ body: @Sendable (NativeModel) throws(FoveaError) -> Value
  ) throws(FoveaError) -> Value {
    try body(native)
  }

  /// Sends a request away that waits for its turn.
  func drop(_ request: RequestTicket.ID) { promptTurn.drop(request) }

  private func constrain(
    _ request: GenerationRequest, _ ticket: RequestTicket, _ prompt: consuming PromptReader.Prompt,
    _ memory: ContextMemory, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
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
      native: native, pictures: pictures, memory: memory, vocabulary: vocabulary, request: request,
      ticket: ticket, prompt: consume prompt, options: decoding, constraint: constraint)
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
