import FoveaTestSupport
import Testing

@testable import Fovea

/// Automata against their definition, on all texts up to a length that tells small ones apart.
@Suite("Automata: operations and measures")
struct DFATests {
  static let texts = RandomAutomata.texts(upTo: 5)

  static func describe(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self) }

  @Test(arguments: 1...5)
  func operations(states: Int) throws {
    var generator = SeededGenerator(seed: UInt64(states))
    for round in 0..<12 {
      let first = RandomAutomata.plain(states: states, labels: 3, using: &generator)
      let second = RandomAutomata.plain(
        states: Int.random(in: 1...5, using: &generator), labels: 2, using: &generator)
      let left = try first.dfa()
      let right = try second.dfa()
      let intersection = try left.intersection(right)
      let union = try left.union(right)
      let difference = try left.subtracting(right)
      let sum = try left.product(right) { $0 * 10 + $1 }
      for text in Self.texts {
        let (a, b) = (first.label(of: text), second.label(of: text))
        let isRight =
          left.label(of: text) == a && intersection.label(of: text) == (b == 0 ? 0 : a)
          && union.label(of: text) == (a != 0 ? a : b)
          && difference.label(of: text) == (b == 0 ? a : 0)
          && sum.label(of: text) == a * 10 + b
        if !isRight { Issue.record("round \(round): \(Self.describe(text))") }
      }
      for dfa in [left, intersection, union, difference, sum] { checkForm(dfa) }
    }
  }

  /// What ``DFA`` promises about its parts.
  func checkForm(_ dfa: DFA) {
    #expect(dfa.labels[0] == 0)
    #expect(dfa.transitions.prefix(dfa.classCount).allSatisfy { $0 == 0 })
    #expect(dfa.isEmpty == (dfa.stateCount == 1))
    // Classes are numbered in the order of their first bytes, and no two are equal.
    var highest = -1
    for byte in dfa.classes {
      #expect(Int(byte) <= highest + 1)
      highest = max(highest, Int(byte))
    }
    #expect(highest + 1 == dfa.classCount)
    let columns = (0..<dfa.classCount).map { column in
      (0..<dfa.stateCount).map { dfa.transitions[$0 * dfa.classCount + column] }
    }
    #expect(Set(columns).count == columns.count)
    // Every state is reached, and no two accept the same, nor nothing as the dead one.
    #expect(Self.slowClasses(dfa) == dfa.stateCount)
    var reached: Set<DFA.State> = [dfa.start]
    var pending = [dfa.start]
    while let state = pending.popLast() {
      for byte in 0...255 as ClosedRange<UInt8> {
        let target = dfa.next(state, byte)
        if reached.insert(target).inserted { pending.append(target) }
      }
    }
    reached.insert(0)
    #expect(reached.count == dfa.stateCount)
  }

  /// Moore's algorithm: the number of inequivalent states.
  static func slowClasses(_ dfa: DFA) -> Int {
    var classes = dfa.labels.map { [Int($0)] }
    while true {
      let names = Dictionary(
        Set(classes).enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
      let refined = (0..<dfa.stateCount).map { state in
        [names[classes[state]] ?? -1]
          + (0..<dfa.classCount).map { column in
            names[classes[Int(dfa.transitions[state * dfa.classCount + column])]] ?? -1
          }
      }
      if Set(refined).count == names.count { return names.count }
      classes = refined
    }
  }

  @Test func equalLanguagesAreEqualValues() throws {
    var generator = SeededGenerator(seed: 7)
    var equalPairs = 0
    for _ in 0..<60 {
      let first = RandomAutomata.plain(states: 2, labels: 1, using: &generator)
      let second = RandomAutomata.plain(states: 3, labels: 1, using: &generator)
      let left = try first.dfa()
      let right = try second.dfa()
      let areEqual = Self.texts.allSatisfy { first.label(of: $0) == second.label(of: $0) }
      #expect((left == right) == areEqual)
      if areEqual { equalPairs += 1 }
      // The same language on other ways.
      let everything = try left.union(right)
      #expect(try right.union(left) == everything)
      #expect(
        try left.intersection(right).union(left.subtracting(right)).union(right) == everything)
    }
    #expect(equalPairs > 3)
  }

  @Test func measures() throws {
    var generator = SeededGenerator(seed: 11)
    var finite = 0
    for round in 0..<60 {
      // Few edges, so that some languages are finite.
      var plain = RandomAutomata.plain(states: 3, labels: 2, using: &generator)
      for state in 1...3 {
        for letter in 0..<3 where round % 2 == 0 && plain.next[state][letter] <= state {
          plain.next[state][letter] = 0
        }
      }
      let dfa = try plain.dfa()
      let counts = dfa.wordCounts(limit: 1000)
      let shortest = dfa.shortestCompletions
      for state in 1..<max(1, dfa.stateCount) {
        // Three states: a finite language has texts of up to two letters, an endless one also some
        // of three to five.
        let completions = Self.texts.filter { text in
          dfa.labels[Int(text.reduce(DFA.State(state)) { dfa.next($0, $1) })] != 0
        }
        #expect(shortest[state] == completions.map(\.count).min())
        let isEndless = completions.contains { $0.count > 2 }
        #expect(counts[state] == (isEndless ? 1000 : completions.count))
        if !isEndless { finite += 1 }
        #expect(dfa.wordCounts(limit: 3)[state] == min(3, counts[state]))
      }
      #expect(counts[0] == 0)
      #expect(shortest[0] == 0)
      let words = Self.texts.filter { dfa.accepts($0) }
      if words.contains(where: { $0.count > 2 }) {
        #expect(dfa.allWords(limit: 1000) == nil)
      } else {
        let all = try #require(dfa.allWords(limit: words.count))
        #expect(
          all.map(\.text).sorted { Self.describe($0) < Self.describe($1) }
            == words.sorted { Self.describe($0) < Self.describe($1) })
        #expect(all.allSatisfy { $0.label == dfa.label(of: $0.text) })
        if !words.isEmpty { #expect(dfa.allWords(limit: words.count - 1) == nil) }
      }
    }
    #expect(finite > 20)
  }

  @Test func words() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20 {
      let chosen = (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in
        Self.texts.prefix(121).randomElement(using: &generator)
      }
      let labelled = chosen.enumerated().map { (text: $0.element, label: UInt32($0.offset + 1)) }
      let dfa = try DFA.words(labelled)
      checkForm(dfa)
      for text in Self.texts {
        let label = chosen.lastIndex(of: text).map { UInt32($0 + 1) } ?? 0
        if dfa.label(of: text) != label { Issue.record("\(chosen): \(Self.describe(text))") }
      }
    }
    for text in [[], [0], [255], [0x61, 0x61], Array(0...255), Array("día".utf8)] as [[UInt8]] {
      #expect(DFA.word(text) == (try DFA.words([text])))
      // The slow way to count classes is too slow for 256 columns.
      if text.count < 20 { checkForm(DFA.word(text)) }
    }
  }

  @Test func tooLarge() throws {
    // Lengths that are multiples of coprime numbers: the product counts to their product.
    func multiples(of number: Int) throws -> DFA {
      var builder = DFA.Builder()
      for index in 0..<number { _ = try builder.add(label: index == 0 ? 1 : 0) }
      for index in 0..<number {
        builder.connect(
          DFA.State(index + 1), 0x61, 0x61, to: DFA.State((index + 1) % number + 1))
      }
      return builder.finish()
    }
    let first = try multiples(of: 317)
    let second = try multiples(of: 331)
    #expect(try first.intersection(multiples(of: 7)).stateCount == 317 * 7 + 1)
    #expect(throws: AutomatonTooLarge.self) { try first.intersection(second) }
    #expect(throws: AutomatonTooLarge.self) {
      var builder = DFA.Builder()
      for _ in 0...DFA.mostStates { _ = try builder.add() }
    }
  }

  @Test func longChains() throws {
    // A block that loses one state at a time must not cost the square of its size.
    let length = 5_000
    let chain = DFA.word([UInt8](repeating: 0x61, count: length))
    #expect(chain.stateCount == length + 2)
    #expect(try chain.union(DFA.word([0x62])).stateCount == length + 2)
    #expect(chain.shortestCompletions[1] == length)
    #expect(chain.wordCounts(limit: 5)[1] == 1)
  }
}
