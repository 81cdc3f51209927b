/// A set of tokens: one bit for each entry of a vocabulary.
package struct TokenMask: Sendable, Equatable {
  /// Bit `i % 64` of word `i / 64` stands for token `i`.
  package var words: [UInt64]

  /// The empty set for a vocabulary of `count` tokens.
  package init(count: Int) {
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  /// Whether the token is in the set.
  package func contains(_ token: TokenID) -> Bool {
    words[Int(token) >> 6] & (1 << UInt64(token & 63)) != 0
  }

  /// Puts the token into the set.
  package mutating func insert(_ token: TokenID) {
    words[Int(token) >> 6] |= 1 << UInt64(token & 63)
  }

  /// Puts these of the tokens into the set.
  package mutating func insert(_ tokens: [TokenID], _ range: Range<Int>) {
    for index in range {
      let token = Int(tokens[index])
      words[token >> 6] |= 1 << UInt64(token & 63)
    }
  }

  /// Takes the token out of the set.
  package mutating func remove(_ token: TokenID) {
    words[Int(token) >> 6] &= ~(1 << UInt64(token & 63))
  }

  /// Takes all tokens out of the set.
  package mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }

  /// Becomes another set for the same vocabulary, nil for the empty one, without new memory.
  package mutating func copy(_ other: TokenMask?) {
    guard let other else { return removeAll() }
    for index in words.indices { words[index] = other.words[index] }
  }

  /// Adds the tokens of another set for the same vocabulary.
  package mutating func formUnion(_ other: TokenMask) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// Adds the tokens that are in two other sets for the same vocabulary.
  package mutating func formUnion(_ other: TokenMask, intersectedWith third: TokenMask) {
    for index in words.indices { words[index] |= other.words[index] & third.words[index] }
  }

  /// How many tokens are in the set.
  package var count: Int {
    var total = 0
    for word in words { total += word.nonzeroBitCount }
    return total
  }

  /// The token in the set, where there is exactly one.
  package var onlyToken: TokenID? {
    var found: TokenID?
    for (index, word) in words.enumerated() where word != 0 {
      guard found == nil, word & (word - 1) == 0 else { return nil }
      found = TokenID(index * 64 + word.trailingZeroBitCount)
    }
    return found
  }

  /// The tokens in the set, ascending.
  package var tokens: [TokenID] {
    var result: [TokenID] = []
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        result.append(TokenID(index * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return result
  }
}
