/// The tokens of a model, indexed for masks. Made once for each model; a vocabulary of a hundred
/// thousand tokens takes some tenths of a second and about ten megabytes.
package struct TokenTrie: Sendable {
  let all: FlatTrie
  /// What tokens do between two characters of a free string.
  let text: BodyIndex
  /// What tokens do between two characters of a key.
  let key: BodyIndex
  /// How many tokens the vocabulary has.
  let count: Int
  /// The tokens that may end a key or an item and hold the whole of another, `","","`: whether
  /// the two are equal depends on the text before. Models have some dozens of them.
  let doubles: FlatTrie
  /// The bytes that no single token writes. Where a grammar needs one of them in the end, there
  /// may be nothing left to choose, and the matcher throws.
  package let missingBytes: [UInt8]
  /// The number of bytes of the longest token.
  package var longestPiece: Int { all.longest }

  /// Indexes a vocabulary. Empty pieces, end tokens and pieces of more than 4,096 bytes are never
  /// allowed as text; tokens with the same bytes are all allowed.
  package init(_ vocabulary: Vocabulary) {
    let pieces = vocabulary.pieces
    let ends = Set(vocabulary.endTokens)
    count = pieces.count
    var order: [TokenID] = []
    order.reserveCapacity(count)
    for (index, piece) in pieces.enumerated() {
      let token = TokenID(index)
      if !piece.isEmpty, piece.count <= FlatTrie.longestPiece, !ends.contains(token) {
        order.append(token)
      }
    }
    // Comparing whole arrays costs most of the time; the first eight bytes usually decide.
    let keyed = order.map { (key: Self.firstBytes(pieces[Int($0)]), token: $0) }
    order = keyed.sorted { left, right in
      if left.key != right.key { return left.key < right.key }
      let one = pieces[Int(left.token)]
      let two = pieces[Int(right.token)]
      if one != two { return one.lexicographicallyPrecedes(two) }
      return left.token < right.token
    }.map(\.token)
    var all = FlatTrie(sorted: order, pieces: pieces)
    text = BodyIndex(
      start: MachineTable.base.text, all: all, pieces: pieces, isByNeed: true)
    key = BodyIndex(
      start: MachineTable.base.key, all: all, pieces: pieces, isByNeed: false)
    all.noteBytesBelow()
    self.all = all
    doubles = FlatTrie(sorted: order.filter { Self.holdsTwo(pieces[Int($0)]) }, pieces: pieces)
    var single = ByteSet()
    for token in order where pieces[Int(token)].count == 1 { single.insert(pieces[Int(token)][0]) }
    missingBytes = (0...255).map(UInt8.init).filter { !single.contains($0) }
  }

  /// The set that a mask is close to; nil: the empty one.
  func mask(_ base: MaskCache.Base) -> TokenMask? {
    switch base {
    case .nothing: nil
    case .text(let level): text.inside(level: level)
    case .key: key.inside
    }
  }

  /// Whether a piece could end a key or an item and hold the whole of the next.
  private static func holdsTwo(_ piece: [UInt8]) -> Bool {
    guard let comma = piece.firstIndex(of: 0x2C) else { return false }
    let rest = piece[(comma + 1)...]
    if rest.count(where: { $0 == 0x22 }) > 1 { return true }
    return rest.dropFirst().contains { $0 == 0x2C || $0 == 0x5D || $0 == 0x7D }
  }

  private static func firstBytes(_ piece: [UInt8]) -> UInt64 {
    var key: UInt64 = 0
    for index in 0..<8 { key = key << 8 | (index < piece.count ? UInt64(piece[index]) : 0) }
    return key
  }
}
