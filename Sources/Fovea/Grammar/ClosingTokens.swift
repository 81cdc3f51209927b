/// The tokens that close a string or a key, by what they hold behind the quote.
///
///     tokens   `":`  `a":`  `b":`     `"`  `b"`       `",`
///     rest         `:`                 none            `,`
///     groups   │ 0, 1, 1 characters │ 0, 1          │ 0          │
///
/// What may come after the string depends on where it stands, but all tokens of a group go on
/// alike; so the rests are a small tree of their own, and walking it decides on all of them.
struct ClosingTokens: Sendable {
  /// A token that closes the string.
  struct Closing: Sendable {
    /// How many characters come before the quote.
    var characters: UInt32
    var token: TokenID
  }

  /// Tokens by what they hold behind the quote, as a walk comes upon them.
  typealias ByRest = [[UInt8]: [Closing]]

  /// Sorts in the tokens at a node and below it, which have `depth` bytes before the quote.
  static func collect(
    below node: Int, of all: FlatTrie, depth: Int, characters: UInt32, pieces: [[UInt8]],
    into found: inout ByRest
  ) {
    for token in all.tokens(from: node) {
      let rest = Array(pieces[Int(token)][(depth + 1)...])
      found[rest, default: []].append(Closing(characters: characters, token: token))
    }
  }

  /// The distinct rests; its "tokens" are indices of ``groups``.
  private let rests: FlatTrie
  /// The tokens by their rest; the last group has none.
  private let groups: [[Closing]]

  /// Takes the tokens by their rest.
  init(_ tokens: ByRest) {
    let sorted = tokens.filter { !$0.key.isEmpty }.sorted {
      $0.key.lexicographicallyPrecedes($1.key)
    }
    rests = FlatTrie(sorted: sorted.indices.map { TokenID($0) }, pieces: sorted.map(\.key))
    groups = sorted.map(\.value) + [tokens[[]] ?? []]
  }

  /// Puts the tokens into `mask` that close the string after a number of characters in
  /// `characters` and go on as `after` allows. Returns how many nodes were looked at.
  func insert(
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

/// What walks need for a moment, kept so that they need not make it anew.
struct WalkScratch {
  var stack: [Configuration] = []
  var found: [TokenID] = []
  /// How many texts were ended, by depth.
  var ended: [Int] = []
}
