/// A regular language over bytes: a deterministic finite automaton.
///
///     let digits = try DFA.build { builder in …}
///     digits.label(of: "42".utf8)          // 1: accepted
///
/// Bytes that no state tells apart share a class, so a row of the table is as long as there are
/// classes and not 256 entries:
///
///     classes      byte ─▶ class                         256 entries
///     transitions  │ dead: 0 0 0 │ 1: 2 0 1 │ 2: … │      row of a state = state * classCount
///     labels       │     0       │    0     │  1   │      0: the state does not accept
///
/// State 0 is dead: it accepts nothing and never leads out. Every other state can reach an
/// accepting one, and all states can be reached; ``start`` is 0 exactly when the language is
/// empty. A label tells several languages in one automaton apart, for example the names of an
/// object; for a plain language it is 1.
package struct DFA: Sendable, Hashable {
  /// A state's number.
  package typealias State = UInt32

  /// The state that accepts nothing.
  package static let dead: State = 0

  /// The class of each of the 256 bytes.
  package let classes: [UInt8]
  /// How many classes there are.
  package let classCount: Int
  /// `transitions[state * classCount + class]` is the next state.
  package let transitions: [State]
  /// What each state accepts; 0 for nothing.
  package let labels: [UInt32]
  /// Where a text begins.
  package let start: State

  /// How many states there are, the dead one included.
  package var stateCount: Int { labels.count }

  /// Whether nothing is accepted.
  package var isEmpty: Bool { start == Self.dead }

  /// The state after one more byte.
  package func next(_ state: State, _ byte: UInt8) -> State {
    transitions[Int(state) * classCount + Int(classes[Int(byte)])]
  }

  /// The label of a text; 0 when it is not in the language.
  package func label(of text: some Sequence<UInt8>) -> UInt32 {
    var state = start
    for byte in text {
      state = next(state, byte)
      if state == Self.dead { return 0 }
    }
    return labels[Int(state)]
  }

  /// Whether the text is in the language.
  package func accepts(_ text: some Sequence<UInt8>) -> Bool { label(of: text) != 0 }

  /// The language of no text.
  package static let empty = DFA(
    canonical: [0], classes: [UInt8](repeating: 0, count: 256), classCount: 1, labels: [0],
    start: 0)

  /// Makes a value of parts that are in the canonical form already.
  init(
    canonical transitions: [State], classes: [UInt8], classCount: Int, labels: [UInt32],
    start: State
  ) {
    self.classes = classes
    self.classCount = classCount
    self.transitions = transitions
    self.labels = labels
    self.start = start
  }
}

/// An automaton, or a product of automata, needs more states than Fovea spends on one.
package struct AutomatonTooLarge: Error {
  /// The number of states that was the limit.
  package let limit: Int
}
