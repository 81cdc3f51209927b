internal import Fovea

/// How a model cuts text into tokens where the schema leaves it no other choice: `":"` in one token, or
/// `":` and `"`. It does the same each time, so the last choice is a good guess for the next.
struct TokenHabits {
  private static let mostTexts = 1_024
  /// Of longer texts only the beginning decides.
  private static let longestText = 48

  private var choices: [ArraySlice<UInt8>: TokenID] = [:]

  /// Notes what was chosen where the text had to go on with `forced`.
  mutating func note(_ token: TokenID, where forced: [UInt8]) {
    if choices.count == Self.mostTexts { choices.removeAll() }
    choices[forced.prefix(Self.longestText)] = token
  }

  /// The tokens that the model would choose for a text that is forced, as far as that is known.
  func tokens(for forced: [UInt8], vocabulary: Vocabulary) -> [TokenID] {
    var rest = forced[...]
    var tokens: [TokenID] = []
    while !rest.isEmpty, let token = choices[rest.prefix(Self.longestText)] {
      let piece = vocabulary.pieces[Int(token)]
      // A token may have reached beyond what is forced.
      guard rest.starts(with: piece) else { break }
      tokens.append(token)
      rest = rest.dropFirst(piece.count)
    }
    return tokens
  }
}
