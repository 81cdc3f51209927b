internal import Fovea

/// Measures schema by schema, in the order and with the clocks of `peers/masks.py`.
struct Timing {
  /// Which matcher an instance gets.
  enum Matchers: String {
    /// Each instance a new one; the compiled schema is shared. What is kept from mask to mask is
    /// lost between instances.
    case fresh
    /// One for all instances of a schema, reset between them, as the engine does it.
    case reset
  }

  let subject: Subject
  let matchers: Matchers
  /// How often a schema is compiled.
  let repetitions: Int

  func measure(_ task: BenchTask) -> ResultLines.SchemaResult {
    var result = ResultLines.SchemaResult(id: task.id)
    let heap = Clock.heap()
    do throws(FoveaError) {
      let grammar = try compile(task.schema, into: &result)
      let shared = matchers == .reset ? subject.matcher(grammar) : nil
      var held = 0
      result.runs = task.runs.map { run in
        let beginning = Clock.thread()
        let matcher = shared ?? subject.matcher(grammar)
        if shared != nil { subject.reset(matcher) }
        let startTime = Clock.microseconds(Clock.thread() - beginning)
        let measured = measure(run, matcher, startTime: startTime)
        held = max(held, Clock.heap() - heap)
        return measured
      }
      result.heldKb = held
    } catch {
      result.error = error.message
    }
    return result
  }

  private func compile(
    _ schema: String, into result: inout ResultLines.SchemaResult
  ) throws(FoveaError) -> Grammar {
    var first: Grammar?
    for _ in 0..<max(1, repetitions) {
      let start = Clock.thread()
      let grammar = try subject.compile(schema)
      let compiled = Clock.thread()
      _ = try subject.matcher(grammar).allowedTokens()
      let end = Clock.thread()
      let compileTime = Clock.microseconds(compiled - start)
      let maskTime = Clock.microseconds(end - start)
      result.compileUs = result.compileUs ?? compileTime
      result.firstMaskUs = result.firstMaskUs ?? maskTime
      result.bestCompileUs = min(result.bestCompileUs ?? compileTime, compileTime)
      result.bestFirstMaskUs = min(result.bestFirstMaskUs ?? maskTime, maskTime)
      first = first ?? grammar
    }
    if let first { return first }
    return try subject.compile(schema)
  }

  private func measure(
    _ run: BenchTask.Run, _ matcher: GrammarMatcher, startTime: Double
  ) -> ResultLines.RunResult {
    var result = ResultLines.RunResult(valid: run.isValid, startUs: startTime)
    do throws(FoveaError) {
      for token in run.tokens {
        if matcher.isFinished { return result }
        let before = Clock.thread()
        let mask = try matcher.allowedTokens()
        let after = Clock.thread()
        result.maskUs.append(Clock.microseconds(after - before))
        result.density.append(mask.count)
        guard mask.contains(token) else { return result }
        let accepting = Clock.thread()
        try matcher.accept(token)
        result.acceptUs.append(Clock.microseconds(Clock.thread() - accepting))
        result.at += 1
      }
      result.accepted = subject.mayEnd(matcher)
    } catch {
      result.error = error.message
    }
    return result
  }
}
