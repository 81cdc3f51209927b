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
  /// The tokens that close the string.
  let closing: ClosingTokens

  /// Sorts the tokens by what they do after `start`.
  init(
    start: UInt32, limits: TextLimits, table: MachineTable, vocabulary: Vocabulary, all: FlatTrie
  ) {
    var inside = TokenMask(count: vocabulary.count)
    // A token has few characters and few states need many more, so most needs are small.
    var needs: [[TokenID]] = []
    var found: [[UInt8]: [ClosingTokens.Closing]] = [:]
    all.walkStates(from: start, in: table) { visit, _, state, characters in
      switch visit {
      case .inside(let range) where range.isEmpty: break
      case .inside(let range):
        let need = Int(characters + limits.leastCharacters(state))
        while needs.count <= need { needs.append([]) }
        for index in range {
          inside.insert(all.tokens[index])
          needs[need].append(all.tokens[index])
        }
      case .closed(let node, let depth):
        for token in all.tokens(from: node) {
          let rest = Array(vocabulary.pieces[Int(token)][(depth + 1)...])
          found[rest, default: []].append(.init(characters: characters, token: token))
        }
      }
      return true
    }
    self.inside = inside
    byNeed = needs.enumerated().reversed().compactMap { need, tokens in
      tokens.isEmpty ? nil : (UInt32(need), tokens)
    }
    closing = ClosingTokens(found)
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
}
