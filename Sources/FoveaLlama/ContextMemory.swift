internal import Fovea

/// The memory of a context and the record of what is in it, kept true together: everything that is
/// evaluated or forgotten goes through here.
///
/// A model with a running state (recurrent and hybrid ones) cannot forget the end of what it read.
/// For it, states are kept at places where another prompt may go a way of its own: at the end of a
/// prompt, and where two prompts parted.
final class ContextMemory {
  private let context: ContextHandle
  private let hasRunningState: Bool

  /// What the memory holds.
  private(set) var record = ContextRecord()
  private var states: [(count: Int, bytes: [UInt8])] = []
  /// Something failed half-way, so that nobody knows what the memory holds.
  private var isUncertain = false

  private static let mostStates = 4

  init(_ context: ContextHandle, hasRunningState: Bool) {
    self.context = context
    self.hasRunningState = hasRunningState
  }

  /// How many tokens the context holds.
  var size: Int { context.size }
  /// The most tokens of a batch.
  var batchSize: Int { context.batchSize }
  /// How many more tokens fit.
  var room: Int { context.size - record.tokenCount }
  /// Whether the last tokens can be forgotten.
  var canForget: Bool { !hasRunningState }
  /// What a further token in a batch costs, where a token alone costs 1.
  var extraTokenCost: Double { context.timing.extraTokenCost }

  // MARK: Prompts

  /// Keeps what a prompt begins with, forgets the rest, and tells how many of the prompt's entries
  /// need no evaluation. The last entry always does, since the answer follows from it.
  ///
  /// - Parameter reuses: Whether anything may be kept.
  func begin(_ prompt: [ContextRecord.Item], reuses: Bool) -> (kept: Int, parted: Int) {
    guard reuses, !isUncertain else {
      clear()
      return (0, 0)
    }
    let common = min(record.commonCount(with: prompt), prompt.count - 1)
    if !forget(to: common) { clear() }
    return (record.items.count, common)
  }

  /// Keeps the model's running state as it is now, for prompts that go on from here.
  func keepState() {
    guard hasRunningState, states.last?.count != record.items.count else { return }
    let bytes = context.runningState()
    if bytes.isEmpty { return }
    states.append((record.items.count, bytes))
    if states.count > Self.mostStates { states.removeFirst() }
  }

  /// Forgets what is behind the first entries, or more where the model cannot forget just that.
  ///
  /// - Returns: Whether so much was forgotten and no more than there was; else nothing has changed.
  private func forget(to count: Int) -> Bool {
    if count == record.items.count { return true }
    if context.forget(from: record.position(ofItem: count)) {
      truncate(to: count)
      return true
    }
    guard let state = states.last(where: { $0.count <= count }) else { return false }
    guard context.restore(state.bytes), context.forget(from: record.position(ofItem: state.count))
    else { return false }
    truncate(to: state.count)
    return true
  }

  private func truncate(to count: Int) {
    record.truncate(to: count)
    states.removeAll { $0.count > count }
  }

  private func clear() {
    context.clear()
    record = ContextRecord()
    states = []
    isUncertain = false
  }

  // MARK: Evaluation

  /// Evaluates tokens; after the last `outputs` of them the next token can be chosen.
  func evaluate(
    _ tokens: [TokenID], outputs: Int, during what: String
  ) throws(FoveaError) {
    try watched { () throws(FoveaError) in
      try context.evaluate(tokens, at: record.position, outputs: outputs, during: what)
    }
    record.append(tokens)
  }

  /// Evaluates an image, or a tile of one, by its embeddings.
  func evaluate(
    _ item: ContextRecord.Item, _ chunks: PromptChunks, _ index: Int, embeddings: [Float],
    projector: ProjectorHandle
  ) throws(FoveaError) {
    try watched { () throws(FoveaError) in
      _ = try context.evaluate(
        chunks, index, embeddings: embeddings, projector: projector, at: record.position)
    }
    record.append(item)
  }

  /// Forgets the last tokens, which were only guesses.
  func forgetLast(_ count: Int) throws(FoveaError) {
    if forget(to: record.items.count - count) { return }
    isUncertain = true
    throw FoveaError(.engineFailed, "llama.cpp could not forget \(count) tokens")
  }

  /// Chooses a token; see `ContextHandle.sample`.
  func sample(
    with sampler: borrowing SamplerHandle, allowed: TokenMask?, fromEnd: Int = 0
  ) throws(FoveaError) -> TokenID {
    try watched { () throws(FoveaError) in
      try context.sample(with: sampler, allowed: allowed, fromEnd: fromEnd)
    }
  }

  private func watched<Value>(_ body: () throws(FoveaError) -> Value) throws(FoveaError) -> Value {
    do throws(FoveaError) {
      return try body()
    } catch {
      isUncertain = true
      throw error
    }
  }
}
