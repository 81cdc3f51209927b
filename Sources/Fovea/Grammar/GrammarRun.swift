/// The plain automaton of a grammar, one byte at a time, without tries, masks, caches and clamped
/// counts: what the masks are proved against.
///
///     var run = GrammarRun(grammar)
///     let position = run.step(run.start, UInt8(ascii: "{"))     // nil: not allowed
package struct GrammarRun: ~Copyable {
  /// Where a text stands.
  package struct Position: Sendable, Hashable {
    fileprivate var configuration: Configuration
  }

  private var automaton: ByteAutomaton

  /// Starts an automaton that tells every count from every other.
  package init(_ grammar: Grammar) { automaton = ByteAutomaton(grammar, reach: 1 << 40) }

  /// Before the first byte.
  package var start: Position { Position(configuration: automaton.start) }

  /// After one more byte; nil where it is not allowed.
  package mutating func step(_ from: Position, _ byte: UInt8) -> Position? {
    let next = automaton.step(from.configuration, byte)
    return next.isDead ? nil : Position(configuration: next)
  }

  /// Whether the text may end here.
  package func isComplete(_ at: Position) -> Bool { automaton.isComplete(at.configuration) }
}
