internal import Fovea

/// How texts were tokenised that come again with every answer: the keys of a schema.
struct TokenizationCache {
  private static let mostTexts = 1_024

  private var tokens: [[UInt8]: [TokenID]] = [:]

  /// The tokens of a text, from `tokenize` where they are not known.
  mutating func tokens(
    of bytes: [UInt8], tokenize: ([UInt8]) throws(FoveaError) -> [TokenID]
  ) throws(FoveaError) -> [TokenID] {
    if let known = tokens[bytes] { return known }
    let made = try tokenize(bytes)
    if tokens.count == Self.mostTexts { tokens.removeAll() }
    tokens[bytes] = made
    return made
  }
}
