import FoveaTestSupport

@testable import Fovea

/// Small random automata over the bytes a, b and c (and all others), and their texts.
enum RandomAutomata {
  static let alphabet: [UInt8] = [0x61, 0x62, 0x63]

  /// A table as a test sees it: no classes, no minimization.
  struct Plain {
    /// `next[state][letter]`; state 0 is dead.
    var next: [[Int]]
    var labels: [UInt32]

    func label(of text: [UInt8]) -> UInt32 {
      var state = 1
      for byte in text {
        guard let letter = alphabet.firstIndex(of: byte) else { return 0 }
        state = next[state][letter]
      }
      return labels[state]
    }

    func dfa() throws(AutomatonTooLarge) -> DFA {
      var builder = DFA.Builder()
      for label in labels.dropFirst() { _ = try builder.add(label: label) }
      for state in next.indices.dropFirst() {
        for (letter, byte) in alphabet.enumerated() where next[state][letter] != 0 {
          builder.connect(DFA.State(state), byte, byte, to: DFA.State(next[state][letter]))
        }
      }
      return builder.finish()
    }
  }

  static func plain(
    states: Int, labels: UInt32, using generator: inout SeededGenerator
  ) -> Plain {
    Plain(
      next: [[0, 0, 0]]
        + (0..<states).map { _ in (0..<3).map { _ in Int.random(in: 0...states, using: &generator) }
        },
      labels: [0]
        + (0..<states).map { _ in
          Bool.random(using: &generator) ? 0 : UInt32.random(in: 1...labels, using: &generator)
        })
  }

  /// All texts of up to `length` letters.
  static func texts(upTo length: Int) -> [[UInt8]] {
    var result: [[UInt8]] = [[]]
    var level: [[UInt8]] = [[]]
    for _ in 0..<length {
      level = level.flatMap { text in alphabet.map { text + [$0] } }
      result += level
    }
    return result
  }
}
