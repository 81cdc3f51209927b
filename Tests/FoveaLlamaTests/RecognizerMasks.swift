import Fovea
import FoveaTestSupport

/// A source of masks, so that anything that follows a grammar can be compared with llama.cpp.
struct MaskSource {
  /// The tokens that may come next, end tokens included where the text may end.
  var allowedTokens: () throws -> TokenMask
  /// Goes on by an allowed token.
  var accept: (TokenID) throws -> Void
}

extension MaskSource {
  /// Masks by the definition: a token is allowed when its bytes lead to a live configuration.
  static func recognizer(_ machine: RuleMachine, _ tokens: SortedTokens) -> MaskSource {
    let recognizer = StackRecognizer(machine)
    var configuration = recognizer.start
    return MaskSource {
      tokens.mask(recognizer, configuration)
    } accept: {
      configuration = recognizer.step(configuration, tokens.vocabulary.pieces[Int($0)])
    }
  }
}

extension MaskSource {
  /// The masks that sampling uses.
  static func matcher(
    _ machine: RuleMachine, _ trie: TokenTrie, _ vocabulary: Vocabulary
  ) -> MaskSource {
    let matcher = GrammarMatcher(
      grammar: Grammar(machine: machine), trie: trie, vocabulary: vocabulary)
    return MaskSource {
      try matcher.allowedTokens()
    } accept: {
      try matcher.accept($0)
    }
  }
}

/// The tokens of a vocabulary by their bytes, so that a common beginning is followed once.
struct SortedTokens {
  let vocabulary: Vocabulary
  /// Each token, and how many bytes it begins with like the one before.
  private let order: [(token: TokenID, common: Int)]

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    let sorted = vocabulary.pieces.indices.filter { !vocabulary.pieces[$0].isEmpty }
      .sorted { vocabulary.pieces[$0].lexicographicallyPrecedes(vocabulary.pieces[$1]) }
    var previous: [UInt8] = []
    order = sorted.map { token in
      let piece = vocabulary.pieces[token]
      let common = zip(previous, piece).prefix { $0 == $1 }.count
      previous = piece
      return (TokenID(token), common)
    }
  }

  func mask(_ recognizer: StackRecognizer, _ start: StackRecognizer.Configuration) -> TokenMask {
    var mask = TokenMask(count: vocabulary.count)
    // path[n]: the configuration after n bytes; the byte behind its last entry was fatal.
    var path = [start]
    for (token, common) in order {
      if common >= path.count { continue }
      path.removeLast(path.count - 1 - common)
      let piece = vocabulary.pieces[Int(token)]
      for byte in piece[common...] {
        let next = recognizer.step(path[path.count - 1], byte)
        if next == StackRecognizer.dead { break }
        path.append(next)
      }
      if path.count == piece.count + 1 { mask.insert(token) }
    }
    if recognizer.isComplete(start) { for token in vocabulary.endTokens { mask.insert(token) } }
    return mask
  }
}
