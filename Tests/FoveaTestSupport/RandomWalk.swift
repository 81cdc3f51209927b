package import Fovea

/// Writes texts of a grammar with tokens drawn by chance from its masks.
package struct RandomWalk {
  /// How the walk ended.
  package struct Result {
    /// The text, complete.
    package var text: [UInt8]
    /// The tokens that wrote it.
    package var tokens: [TokenID]
  }

  /// After this many bytes the walk takes the tokens that make the text shortest.
  package var patience: Int

  /// Makes a walk.
  package init(patience: Int = 200) { self.patience = patience }

  /// Writes one text from where the matcher stands. `step` is called before each token.
  package func run(
    _ matcher: GrammarMatcher, using generator: inout SeededGenerator,
    step: (TokenMask) throws -> Void = { _ in }
  ) throws -> Result {
    var tokens: [TokenID] = []
    while !matcher.isFinished {
      let mask = try matcher.allowedTokens()
      try step(mask)
      let allowed = mask.tokens
      let token =
        if matcher.text.count < patience {
          allowed[Int.random(in: 0..<allowed.count, using: &generator)]
        } else {
          try shortest(of: allowed, matcher)
        }
      try matcher.accept(token)
      tokens.append(token)
    }
    return Result(text: matcher.text, tokens: tokens)
  }

  private func shortest(of tokens: [TokenID], _ matcher: GrammarMatcher) throws -> TokenID {
    let here = matcher.snapshot()
    defer { matcher.restore(here) }
    // No way is shorter than the shortest; the first that is as short will do.
    let least = matcher.text.count + matcher.shortestCompletion
    var best = (token: tokens[0], bytes: Int.max)
    for token in tokens {
      matcher.restore(here)
      try matcher.accept(token)
      let bytes = matcher.text.count + matcher.shortestCompletion
      if bytes <= least { return token }
      if bytes < best.bytes { best = (token, bytes) }
    }
    return best.token
  }
}
