internal import Foundation
internal import Fovea

/// The memory of one sequence of a context and the record of what is in it, kept true together:
/// everything that is evaluated or forgotten goes through here.
///
/// A model with a running state (recurrent and hybrid ones) cannot forget the end of what it read.
/// For it, states are kept at places where another prompt may go a way of its own: at the end of a
/// prompt, and where two prompts parted.
final class ContextMemory {
  private let context: ContextHandle
  private let sequence: Int32
  private let scheduler: BatchScheduler
  private let hasRunningState: Bool
  /// Who evaluates at present.
  var owner = CancellationFlag()

  /// What the memory holds.
  private(set) var record = ContextRecord()
  private var states: [(count: Int, bytes: [UInt8])] = []
  /// Something failed half-way, so that nobody knows what the memory holds.
  private var isUncertain = false

  /// Where the last token is in its batch.
  private var lastIndex = 0

  private static let mostStates = 4

  init(
    _ context: ContextHandle, sequence: Int32, scheduler: BatchScheduler, hasRunningState: Bool
  ) {
    self.context = context
    self.sequence = sequence
    self.scheduler = scheduler
    self.hasRunningState = hasRunningState
  }

  /// How many tokens the sequence holds.
  var size: Int { context.size }
  /// The most tokens of a batch.
  var batchSize: Int { context.batchSize }
  /// How many more tokens fit.
  var room: Int { context.size - record.tokenCount }
  /// Whether the last tokens can be forgotten.
  var canForget: Bool { !hasRunningState }
  /// What a further token in a batch costs, where a token alone costs 1.
  var extraTokenCost: Double { context.timing.extraTokenCost }
  /// Whether no other request is at work.
  var isAlone: Bool { scheduler.workingCount == 1 }

  // MARK: Prompts

  /// What it surely holds: nothing where something failed half-way.
  var certainRecord: ContextRecord { isUncertain ? ContextRecord() : record }

  /// Takes over what another sequence's memory holds.
  func becomeCopy(of other: ContextMemory) {
    forgetAll()
    context.copy(other.sequence, to: sequence)
    record = other.record
    // Of an evaluation that takes several batches, some may be done.
    _ = context.forget(from: record.position, of: sequence)
  }

  /// Forgets everything.
  func forgetAll() {
    context.clear(sequence)
    record = ContextRecord()
    states = []
    isUncertain = false
  }

  /// Makes it hold just these tokens: as they are in a state that was kept, or by evaluating them.
  ///
  /// - Returns: Whether the state was of use.
  func hold(_ tokens: [TokenID], state: Data?) throws(FoveaError) -> Bool {
    forgetAll()
    let isRestored = state.map { context.restoreWhole($0, of: sequence) } ?? false
    if isRestored {
      record.append(tokens)
    } else {
      forgetAll()
      try evaluateAlone(tokens, outputs: 0, during: "the beginning of a prompt")
    }
    keepState()
    return isRestored
  }

  /// All that it holds, for ``hold(_:state:)``.
  var wholeState: Data { context.wholeState(of: sequence) }

  /// Keeps what a prompt begins with, forgets the rest, and tells how many of the prompt's entries
  /// need no evaluation. The last entry always does, since the answer follows from it.
  ///
  /// - Parameter reuses: Whether anything may be kept.
  func begin(_ prompt: [ContextRecord.Item], reuses: Bool) -> (kept: Int, parted: Int) {
    guard reuses, !isUncertain else {
      forgetAll()
      return (0, 0)
    }
    let common = min(record.commonCount(with: prompt), prompt.count - 1)
    if !forget(to: common) { forgetAll() }
    return (record.items.count, common)
  }

  /// Keeps the model's running state as it is now, for prompts that go on from here.
  func keepState() {
    guard hasRunningState, states.last?.count != record.items.count else { return }
    let bytes = context.runningState(of: sequence)
    if bytes.isEmpty { return }
    states.append((record.items.count, bytes))
    if states.count > Self.mostStates { states.removeFirst() }
  }

  /// Forgets what is behind the first entries, or more where the model cannot forget just that.
  ///
  /// - Returns: Whether so much was forgotten and no more than there was; else nothing has changed.
  private func forget(to count: Int) -> Bool {
    if count == record.items.count { return true }
    if context.forget(from: record.position(ofItem: count), of: sequence) {
      truncate(to: count)
      return true
    }
    guard let state = states.last(where: { $0.count <= count }) else { return false }
    guard context.restore(state.bytes, of: sequence),
      context.forget(from: record.position(ofItem: state.count), of: sequence)
    else { return false }
    truncate(to: state.count)
    return true
  }

  private func truncate(to count: Int) {
    record.truncate(to: count)
    states.removeAll { $0.count > count }
  }

  // MARK: Evaluation

  /// Evaluates tokens; after the last `outputs` of them the next token can be chosen.
  nonisolated(nonsending) func evaluate(
    _ tokens: [TokenID], outputs: Int, during what: String
  ) async throws(FoveaError) {
    do throws(FoveaError) {
      lastIndex = try await scheduler.evaluate(
        piece(tokens, outputs: outputs), for: owner, during: what)
    } catch {
      throw uncertain(error)
    }
    record.append(tokens)
  }

  /// Evaluates tokens at once, while no request is at work.
  func evaluateAlone(
    _ tokens: [TokenID], outputs: Int, during what: String
  ) throws(FoveaError) {
    do throws(FoveaError) {
      lastIndex = try scheduler.evaluateAlone(
        piece(tokens, outputs: outputs), for: owner, during: what)
    } catch {
      throw uncertain(error)
    }
    record.append(tokens)
  }

  private func piece(_ tokens: [TokenID], outputs: Int) -> ContextHandle.Piece {
    precondition(outputs <= batchSize, "outputs must fit a batch")
    return ContextHandle.Piece(
      sequence: sequence, tokens: tokens[...], position: record.position, outputs: outputs)
  }

  /// Evaluates an image, or a tile of one, by its embeddings.
  nonisolated(nonsending) func evaluate(
    _ item: ContextRecord.Item, _ chunks: PromptChunks, _ index: Int, embeddings: [Float],
    projector: ProjectorHandle
  ) async throws(FoveaError) {
    let (context, sequence, owner, position) = (context, sequence, owner, record.position)
    do throws(FoveaError) {
      try await scheduler.evaluateImage(for: owner) { () throws(FoveaError) in
        try context.evaluate(
          chunks, index, embeddings: embeddings, projector: projector, at: position, of: sequence,
          for: owner)
      }
    } catch {
      throw uncertain(error)
    }
    record.append(item)
  }

  /// Forgets the last tokens, which were only guesses.
  func forgetLast(_ count: Int) throws(FoveaError) {
    if forget(to: record.items.count - count) { return }
    throw uncertain(FoveaError(.engineFailed, "llama.cpp could not forget \(count) tokens"))
  }

  /// Chooses the token that follows one of the last evaluation.
  ///
  /// - Parameter fromEnd: How many evaluated tokens come after that one.
  func sample(
    with sampler: borrowing SamplerHandle, allowed: TokenMask?, fromEnd: Int = 0
  ) throws(FoveaError) -> TokenID {
    do throws(FoveaError) {
      return try context.sample(after: lastIndex - fromEnd, with: sampler, allowed: allowed)
    } catch {
      throw uncertain(error)
    }
  }

  /// Notes that nobody knows what the memory holds now.
  private func uncertain(_ error: FoveaError) -> FoveaError {
    isUncertain = true
    return error
  }
}
