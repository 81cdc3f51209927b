/// How tokens behave in a state of an object's own key automaton, the one for keys with patterns:
/// what ``BodyIndex`` is for free strings.
///
///     tokens     `ab`            `x":`                        `d":`
///     walk       stays where     closes an undeclared key,    passes a state that has but a
///                keys are free   label 3, rest `:`            few keys left
///     is in      inside          groups[label 3]              irregular: looked at one by one
struct KeyBody: Sendable {
  /// The tokens that close a key with one label.
  struct Group: Sendable {
    let label: UInt32
    /// The distinct rests behind the quote; its "tokens" are indices of ``tokens``.
    let rests: FlatTrie
    /// The tokens by their rest.
    let tokens: [[TokenID]]
    /// The tokens without any rest.
    let bare: [TokenID]
  }

  /// The tokens after which any undeclared key can still come.
  let inside: TokenMask
  /// The tokens that close a key.
  let groups: [Group]
  /// The tokens for which it depends on which keys are there already.
  let irregular: [TokenID]

  /// Sorts the tokens by what they do after `start`, a state of the grammar's key automata.
  init(start: UInt32, grammar: Grammar, vocabulary: Vocabulary, trie: TokenTrie) {
    var inside = TokenMask(count: trie.count)
    var irregular: [TokenID] = []
    var found: [UInt32: [[UInt8]: [TokenID]]] = [:]
    let nodes = trie.all.nodes
    var states = [UInt32](repeating: 0, count: trie.longestPiece + 1)
    states[0] = start
    var index = 0
    while index < nodes.count - 1 {
      let node = nodes[index]
      let depth = Int(node.depth)
      let at = states[depth]
      let next = grammar.table.next(grammar.table.states[Int(at)], node.byte)
      if next == MachineTable.Place.dead {
        index = Int(node.after)
        continue
      }
      if next == MachineTable.Place.end {
        let label = grammar.keyNodes[Int(grammar.table.states[Int(at)].detail)].label
        for token in trie.all.tokens(from: index) {
          let rest = Array(vocabulary.pieces[Int(token)][(depth + 1)...])
          found[label, default: [:]][rest, default: []].append(token)
        }
        index = Int(node.after)
        continue
      }
      if !grammar.isFreeForever(next) {
        irregular += trie.all.tokens(from: index)
        index = Int(node.after)
        continue
      }
      states[depth + 1] = next
      index += 1
      for token in Int(node.first)..<Int(nodes[index].first) {
        inside.insert(trie.all.tokens[token])
      }
    }
    self.inside = inside
    self.irregular = irregular
    groups = found.sorted { $0.key < $1.key }.map { label, rests in
      let sorted = rests.filter { !$0.key.isEmpty }.sorted {
        $0.key.lexicographicallyPrecedes($1.key)
      }
      return Group(
        label: label,
        rests: FlatTrie(sorted: sorted.indices.map { TokenID($0) }, pieces: sorted.map(\.key)),
        tokens: sorted.map(\.value), bare: rests[[]] ?? [])
    }
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
