internal import Fovea

/// The sequences of a context, each with a memory of its own, and who has them. Belongs to the
/// lane's thread.
final class SequencePool {
  private let context: ContextHandle
  private let memories: [ContextMemory]
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
  }

  /// A sequence for who has all of them.
  var first: ContextMemory { memories[0] }

  /// What each sequence holds.
  var records: [ContextRecord] { memories.map(\.certainRecord) }

  /// Takes a sequence: the one whose memory a prompt goes on from, else the least lately used. The lane
  /// lets no more requests in than there are sequences.
  func take(for prompt: [ContextRecord.Item], _ request: RequestTicket) -> ContextMemory {
    cleanWhereIdle()
    let worths = free.map { $0.certainRecord.worth(for: prompt) }
    // The first of equal ones.
    let best = worths.indices.max { worths[$0] < worths[$1] }
    let memory = free.remove(at: best ?? 0)
    memory.owner = request.cancellation
    return memory
  }

  /// Gives a sequence back.
  func giveBack(_ memory: ContextMemory) { free.append(memory) }

  /// Copies what a prompt begins with from the memory of another sequence, where that is much more.
  func share(_ prompt: [ContextRecord.Item], with memory: ContextMemory) {
    guard memory.canForget else { return }
    let own = memory.certainRecord.commonTokens(with: prompt)
    let others = memories.filter { $0 !== memory }
      .map { (memory: $0, common: $0.certainRecord.commonTokens(with: prompt)) }
    if let best = others.max(by: { $0.common < $1.common }),
      best.common >= own + Self.leastTokensToCopy
    {
      memory.becomeCopy(of: best.memory)
    }
  }

  /// Makes the memory of all sequences zero where it may hold what is no number.
  private func cleanWhereIdle() {
    guard context.mayHoldNaN, free.count == memories.count else { return }
    context.clearAll()
    for memory in memories { memory.forgetAll() }
  }
}
