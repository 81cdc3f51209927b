/// A context-free language over bytes: states with byte edges and calls.
///
///     let machine = try RuleMachine(gbnf: "root ::= \"(\" root? \")\"")
///
/// A call runs the machine from `callee` until that may end, and goes on at `returnState`:
///
///     root    1 ──"("──▶ 2 ──")"──▶ 3 (final)
///                        │ ▲
///                call 1 ─┘ └ returns to 4 ──")"──▶ 3
///
/// For whoever runs it:
///
/// - A state has at most one target for a byte, but a byte and calls, or several calls, may be
///   alternatives.
/// - What is called always reads a byte: a callee is never final itself, and no chain of calls
///   without a byte in between comes back to where it began. So the calls at one point of a text
///   are finitely many.
/// - A call behind which nothing can follow is a tail call (``none``): it leaves no frame, so
///   loops and right recursion need no more of them the longer the text gets.
/// - Every state but the dead one can reach its end, and is reached from ``start``.
package struct RuleMachine: Sendable, Hashable {
  /// A part of the text that another state's language describes.
  package struct Call: Sendable, Hashable {
    /// Where that part begins.
    package var callee: UInt32
    /// Where the text goes on after it; ``RuleMachine/none``: the caller ends with it.
    package var returnState: UInt32
  }

  /// A range of bytes and where it leads.
  package struct Edge: Sendable, Hashable {
    /// The first byte.
    package var low: UInt8
    /// The last byte.
    package var high: UInt8
    /// The next state.
    package var target: UInt32
  }

  /// What may come next.
  package struct State: Sendable, Hashable {
    /// By byte: sorted and disjoint.
    package var edges: [Edge]
    /// By call.
    package var calls: [Call]
    /// Whether the text, or the part that was called, may end here.
    package var isFinal: Bool
    /// The least number of bytes to that end.
    package var shortest: Int
  }

  /// The return state of a tail call.
  package static let none: UInt32 = 0

  /// All states; number 0 is dead.
  package var states: [State]
  /// Where a text begins; 0: the language is empty.
  package var start: UInt32

  /// The dead state.
  static let dead = State(edges: [], calls: [], isFinal: false, shortest: 0)
}
