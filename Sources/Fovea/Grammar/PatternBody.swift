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
  /// The tokens after which the string goes on and that were looked at, by the room they need,
  /// ascending.
  private let byNeed: [(characters: UInt32, tokens: [TokenID])]
  /// The tokens that stay in the loop of a state, by what that state still needs.
  private let looping: [(characters: UInt32, tokens: TokenMask)]
  /// The tokens that close the string.
  let closing: ClosingTokens
  /// The most characters that are needed at least after a token that stays inside.
  let mostNeeded: UInt32
  /// How many nodes of the tree were looked at.
  let visited: Int

  /// Sorts the tokens by what they do after `start`.
  init(
    start: UInt32, limits: TextLimits, table: MachineTable, vocabulary: Vocabulary, all: FlatTrie,
    loops: inout LoopStates
  ) {
    var mostNeeded: UInt32 = 0
    var needs: [UInt32] = []
    var tokens: [TokenID] = []
    var looping: [(characters: UInt32, tokens: TokenMask)] = []
    var found: ClosingTokens.ByRest = [:]
    visited = all.walkStates(from: start, in: table, loops: &loops) {
      visit, node, state, characters in
      switch visit {
      case .inside(let range) where range.isEmpty: break
      case .inside(let range):
        let least = limits.leastCharacters(state)
        mostNeeded = max(mostNeeded, least)
        for index in range {
          needs.append(characters + least)
          tokens.append(all.tokens[index])
        }
      case .loop(let range):
        let least = limits.leastCharacters(state)
        mostNeeded = max(mostNeeded, least)
        let found = looping.firstIndex { $0.characters == least } ?? looping.count
        if found == looping.count { looping.append((least, TokenMask(count: vocabulary.count))) }
        looping[found].tokens.insert(all.tokens, range)
      case .closed(let depth):
        ClosingTokens.collect(
          below: node, of: all, depth: depth, characters: characters, pieces: vocabulary.pieces,
          into: &found)
      }
      return true
    }
    // A token has few characters and few states need many more, so most needs are small.
    var byNeed = [[TokenID]](repeating: [], count: Int(needs.max() ?? 0) + 1)
    for (need, token) in zip(needs, tokens) { byNeed[Int(need)].append(token) }
    self.byNeed = byNeed.enumerated().compactMap { need, tokens in
      tokens.isEmpty ? nil : (UInt32(need), tokens)
    }
    self.looping = looping
    self.mostNeeded = mostNeeded
    closing = ClosingTokens(found)
  }

  /// Puts the tokens into `mask` that stay inside with so much room; nil for any. `text` knows how
  /// much room the tokens of a loop take.
  func insertInside(room: UInt32?, text: BodyIndex, into mask: inout TokenMask) {
    for (least, tokens) in looping {
      guard let room else {
        mask.formUnion(tokens)
        continue
      }
      if room < least { continue }
      if let inside = text.inside(level: text.level(room: Int(room - least))) {
        mask.formUnion(tokens, intersectedWith: inside)
      }
    }
    for (need, tokens) in byNeed {
      if let room, need > room { return }
      for token in tokens { mask.insert(token) }
    }
  }
}
