/// The tokens of a model: their bytes, and which of them end a text.
public struct Vocabulary: Sendable {
  /// The bytes each token writes, by token. Empty for control tokens, unused entries and every
  /// other token that text can never contain.
  package let pieces: [[UInt8]]
  /// Tokens that end a generation.
  package let endTokens: [TokenID]

  /// Makes a vocabulary of `pieces`, where the entry at `i` is what token `i` writes.
  package init(pieces: [[UInt8]], endTokens: [TokenID]) {
    self.pieces = pieces
    self.endTokens = endTokens
  }

  /// How many tokens there are.
  public var count: Int { pieces.count }
}
