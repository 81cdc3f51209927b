internal import Fovea

/// Looks at single masks: where the time goes, and what is in one.
struct Inspection {
  /// One mask that was measured.
  struct Slow {
    let id: String
    let run: Int
    let step: Int
    let microseconds: Double
    let allowed: Int
    let before: String
  }

  let subject: Subject
  let matchers: Timing.Matchers

  /// The slowest masks, the slowest first.
  func worst(_ number: Int, of tasks: [BenchTask]) -> [Slow] {
    let timing = Timing(subject: subject, matchers: matchers, repetitions: 1)
    var all: [Slow] = []
    for task in tasks {
      for (index, run) in (timing.measure(task).runs ?? []).enumerated() {
        for (step, time) in run.maskUs.enumerated() {
          let before = subject.text(of: task.runs[index].tokens[..<step])
          all.append(
            Slow(
              id: task.id, run: index, step: step, microseconds: time,
              allowed: run.density[step], before: before))
        }
      }
      all.sort { $0.microseconds > $1.microseconds }
      all.removeLast(max(0, all.count - number))
    }
    return all
  }

  /// Puts one schema's instances through matchers again and again, for a profiler to watch.
  /// `compiles`: the schema is compiled again each time, and only its first mask is made.
  func repeatSchema(
    _ task: BenchTask, times: Int, compiles: Bool
  ) throws(FoveaError) -> (masks: Int, nanoseconds: UInt64) {
    var masks = 0
    let grammar = try subject.compile(task.schema)
    let shared = subject.matcher(grammar)
    let start = Clock.thread()
    for _ in 0..<times {
      if compiles {
        _ = try subject.matcher(subject.compile(task.schema)).allowedTokens()
        masks += 1
        continue
      }
      for run in task.runs {
        let matcher = matchers == .fresh ? subject.matcher(grammar) : shared
        subject.reset(matcher)
        for token in run.tokens where !matcher.isFinished {
          let mask = try matcher.allowedTokens()
          masks += 1
          guard mask.contains(token) else { break }
          try matcher.accept(token)
        }
      }
    }
    return (masks, Clock.thread() - start)
  }

  /// The mask after the first `step` tokens of an instance: its bytes, the lowest token in the
  /// lowest bit of the first, as hexadecimal digits.
  func mask(_ task: BenchTask, run: Int, step: Int) throws(FoveaError) -> String {
    let matcher = subject.matcher(try subject.compile(task.schema))
    for token in task.runs[run].tokens.prefix(step) { try matcher.accept(token) }
    return try matcher.allowedTokens().words.map { word in
      let digits = String(word.byteSwapped, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
