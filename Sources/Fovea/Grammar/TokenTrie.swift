/// The tokens of a model, indexed for masks. Made once for each model; a vocabulary of a hundred
/// thousand tokens takes some tenths of a second and about ten megabytes.
///
/// Beside the tree of all tokens it knows how they behave inside a free string: *safe* tokens are
/// whole characters that need no escape, so they are allowed whenever there is room for them, and
/// only the others have to be walked.
package struct TokenTrie: Sendable {
  let all: FlatTrie
  /// The tokens that a free string cannot simply take: with a quote, a backslash, a control
  /// character or a part of a character.
  let special: FlatTrie
  /// The safe tokens of at most so many characters, ascending; each set holds the one before it.
  private let safe: [(characters: Int, tokens: TokenMask)]
  /// How many tokens the vocabulary has.
  let count: Int
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
    all = FlatTrie(sorted: order, pieces: pieces)

    var unsafe: [TokenID] = []
    var byLength: [Int: [TokenID]] = [:]
    var single = ByteSet()
    for token in order {
      let piece = pieces[Int(token)]
      if piece.count == 1 { single.insert(piece[0]) }
      if let characters = Self.safeCharacters(piece) {
        byLength[characters, default: []].append(token)
      } else {
        unsafe.append(token)
      }
    }
    special = FlatTrie(sorted: unsafe, pieces: pieces)
    missingBytes = (0...255).map(UInt8.init).filter { !single.contains($0) }
    var mask = TokenMask(count: count)
    safe = byLength.keys.sorted().map { length in
      for token in byLength[length] ?? [] { mask.insert(token) }
      return (length, mask)
    }
  }

  /// The tokens of whole characters that fit into `room` characters; nil for any number.
  func safeTokens(room: Int?) -> TokenMask? {
    guard let room else { return safe.last?.tokens }
    return safe.last { $0.characters <= room }?.tokens
  }

  /// How many characters a piece has, when each of them is whole and needs no escape.
  private static func safeCharacters(_ piece: [UInt8]) -> Int? {
    var isASCII = true
    for byte in piece {
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return nil }
      if byte >= 0x80 { isASCII = false }
    }
    if isASCII { return piece.count }
    // Decoding replaces what is not UTF-8, so only valid bytes come back as they were.
    let text = String(decoding: piece, as: UTF8.self)
    return text.utf8.elementsEqual(piece) ? text.unicodeScalars.count : nil
  }

  private static func firstBytes(_ piece: [UInt8]) -> UInt64 {
    var key: UInt64 = 0
    for index in 0..<8 { key = key << 8 | (index < piece.count ? UInt64(piece[index]) : 0) }
    return key
  }
}
