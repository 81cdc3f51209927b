/// How the tokens of a vocabulary behave between two characters of a free string or key.
///
///     tokens         `ab`          `é` + half of one     `b":`              `\n",`
///     stays inside   2 characters  1, and needs a 2nd    -                  -
///     closes         -             -                     after 1, rest `:`  after 1, rest `,`
///
/// What stays inside does not depend on what comes after the string: it is a mask, and with a
/// greatest length one mask for each number of characters. What closes the string depends on it
/// only through the bytes behind the quote, so these are a small tree of their own.
struct BodyIndex: Sendable {
  /// The tokens that stay inside, for any length.
  let inside: TokenMask
  /// The same for those that need at most so many characters, ascending.
  private let insideByNeed: [(characters: Int, tokens: TokenMask)]
  /// The tokens that close the string.
  let closing: ClosingTokens

  /// Sorts the tokens by what they do after `start`, a state of the base's automata.
  init(start: UInt32, all: FlatTrie, pieces: [[UInt8]], isByNeed: Bool) {
    let table = MachineTable.base.table
    var inside = TokenMask(count: pieces.count)
    var byNeed: [Int: [TokenID]] = [:]
    var found: ClosingTokens.ByRest = [:]
    // The tree does not know yet what is below its nodes, so that no token is passed over.
    var loops = LoopStates()
    all.walkStates(from: start, in: table, loops: &loops) { visit, node, state, characters in
      switch visit {
      case .loop: break
      case .inside(let range):
        inside.insert(all.tokens, range)
        if isByNeed, !range.isEmpty {
          let need = Int(characters) + (table.states[Int(state)].isBoundary ? 0 : 1)
          byNeed[need, default: []] += all.tokens[range]
        }
      case .closed(let depth):
        ClosingTokens.collect(
          below: node, of: all, depth: depth, characters: characters, pieces: pieces, into: &found)
      }
      return true
    }
    self.inside = inside
    var mask = TokenMask(count: pieces.count)
    insideByNeed = byNeed.keys.sorted().map { need in
      for token in byNeed[need] ?? [] { mask.insert(token) }
      return (need, mask)
    }
    closing = ClosingTokens(found)
  }

  /// The tokens that stay inside when `room` characters are left; nil for any number.
  func inside(room: Int?) -> TokenMask? { inside(level: level(room: room)) }

  /// The number of the set for so much room; 0 for none, and the last for any number.
  func level(room: Int?) -> Int {
    guard let room else { return insideByNeed.count }
    return insideByNeed.lastIndex { $0.characters <= room }.map { $0 + 1 } ?? 0
  }

  /// The set with a number that ``level(room:)`` gave; nil: the empty one.
  func inside(level: Int) -> TokenMask? {
    if insideByNeed.isEmpty { return inside }
    return level == 0 ? nil : insideByNeed[level - 1].tokens
  }
}
