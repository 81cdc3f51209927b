internal import Fovea

/// The sequences of a context, each with a memory of its own, and who has them. Belongs to the
/// engine's thread.
final class SequencePool {
  private let context: ContextHandle
  private let memories: [ContextMemory]
  private let gate: Gate
  /// Two that each had some of the sequences would wait for each other.
  private let turnForAll = Gate(1)
  /// The sequences that nobody has, the least lately used first.
  private var free: [ContextMemory]

  /// A copy of another sequence's memory pays from so many tokens on.
  private static let leastTokensToCopy = 64

  init(_ context: ContextHandle, scheduler: BatchScheduler, hasRunningState: Bool) {
    self.context = context
    memories = (0..<context.sequenceCount).map {
      ContextMemory(
        context, sequence: Int32($0), scheduler: scheduler, hasRunningState: hasRunningState)
    }
    free = memories
    gate = Gate(context.sequenceCount)
  }

  /// A sequence for who has all of them.
  var first: ContextMemory { memories[0] }

  /// Waits for a sequence: the one whose memory a prompt goes on from, else the least lately used.
  nonisolated(nonsending) func take(
    for prompt: [ContextRecord.Item], _ request: RequestTicket
  ) async throws(FoveaError) -> ContextMemory {
    try await gate.enter(request)
    cleanWhereIdle()
    let best = free.indices.max { worth(of: free[$0], prompt) < worth(of: free[$1], prompt) }
    let memory = free.remove(at: best ?? 0)
    memory.owner = request.cancellation
    return memory
  }

  /// What a sequence saves if it is taken: as many tokens as it has in common, unless more would be lost
  /// that way. The first of equal ones is used, which is the least lately used.
  private func worth(of memory: ContextMemory, _ prompt: [ContextRecord.Item]) -> Int {
    let common = memory.commonTokens(with: prompt)
    return 2 * common >= memory.record.tokenCount ? common : 0
  }

  /// Gives a sequence back.
  func giveBack(_ memory: ContextMemory) {
    free.append(memory)
    gate.leave()
  }

  /// Whether some sequence's memory begins with these entries.
  func holds(_ beginning: ArraySlice<ContextRecord.Item>) -> Bool {
    memories.contains { $0.begins(with: beginning) }
  }

  /// Copies what a prompt begins with from the memory of another sequence, where that is much more.
  func share(_ prompt: [ContextRecord.Item], with memory: ContextMemory) {
    guard memory.canForget else { return }
    let own = memory.commonTokens(with: prompt)
    let others = memories.filter { $0 !== memory }
      .map { (memory: $0, common: $0.commonTokens(with: prompt)) }
    if let best = others.max(by: { $0.common < $1.common }),
      best.common >= own + Self.leastTokensToCopy
    {
      memory.becomeCopy(of: best.memory)
    }
  }

  /// Waits for all sequences: nobody else is at work then.
  nonisolated(nonsending) func takeAll(_ request: RequestTicket) async throws(FoveaError) {
    try await turnForAll.enter(request)
    for count in memories.indices {
      do throws(FoveaError) {
        try await gate.enter(request)
      } catch {
        giveBackAll(but: memories.count - count)
        throw error
      }
    }
  }

  /// Gives all sequences back.
  func giveBackAll() { giveBackAll(but: 0) }

  private func giveBackAll(but missing: Int) {
    for _ in memories.dropLast(missing) { gate.leave() }
    turnForAll.leave()
  }

  /// Sends a request away that waits.
  func drop(_ request: RequestTicket.ID) {
    gate.drop(request)
    turnForAll.drop(request)
  }

  /// Makes the memory of all sequences zero where it may hold what is no number.
  private func cleanWhereIdle() {
    guard context.mayHoldNaN, free.count == memories.count else { return }
    context.clearAll()
    for memory in memories { memory.forgetAll() }
  }
}
