internal import Fovea

/// Evaluates the tokens of several requests together. A request that is at work either computes
/// something of its own, as choosing a token, or waits for an evaluation; once all of them wait, a
/// batch is made of what they want:
///
///     request 1   choose ─ tokens ─┐             ┌─ choose …
///     request 2   choose ─ tokens ─┼─▶ a batch ──┼─ choose …
///     request 3   a long prompt ───┘             └─ waits for the rest of its prompt
///
/// So nobody's logits are written over before they were looked at. A request that is alone does not
/// wait. Belongs to the engine's thread.
final class BatchScheduler {
  private let context: ContextHandle
  private let executor: EngineExecutor
  /// How many requests are at work.
  private(set) var workingCount = 0
  private var waiting: [Demand] = []

  /// What a request waits for.
  private struct Demand {
    enum Work {
      case tokens(ContextHandle.Piece)
      /// An image is evaluated alone: mtmd makes the batches for it.
      case image(() throws(FoveaError) -> Void)
    }

    var work: Work
    let owner: CancellationFlag
    let name: String
    let continuation: CheckedContinuation<Result<Int, FoveaError>, Never>

    /// How many tokens it is about; an image's do not count.
    var tokenCount: Int {
      if case .tokens(let piece) = work { piece.tokens.count } else { 0 }
    }
  }

  init(_ context: ContextHandle, executor: EngineExecutor) {
    self.context = context
    self.executor = executor
  }

  /// Says that a request will want evaluations: the others wait for it.
  func enter() { workingCount += 1 }

  /// Says that a request wants no evaluation for some time. Then ``evaluateWaiting()`` must follow.
  func leave() { workingCount -= 1 }

  /// Evaluates what is waited for, unless a request is still at something of its own.
  func evaluateWaiting() {
    while !waiting.isEmpty, waiting.count == workingCount { evaluateSome() }
  }

  /// Evaluates tokens; for a request that has entered.
  ///
  /// - Returns: Where the last token is in its batch, for sampling.
  nonisolated(nonsending) func evaluate(
    _ piece: ContextHandle.Piece, for owner: CancellationFlag, during name: String
  ) async throws(FoveaError) -> Int {
    // Whoever comes now is to go along.
    await executor.letOthersRun()
    if workingCount == 1 { return try evaluateAlone(piece, for: owner, during: name) }
    return try await wait(.tokens(piece), for: owner, during: name)
  }

  /// Runs the evaluation of an image; for a request that has entered.
  nonisolated(nonsending) func evaluateImage(
    for owner: CancellationFlag, _ body: @escaping () throws(FoveaError) -> Void
  ) async throws(FoveaError) {
    if workingCount == 1 { return try body() }
    _ = try await wait(.image(body), for: owner, during: "an image")
  }

  /// Evaluates tokens at once, while no request is at work or just this one.
  func evaluateAlone(
    _ piece: ContextHandle.Piece, for owner: CancellationFlag, during name: String
  ) throws(FoveaError) -> Int {
    var rest = piece
    var last = 0
    while let part = rest.removeFirst(atMost: context.batchSize) {
      try context.evaluate([part], for: [owner], during: name)
      last = part.tokens.count - 1
    }
    return last
  }

  private nonisolated(nonsending) func wait(
    _ work: Demand.Work, for owner: CancellationFlag, during name: String
  ) async throws(FoveaError) -> Int {
    let result = await withCheckedContinuation { continuation in
      waiting.append(
        Demand(work: work, owner: owner, name: name, continuation: continuation))
      evaluateWaiting()
    }
    return try result.get()
  }

  // MARK: What is evaluated next

  private func evaluateSome() {
    if let index = waiting.firstIndex(where: { $0.tokenCount == 0 }),
      case .image(let body) = waiting[index].work
    {
      let demand = waiting.remove(at: index)
      demand.continuation.resume(
        returning: Result { () throws(FoveaError) in
          try body()
          return 0
        })
      return
    }
    evaluateBatch()
  }

  /// Up to so many tokens of a sequence wait for batches that are evaluated anyway.
  private static let mostTokensToAlign = 16

  /// Evaluates a batch of what is waited for: the shortest first, since long prompts need several batches
  /// anyway.
  ///
  /// llama.cpp evaluates sequences together as far as all of them go on, and what is left of each by
  /// itself. So of short pieces all give as many tokens as the shortest has.
  private func evaluateBatch() {
    var parts: [(index: Int, piece: ContextHandle.Piece)] = []
    var room = context.batchSize
    let order = waiting.indices.sorted { waiting[$0].tokenCount < waiting[$1].tokenCount }
    let least = order.first.map { waiting[$0].tokenCount } ?? 0
    for index in order {
      guard case .tokens(var piece) = waiting[index].work else { continue }
      let most = piece.tokens.count > Self.mostTokensToAlign ? room : min(room, least)
      guard let part = piece.removeFirst(atMost: most) else { continue }
      waiting[index].work = .tokens(piece)
      parts.append((index, part))
      room -= part.tokens.count
    }
    // llama.cpp evaluates sequences together whose numbers follow each other.
    parts.sort { $0.piece.sequence < $1.piece.sequence }
    let owners = parts.map { waiting[$0.index].owner }
    let failure: FoveaError?
    do throws(FoveaError) {
      try context.evaluate(
        parts.map(\.piece), for: owners,
        during: parts.count == 1 ? waiting[parts[0].index].name : "several requests")
      failure = nil
    } catch {
      failure = error
    }
    finish(parts.map { ($0.index, $0.piece.tokens.count) }, failure: failure)
  }

  /// Lets those go on that have what they waited for.
  private func finish(_ parts: [(index: Int, tokenCount: Int)], failure: FoveaError?) {
    var done: Set<Int> = []
    var end = 0
    for (index, count) in parts {
      end += count
      if let failure {
        waiting[index].continuation.resume(returning: .failure(failure))
      } else if waiting[index].tokenCount == 0 {
        waiting[index].continuation.resume(returning: .success(end - 1))
      } else {
        continue
      }
      done.insert(index)
    }
    waiting = waiting.indices.filter { !done.contains($0) }.map { waiting[$0] }
  }
}

extension ContextHandle.Piece {
  /// Takes so many tokens off the front, at most; tokens after which one can be chosen stay together.
  ///
  /// - Returns: Nil where nothing is left, or no part of it fits.
  fileprivate mutating func removeFirst(atMost room: Int) -> ContextHandle.Piece? {
    let fits = tokens.count <= room
    let count = fits ? tokens.count : min(room, tokens.count - outputs)
    guard count > 0 else { return nil }
    var part = self
    part.tokens = tokens.prefix(count)
    part.outputs = fits ? outputs : 0
    tokens.removeFirst(count)
    position += Int32(count)
    return part
  }
}
