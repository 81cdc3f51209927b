/// The subset construction: from a ``PatternProgram`` to a ``PatternAutomaton``.
///
/// A state is a sorted list of threads. Most threads are just the number of an instruction; one
/// that has passed look-aheads also carries the states of their automata, its *obligations*: all
/// of them must accept what follows. Lists of obligations are kept once and named by a number.
///
///     thread       │ obligations (32 bits) │ instruction (32 bits) │     0 = matched, no strings
///     obligations  │ 0: none │ 1: look-ahead 0 in state 7 │ 2: … │      attached: all is accepted
///
/// `$`, `\b` and `\B` depend on what follows, so threads wait in front of them, and the state
/// knows what kind of character it came from. `^` is decided at once.
struct PatternDeterminization {
  /// What a place of the text is followed by.
  private enum Next { case unknown, wordCharacter, otherCharacter, end }

  private typealias Thread = UInt64
  private typealias Context = PatternAutomaton.Context

  private let program: PatternProgram
  private let alphabet: PatternAlphabet
  private let isWord: [Bool]
  // Each look-ahead's automaton, followed by its complement.
  private let lookaheads: [PatternAutomaton]
  private var budget: Int

  // The automaton under construction.
  private var states: [[Thread]] = [[], []]
  private var contexts: [Context] = [.otherCharacter, .otherCharacter]
  private var accepts = [false, true]
  private var numbers: [[Thread]: UInt32] = [:]

  // Lists of obligations: look-ahead in the upper half, state in the lower.
  private var obligations: [[UInt64]] = [[]]
  private var obligationNumbers: [[UInt64]: UInt64] = [[]: 0]

  // Scratch space of `row`: the threads that go on, by class.
  private var targets: [[Thread]]
  private let everyColumn: [Int]
  // Scratch space of `close`.
  private var seen: [UInt32]
  private var stamp: UInt32 = 0
  private var seenWithObligations: Set<Thread> = []
  private var stack: [Thread] = []

  /// Makes the automaton; each elementary step takes one from the budget.
  static func run(
    _ program: PatternProgram, alphabet: PatternAlphabet, isWord: [Bool],
    lookaheads: [PatternAutomaton], budget: inout Int
  ) throws(PatternError) -> PatternAutomaton {
    var construction = PatternDeterminization(program, alphabet, isWord, lookaheads, budget)
    let result = try construction.run()
    budget = construction.budget
    return result
  }

  /// Whether a match can begin in the middle of a text, so far as `^` tells.
  static func canBeginLater(_ program: PatternProgram, _ alphabet: PatternAlphabet) -> Bool {
    var construction = PatternDeterminization(program, alphabet, [], nil, .max)
    return !construction.close([UInt64(program.start)], .otherCharacter, .unknown).isEmpty
  }

  private init(
    _ program: PatternProgram, _ alphabet: PatternAlphabet, _ isWord: [Bool],
    _ lookaheads: [PatternAutomaton]?, _ budget: Int
  ) {
    self.program = program
    self.alphabet = alphabet
    self.isWord = isWord
    self.lookaheads = lookaheads ?? []
    self.budget = budget
    seen = [UInt32](repeating: 0, count: program.instructions.count)
    targets = [[Thread]](repeating: [], count: alphabet.classCount)
    everyColumn = Array(0..<alphabet.classCount)
  }

  private mutating func run() throws(PatternError) -> PatternAutomaton {
    let width = alphabet.classCount
    var table = [UInt32](repeating: PatternAutomaton.dead, count: width)
    table += [UInt32](repeating: PatternAutomaton.all, count: width)
    let starts = Context.allCases.map { context in
      number(close([Thread(program.start)], context, .unknown), context)
    }
    var position = 2
    while position < states.count {
      if states.count > DFA.mostStates || budget < 0 {
        throw PatternError(.tooLarge, "its automaton has too many states")
      }
      table += row(of: position)
      position += 1
    }
    return PatternAutomaton(width: width, table: table, accepts: accepts, starts: starts)
  }

  /// The number of a state, which may be new.
  private mutating func number(_ threads: [Thread], _ context: Context) -> UInt32 {
    if threads.isEmpty { return PatternAutomaton.dead }
    // The thread that has matched sorts first.
    if threads[0] == 0 { return PatternAutomaton.all }
    var key = threads
    let waiting = waiting(threads)
    if waiting.forEnd { key.append(.max - UInt64(context.rawValue)) }
    if let known = numbers[key] { return known }
    let number = UInt32(states.count)
    numbers[key] = number
    states.append(threads)
    contexts.append(context)
    let atEnd = waiting.forEnd ? close(threads, context, .end) : threads
    accepts.append(acceptsEnd(atEnd))
    return number
  }

  /// Whether some of the threads wait in front of `\b` or `\B`, or of any assertion about what
  /// follows.
  private func waiting(_ threads: [Thread]) -> (forBoundary: Bool, forEnd: Bool) {
    var result = (forBoundary: false, forEnd: false)
    for thread in threads {
      switch program.instructions[Int(thread & 0xFFFF_FFFF)] {
      case .boundary: return (true, true)
      case .textEnd: result.forEnd = true
      default: break
      }
    }
    return result
  }

  /// Whether one of the threads has matched and its obligations hold for the empty rest.
  private func acceptsEnd(_ threads: [Thread]) -> Bool {
    threads: for thread in threads where thread & 0xFFFF_FFFF == 0 {
      for obligation in obligations[Int(thread >> 32)] {
        let isMet = lookaheads[Int(obligation >> 32)].accepts[Int(obligation & 0xFFFF_FFFF)]
        if !isMet { continue threads }
      }
      return true
    }
    return false
  }

  private mutating func row(of state: Int) -> [UInt32] {
    let width = alphabet.classCount
    let threads = states[state]
    let context = contexts[state]
    if waiting(threads).forBoundary {
      step(close(threads, context, .wordCharacter), isWord: true)
      step(close(threads, context, .otherCharacter), isWord: false)
    } else {
      step(threads, isWord: nil)
    }
    var row = [UInt32](repeating: PatternAutomaton.dead, count: width)
    var previous = -1
    for column in 0..<width where !targets[column].isEmpty {
      if previous >= 0, isWord[previous] == isWord[column], targets[previous] == targets[column] {
        row[column] = row[previous]
      } else {
        let context = isWord[column] ? Context.wordCharacter : .otherCharacter
        row[column] = number(close(targets[column], context, .unknown), context)
      }
      previous = column
    }
    for column in 0..<width { targets[column].removeAll(keepingCapacity: true) }
    budget -= width
    return row
  }

  /// Adds where the threads go with a character of each class to `targets`; with `isWord`, of
  /// each class of such characters.
  private mutating func step(_ threads: [Thread], isWord chosen: Bool?) {
    for thread in threads {
      let next: Thread
      let columns: [Int]
      switch program.instructions[Int(thread & 0xFFFF_FFFF)] {
      case .set(let set, let target):
        next = Thread(target)
        columns = alphabet.classesOfSets[set]
      case .match:
        next = 0
        columns = everyColumn
      default: continue
      }
      budget -= columns.count
      for column in columns {
        if let chosen, isWord[column] != chosen { continue }
        if thread >> 32 == 0 {
          targets[column].append(next)
        } else if let duty = advance(thread >> 32, column) {
          targets[column].append(duty << 32 | next)
        }
      }
    }
  }

  /// All instructions that can be reached without taking a character, in order.
  private mutating func close(
    _ seeds: [Thread], _ context: Context, _ next: Next
  ) -> [Thread] {
    stamp += 1
    if !seenWithObligations.isEmpty { seenWithObligations.removeAll(keepingCapacity: true) }
    var result: [Thread] = []
    stack.append(contentsOf: seeds)
    while let thread = stack.popLast() {
      let index = Int(thread & 0xFFFF_FFFF)
      let duty = thread & ~0xFFFF_FFFF
      if duty == 0 {
        if seen[index] == stamp { continue }
        seen[index] = stamp
      } else if !seenWithObligations.insert(thread).inserted {
        continue
      }
      budget -= 1
      switch program.instructions[index] {
      case .set, .match: result.append(thread)
      case .split(let first, let second):
        stack.append(duty | Thread(second))
        stack.append(duty | Thread(first))
      case .textStart(let target):
        if context == .textStart { stack.append(duty | Thread(target)) }
      case .textEnd(let target):
        if next == .unknown { result.append(thread) }
        if next == .end { stack.append(duty | Thread(target)) }
      case .boundary(let isNegated, let target):
        if next == .unknown {
          result.append(thread)
        } else if ((context == .wordCharacter) != (next == .wordCharacter)) != isNegated {
          stack.append(duty | Thread(target))
        }
      case .lookahead(let index, let isNegated, let target):
        let number = index * 2 + (isNegated ? 1 : 0)
        // Without automata the question is only what can be reached at all.
        let start = number < lookaheads.count ? lookaheads[number].starts[context.rawValue] : 1
        if start == PatternAutomaton.dead { continue }
        let added = start == PatternAutomaton.all ? [] : [UInt64(number) << 32 | UInt64(start)]
        stack.append(intern(obligations[Int(duty >> 32)] + added) << 32 | Thread(target))
      }
    }
    if result.count > 1 { result.sort() }
    return result
  }

  private mutating func intern(_ list: [UInt64]) -> UInt64 {
    if list.isEmpty { return 0 }
    let key = list.count > 1 ? Set(list).sorted() : list
    if let known = obligationNumbers[key] { return known }
    let number = UInt64(obligations.count)
    obligationNumbers[key] = number
    obligations.append(key)
    return number
  }

  /// The obligations after a character; nil when one of them can no longer be met.
  private mutating func advance(_ number: UInt64, _ column: Int) -> UInt64? {
    var result: [UInt64] = []
    for obligation in obligations[Int(number)] {
      let automaton = lookaheads[Int(obligation >> 32)]
      let state = automaton.table[Int(obligation & 0xFFFF_FFFF) * automaton.width + column]
      if state == PatternAutomaton.dead { return nil }
      if state != PatternAutomaton.all {
        result.append(obligation & ~0xFFFF_FFFF | UInt64(state))
      }
    }
    // The list is looked up by its value.
    budget -= 10 * (result.count + 1)
    return intern(result)
  }
}
