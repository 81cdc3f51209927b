internal import AllocationCount
internal import Fovea

/// Counts what masks and accepted tokens allocate once everything was seen before: each document
/// goes through its matcher twice, and the second time is counted. Unlike times, the counts are
/// the same in every run.
struct AllocationCheck {
  struct Count {
    var calls = 0
    var allocations = 0
    var perCall: Double { calls == 0 ? 0 : Double(allocations) / Double(calls) }

    mutating func add(_ allocated: UInt64) {
      calls += 1
      allocations += Int(allocated)
    }
  }

  let subject: Subject
  private(set) var masks = Count()
  private(set) var accepts = Count()
  private(set) var resets = Count()
  /// The schemas with the most allocations, with what they had.
  private(set) var worst: [(id: String, allocations: Int)] = []
  private(set) var refused = 0

  init(subject: Subject) { self.subject = subject }

  mutating func count(_ task: BenchTask) {
    do throws(FoveaError) {
      let matcher = subject.matcher(try subject.compile(task.schema))
      try walk(task, matcher)
      let before = masks.allocations + accepts.allocations
      (masks, accepts, resets) = try walk(task, matcher, masks, accepts, resets)
      let allocations = masks.allocations + accepts.allocations - before
      if allocations > 0 { worst.append((task.id, allocations)) }
    } catch {
      refused += 1
    }
  }

  @discardableResult
  private func walk(
    _ task: BenchTask, _ matcher: GrammarMatcher, _ masks: Count = Count(),
    _ accepts: Count = Count(), _ resets: Count = Count()
  ) throws(FoveaError) -> (masks: Count, accepts: Count, resets: Count) {
    var (masks, accepts, resets) = (masks, accepts, resets)
    for run in task.runs {
      let start = fovea_allocation_count()
      subject.reset(matcher)
      resets.add(fovea_allocation_count() - start)
      for token in run.tokens where !matcher.isFinished {
        let before = fovea_allocation_count()
        let mask = try matcher.allowedTokens()
        let after = fovea_allocation_count()
        masks.add(after - before)
        guard mask.contains(token) else { break }
        let accepting = fovea_allocation_count()
        try matcher.accept(token)
        accepts.add(fovea_allocation_count() - accepting)
      }
    }
    return (masks, accepts, resets)
  }
}
