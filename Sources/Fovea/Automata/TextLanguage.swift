/// Languages of strings, as automata over their UTF-8.
package enum TextLanguage {
  /// All strings: every valid UTF-8 text, without overlong forms and surrogates.
  // The empty pattern is found everywhere; were it refused, nothing would be accepted.
  package static let all: DFA = (try? pattern("")) ?? .empty

  /// The one string.
  package static func exactly(_ text: String) -> DFA { DFA.word(Array(text.utf8)) }

  /// All strings but those of a language.
  package static func complement(_ language: DFA) throws(AutomatonTooLarge) -> DFA {
    try all.subtracting(language)
  }

  /// The strings with a length of so many code points, by unrolling: only for small bounds.
  /// `maximum` nil: no limit.
  package static func length(
    minimum: Int, maximum: Int?
  ) throws(AutomatonTooLarge) -> DFA {
    if let maximum, maximum < max(0, minimum) { return .empty }
    let minimum = max(0, minimum)
    let longest = maximum ?? minimum
    if longest >= DFA.mostStates { throw AutomatonTooLarge(limit: DFA.mostStates) }
    // States 0 and 1 are the dead one and the one after which everything goes; the others count.
    var table: [UInt32] = [0, 1]
    var accepts = [false, true]
    let first = maximum == nil && minimum == 0 ? PatternAutomaton.all : 2
    if first == 2 {
      for length in 0...longest {
        let isLast = length == (maximum == nil ? longest - 1 : longest)
        let end = maximum == nil ? PatternAutomaton.all : PatternAutomaton.dead
        table.append(isLast ? end : UInt32(length + 3))
        accepts.append(length >= minimum)
        if isLast { break }
      }
    }
    let automaton = PatternAutomaton(
      width: 1, table: table, accepts: accepts, starts: [first, first, first])
    return try automaton.bytes(PatternAlphabet([]))
  }

  /// The strings in which an ECMA-262 pattern finds a match (so `b` accepts `abc`).
  ///
  ///     pattern ─▶ tree ─▶ program ─▶ automaton over ─▶ automaton over
  ///                │ sets   threads    classes of         bytes
  ///                ▼                   code points          ▲
  ///                alphabet: classes ──────┴── their UTF-8 ─┘
  ///
  /// - ``PatternParser`` reads the pattern; the sets of code points in it give the classes of the
  ///   ``PatternAlphabet``.
  /// - ``PatternProgram`` unrolls repetitions; its size is known and checked before.
  /// - ``PatternDeterminization`` follows all threads at once. Look-aheads become automata of
  ///   their own, which run along.
  /// - ``PatternAutomaton`` is minimal; its characters are spelled out as UTF-8 at last.
  ///
  /// Semantics are those of the `u` flag, without `i`, `m` and `s`. Supported are `^`, `$`, `\b`,
  /// `\B` and look-aheads wherever they stand, classes, all escapes, `\p{…}` for what
  /// ``CodePointSet/unicode(_:)`` knows, all repetitions, named and other groups. Refused are
  /// look-behind, back-references and flags inside a pattern.
  package static func pattern(_ pattern: String) throws(PatternError) -> DFA {
    try language(of: PatternParser.parse(pattern))
  }

  /// A pattern that only says how many characters of a set there are, `^[a-z]{2,64}$`, as the set
  /// and the bounds: as an automaton it would have a state for every length. Nil for any other.
  package static func repetition(
    _ pattern: String
  ) throws(PatternError) -> (language: DFA, minLength: Int, maxLength: Int)? {
    var tree = try PatternParser.parse(pattern)
    guard case .sequence(let parts) = tree.root.unwrapped, parts.count == 3,
      case .textStart = parts[0].unwrapped, case .textEnd = parts[2].unwrapped,
      case .repetition(let part, let minimum, let maximum) = parts[1].unwrapped,
      case .set = part.unwrapped
    else { return nil }
    tree.root = .sequence([
      .textStart, .repetition(part, minimum: 0, maximum: nil), .textEnd,
    ])
    return (try language(of: tree), minimum, maximum ?? .max)
  }

  private static func language(of tree: PatternTree) throws(PatternError) -> DFA {
    let (automaton, alphabet) = try automaton(tree)
    do { return try automaton.bytes(alphabet) } catch {
      throw PatternError(.tooLarge, "its automaton has more than \(error.limit) states")
    }
  }

  /// How many elementary steps a pattern may take to compile: about a third of a second.
  static let mostSteps = 20_000_000

  private static func automaton(
    _ tree: PatternTree
  ) throws(PatternError) -> (PatternAutomaton, PatternAlphabet) {
    let sets = tree.sets + [.any] + (tree.hasBoundaries ? [.word] : [])
    let alphabet = PatternAlphabet(sets)
    var isWord = [Bool](repeating: false, count: alphabet.classCount)
    if tree.hasBoundaries {
      for column in alphabet.classesOfSets[sets.count - 1] { isWord[column] = true }
    }
    var budget = mostSteps
    var lookaheads: [PatternAutomaton] = []
    for body in tree.lookaheads {
      let automaton = try PatternDeterminization.run(
        try PatternProgram(body), alphabet: alphabet, isWord: isWord, lookaheads: lookaheads,
        budget: &budget)
      lookaheads += [automaton, automaton.complement]
    }
    var program = try PatternProgram(tree.root)
    if PatternDeterminization.canBeginLater(program, alphabet) {
      program.search(any: tree.sets.count)
    }
    let automaton = try PatternDeterminization.run(
      program, alphabet: alphabet, isWord: isWord, lookaheads: lookaheads, budget: &budget)
    return (automaton, alphabet)
  }
}
