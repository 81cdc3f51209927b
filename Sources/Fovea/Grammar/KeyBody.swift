/// How tokens behave in a state of an object's own key automaton, the one for keys with patterns:
/// what ``BodyIndex`` is for free strings.
///
///     tokens     `ab`            `x":`                        `d":`
///     walk       stays where     closes an undeclared key,    passes a state that has but a
///                keys are free   label 3, rest `:`            few keys left
///     is in      inside          closing, label 3             irregular: looked at one by one
struct KeyBody: Sendable {
  /// The tokens after which any undeclared key can still come.
  let inside: TokenMask
  /// The tokens that close a key, by its label.
  let closing: [(label: UInt32, tokens: ClosingTokens)]
  /// The tokens for which it depends on which keys are there already.
  let irregular: [TokenID]
  /// The states that tokens lead to which stay inside; those in a loop may have begun a character
  /// beyond it.
  let states: Set<UInt32>
  /// How many nodes of the tree were looked at.
  let visited: Int

  /// Sorts the tokens by what they do after `start`, a state of the grammar's key automata.
  init(
    start: UInt32, grammar: Grammar, vocabulary: Vocabulary, all: FlatTrie,
    loops: inout LoopStates
  ) {
    var inside = TokenMask(count: vocabulary.count)
    var irregular: [TokenID] = []
    var states: Set<UInt32> = []
    var latest: UInt32 = 0
    var found: [UInt32: ClosingTokens.ByRest] = [:]
    visited = all.walkStates(from: start, in: grammar.table, loops: &loops) {
      visit, node, state, characters in
      switch visit {
      case .inside where !grammar.isFreeForever(state):
        irregular += all.tokens(from: node)
        return false
      case .inside(let range), .loop(let range):
        inside.insert(all.tokens, range)
        if state != latest, !range.isEmpty {
          states.insert(state)
          latest = state
        }
      case .closed(let depth):
        let label = grammar.keyNodes[Int(grammar.table.states[Int(state)].detail)].label
        ClosingTokens.collect(
          below: node, of: all, depth: depth, characters: characters, pieces: vocabulary.pieces,
          into: &found[label, default: [:]])
      }
      return true
    }
    self.inside = inside
    self.irregular = irregular
    self.states = states
    closing = found.sorted { $0.key < $1.key }.map { ($0.key, ClosingTokens($0.value)) }
  }
}

extension Grammar {
  /// Whether from this state of a key automaton undeclared keys never run out.
  func isFreeForever(_ id: UInt32) -> Bool {
    let state = table.states[Int(id)]
    if state.role == .keyText { return true }
    return state.role == .keyPattern && table.words[Int(id)] == MachineTable.endless
  }
}
