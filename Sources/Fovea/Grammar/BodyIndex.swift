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
  /// A token that closes the string.
  struct Closing: Sendable {
    /// How many characters come before the quote.
    var characters: UInt32
    var token: TokenID
  }

  /// The tokens that stay inside, for any length.
  let inside: TokenMask
  /// The same for those that need at most so many characters, ascending.
  private let insideByNeed: [(characters: Int, tokens: TokenMask)]
  /// The distinct rests behind the quote; its "tokens" are indices of ``groups``.
  private let rests: FlatTrie
  /// The group whose rest is empty.
  private let bare: Int?
  /// The tokens by their rest, each group in order of characters.
  private let groups: [[Closing]]
  /// Sorts the tokens by what they do after `start`, a state of the base's automata.
  init(
    pieces: [[UInt8]], tokens: [TokenID], start: UInt32, count: Int, isByNeed: Bool
  ) {
    let table = MachineTable.base.table
    var inside = TokenMask(count: count)
    var byNeed: [Int: [TokenID]] = [:]
    var groupOf: [[UInt8]: Int] = [:]
    var rests: [[UInt8]] = []
    var groups: [[Closing]] = []
    for token in tokens {
      let piece = pieces[Int(token)]
      var state = start
      var characters = 0
      var index = 0
      while index < piece.count {
        state = table.next(table.states[Int(state)], piece[index])
        index += 1
        if state < MachineTable.Place.firstMachine { break }
        if table.states[Int(state)].isBoundary { characters += 1 }
      }
      if state == MachineTable.Place.dead { continue }
      if state == MachineTable.Place.end {
        let rest = Array(piece[index...])
        let group = groupOf[rest] ?? groups.count
        if group == groups.count {
          groupOf[rest] = group
          rests.append(rest)
          groups.append([])
        }
        groups[group].append(Closing(characters: UInt32(characters), token: token))
        continue
      }
      inside.insert(token)
      if isByNeed {
        let need = characters + (table.states[Int(state)].isBoundary ? 0 : 1)
        byNeed[need, default: []].append(token)
      }
    }
    self.inside = inside
    var mask = TokenMask(count: count)
    insideByNeed = byNeed.keys.sorted().map { need in
      for token in byNeed[need] ?? [] { mask.insert(token) }
      return (need, mask)
    }
    self.groups = groups.map { $0.sorted { $0.characters < $1.characters } }
    bare = groupOf[[]]
    let order = rests.indices.filter { !rests[$0].isEmpty }.sorted {
      rests[$0].lexicographicallyPrecedes(rests[$1])
    }
    self.rests = FlatTrie(sorted: order.map { TokenID($0) }, pieces: rests)
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
    if let bare, automaton.admits(after) { scratch.found.append(TokenID(bare)) }
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
}
