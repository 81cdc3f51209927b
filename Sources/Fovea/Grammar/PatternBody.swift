/// How tokens behave in a state of a string's own automaton when its length is bounded: what
/// ``BodyIndex`` is for free strings. For languages in which a string that can be completed at all
/// can be completed with any greater length.
///
///     state q, token `ab`     ends in q', 2 characters later, where 3 more are needed at least
///                             ⇒ needs room for 5
///
/// so one walk over all tokens serves every length: a mask is what stays inside, without those
/// that need more room than there is.
struct PatternBody: Sendable {
  /// The tokens after which the string goes on.
  let inside: TokenMask
  /// The same by the room they need, greatest first.
  private let byNeed: [(characters: UInt32, tokens: [TokenID])]
  /// The distinct rests behind the quote; its "tokens" are indices of ``groups``.
  private let rests: FlatTrie
  /// The tokens that close the string, by their rest; the last group has none.
  private let groups: [[BodyIndex.Closing]]

  /// Sorts the tokens by what they do after `start`.
  init(
    start: UInt32, limits: TextLimits, table: MachineTable, vocabulary: Vocabulary, trie: TokenTrie
  ) {
    var inside = TokenMask(count: trie.count)
    // A token has few characters and few states need many more, so most needs are small.
    var needs: [[TokenID]] = []
    var found: [[UInt8]: [BodyIndex.Closing]] = [:]
    let nodes = trie.all.nodes
    var states = [(state: UInt32, characters: UInt32)](
      repeating: (0, 0), count: trie.longestPiece + 1)
    states[0] = (start, 0)
    var index = 0
    while index < nodes.count - 1 {
      let node = nodes[index]
      let depth = Int(node.depth)
      let at = states[depth]
      let next = table.next(table.states[Int(at.state)], node.byte)
      if next < MachineTable.Place.firstMachine {
        if next == MachineTable.Place.end {
          for token in trie.all.tokens(from: index) {
            let rest = Array(vocabulary.pieces[Int(token)][(depth + 1)...])
            found[rest, default: []].append(.init(characters: at.characters, token: token))
          }
        }
        index = Int(node.after)
        continue
      }
      let characters = at.characters + (table.states[Int(next)].isBoundary ? 1 : 0)
      states[depth + 1] = (next, characters)
      index += 1
      let range = Int(node.first)..<Int(nodes[index].first)
      if range.isEmpty { continue }
      let need = characters + limits.leastCharacters(next)
      while needs.count <= Int(need) { needs.append([]) }
      for index in range {
        inside.insert(trie.all.tokens[index])
        needs[Int(need)].append(trie.all.tokens[index])
      }
    }
    self.inside = inside
    byNeed = needs.enumerated().reversed().compactMap { need, tokens in
      tokens.isEmpty ? nil : (UInt32(need), tokens)
    }
    let bare = found.removeValue(forKey: []) ?? []
    let sorted = found.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    rests = FlatTrie(sorted: sorted.indices.map { TokenID($0) }, pieces: sorted.map(\.key))
    groups = sorted.map(\.value) + [bare]
  }

  /// Puts the tokens into `mask` that stay inside with so much room; nil for any.
  func insertInside(room: UInt32?, into mask: inout TokenMask) {
    mask.formUnion(inside)
    guard let room else { return }
    for (need, tokens) in byNeed {
      if need <= room { return }
      for token in tokens { mask.remove(token) }
    }
  }

  /// Puts the tokens into `mask` that close the string after a number of characters in
  /// `characters` and go on as `after` allows. Returns how many nodes were looked at.
  func insertClosing(
    after: Configuration, characters: ClosedRange<UInt32>, of automaton: inout ByteAutomaton,
    into mask: inout TokenMask, scratch: inout WalkScratch
  ) -> Int {
    if after.isDead { return 0 }
    scratch.found.removeAll(keepingCapacity: true)
    let visited = rests.appendAllowed(
      from: after, of: &automaton, to: &scratch.found, stack: &scratch.stack)
    if automaton.admits(after) { scratch.found.append(TokenID(groups.count - 1)) }
    for group in scratch.found {
      for closing in groups[Int(group)] where characters.contains(closing.characters) {
        mask.insert(closing.token)
      }
    }
    return visited
  }
}
