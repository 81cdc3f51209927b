internal import AllocationCount
internal import Foundation
internal import Fovea

/// Times the grammar engine; see `scripts/bench-grammar`.
@main
struct Main {
  let arguments: Arguments
  let tasks: [BenchTask]

  static func main() {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      let isGood = try Main(arguments: arguments, tasks: BenchTask.read(arguments.tasks)).run()
      exit(isGood ? 0 : 1)
    } catch let error as Arguments.Wrong {
      complain("\(error.message)\n\n\(Arguments.usage)")
      exit(2)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private func run() throws -> Bool {
    if let id = arguments.profile { return try profile(task(id)) }
    if let path = arguments.masksAt { return try writeMasks(places: path) }
    if let number = arguments.worst { return try listWorst(number) }
    return try arguments.countsAllocations ? countAllocations() : time()
  }

  private func time() throws -> Bool {
    let file = try output()
    let reading = Clock.thread()
    let vocabulary = try Subject.readVocabulary(arguments.vocabulary)
    let before = Clock.heap()
    let start = (thread: Clock.thread(), process: Clock.process(), wall: Clock.wall())
    let subject = Subject(vocabulary, budget: arguments.budget)
    let end = (thread: Clock.thread(), process: Clock.process(), wall: Clock.wall())
    let indexed = Clock.heap()
    func milliseconds(_ nanoseconds: UInt64) -> Double { Clock.microseconds(nanoseconds) / 1000 }
    try ResultLines.write(
      ResultLines.Setup(
        vocabulary: arguments.vocabulary, tokens: vocabulary.count,
        matchers: arguments.matchers.rawValue, setupMs: milliseconds(end.thread - start.thread),
        setupProcessMs: milliseconds(end.process - start.process),
        setupWallMs: milliseconds(end.wall - start.wall),
        readMs: milliseconds(start.thread - reading), emptyUs: Clock.overhead(),
        indexKb: indexed - before), to: file)
    let timing = Timing(
      subject: subject, matchers: arguments.matchers, repetitions: arguments.repetitions)
    for task in tasks { try ResultLines.write(timing.measure(task), to: file) }
    try ResultLines.write(ResultLines.End(peakKb: Clock.peakMemory()), to: file)
    return true
  }

  private func output() throws -> FileHandle {
    guard let path = arguments.out else { return .standardOutput }
    try Data().write(to: URL(fileURLWithPath: path))
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  private func writeMasks(places path: String) throws -> Bool {
    let subject = try Subject(
      Subject.readVocabulary(arguments.vocabulary), budget: arguments.budget)
    let inspection = Inspection(subject: subject, matchers: .fresh)
    let file = try output()
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let parts = line.split(separator: "\t").map(String.init)
      guard parts.count == 3, let run = Int(parts[1]), let step = Int(parts[2]) else {
        throw Arguments.Wrong(message: "'\(line)' is no place: id<tab>run<tab>step")
      }
      let mask = try inspection.mask(task(parts[0]), run: run, step: step)
      try file.write(contentsOf: Data((mask + "\n").utf8))
    }
    return true
  }

  private func countAllocations() throws -> Bool {
    guard fovea_counts_allocations() else {
      Self.complain("allocations cannot be counted on this system, only with glibc")
      return false
    }
    let subject = try Subject(
      Subject.readVocabulary(arguments.vocabulary), budget: arguments.budget)
    var check = AllocationCheck(subject: subject)
    for task in tasks { check.count(task) }
    let counts = [
      ("masks", check.masks), ("accepted tokens", check.accepts), ("resets", check.resets),
    ]
    for (name, count) in counts {
      print("\(count.allocations) allocations in \(count.calls) warm \(name)")
    }
    for (id, allocations) in check.worst.sorted(by: { $0.allocations > $1.allocations }).prefix(5) {
      print("  \(allocations) in \(id)")
    }
    if check.refused > 0 { print("\(check.refused) of \(tasks.count) schemas were refused") }
    guard check.masks.calls > 0 else {
      Self.complain("nothing was counted")
      return false
    }
    guard let path = arguments.thresholds else { return true }
    let most = try Thresholds(path: path).allocations
    var isGood = true
    for ((name, count), most) in zip(
      counts, [most.perWarmMask, most.perWarmAccept, most.perWarmReset])
    where count.perCall > most {
      Self.complain("\(count.perCall) allocations in each of the \(name); the threshold is \(most)")
      isGood = false
    }
    return isGood
  }

  private func listWorst(_ number: Int) throws -> Bool {
    let subject = try Subject(
      Subject.readVocabulary(arguments.vocabulary), budget: arguments.budget)
    let inspection = Inspection(subject: subject, matchers: arguments.matchers)
    for slow in inspection.worst(number, of: tasks) {
      let time = String(format: "%9.1f", slow.microseconds)
      print("\(time) µs  \(slow.allowed) allowed  \(slow.id) run \(slow.run) step \(slow.step)")
      print("             …\(slow.before.suffix(90))")
    }
    return true
  }

  private func profile(_ task: BenchTask) throws -> Bool {
    let subject = try Subject(
      Subject.readVocabulary(arguments.vocabulary), budget: arguments.budget)
    let inspection = Inspection(subject: subject, matchers: arguments.matchers)
    let (masks, time) = try inspection.repeatSchema(
      task, times: arguments.times, compiles: arguments.compiles)
    let each = Clock.microseconds(time) / Double(max(1, masks))
    let what = arguments.compiles ? "compile and first mask" : "mask and accepted token"
    print("\(masks) times, \(String(format: "%.3f", each)) µs a \(what)")
    return true
  }

  private func task(_ id: String) throws -> BenchTask {
    guard let task = tasks.first(where: { $0.id == id }) else {
      throw Arguments.Wrong(
        message: "no schema '\(id)' in \(arguments.tasks); it has:\n"
          + tasks.map { "  \($0.id)" }.joined(separator: "\n"))
    }
    return task
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("grammar-bench: \(text)\n".utf8))
  }
}
