extension GrammarMatcher {
  /// How many of the last tokens a forced run is tokenized together with.
  package static let tokensOfContext = 4

  /// The forced bytes as the tokens that the model's own tokenizer would write, to be evaluated in
  /// one batch. Empty where nothing is forced, or where it cannot be said how it would be written.
  ///
  /// Tokens are a matter of context: what is forced is tokenized behind the last tokens, or behind
  /// as many of them as come out as they were; where the model cut the text otherwise than its
  /// tokenizer would, behind none. And the model may want to go on with a token
  /// that reaches beyond the end of the forced text, as `":` where only `"` is forced, or
  /// `orderId` where only `order` is:
  ///
  ///     forced   {"order              tokens   {"  order
  ///     may come    orderId, orderName          ▲ keeps only this
  ///
  /// so tokens at the end are dropped as long as some token that may come begins inside them and
  /// ends behind them. The bytes that were dropped need no memory: the masks that follow allow
  /// nothing else.
  ///
  /// - Parameters:
  ///   - previous: The last tokens of the text before, at least ``tokensOfContext`` of them if
  ///     there are so many. Those of the prompt count too.
  ///   - tokenize: The model's tokenizer, for text without control tokens.
  package func forcedTokens(
    after previous: [TokenID], tokenize: ([UInt8]) throws(FoveaError) -> [TokenID]
  ) throws(FoveaError) -> [TokenID] {
    let forced = forcedBytes()
    if forced.isEmpty { return [] }
    var tokens = try Self.tokens(of: forced, after: previous, in: vocabulary, tokenize: tokenize)
    guard tokens.flatMap({ vocabulary.pieces[Int($0)] }) == forced else { return [] }
    let certain = certainBytes(of: forced)
    var end = forced.count
    while end > certain, let last = tokens.popLast() { end -= vocabulary.pieces[Int(last)].count }
    return tokens
  }

  /// Tokenizes bytes behind as many of the last tokens as come out as they were.
  private static func tokens(
    of bytes: [UInt8], after previous: [TokenID], in vocabulary: Vocabulary,
    tokenize: ([UInt8]) throws(FoveaError) -> [TokenID]
  ) throws(FoveaError) -> [TokenID] {
    var context = previous.suffix(tokensOfContext)
    while true {
      let all = try tokenize(context.flatMap { vocabulary.pieces[Int($0)] } + bytes)
      if all.starts(with: context) { return Array(all.dropFirst(context.count)) }
      context.removeFirst()
    }
  }

  /// How many of the forced bytes no token that may come reaches across the end of.
  private func certainBytes(of forced: [UInt8]) -> Int {
    let at = automaton.run(forced, from: configuration)
    if automaton.isFinished(at) { return forced.count }
    let reach = trie.longestPiece
    for start in max(0, forced.count - reach + 1)..<forced.count {
      guard let node = trie.all.node(forced[start...]) else { continue }
      if trie.all.hasLongerAllowed(node, at: at, of: &automaton) { return start }
    }
    return forced.count
  }

  /// How many of these bytes may come next, one after the other.
  package func allowedPrefix(of bytes: [UInt8]) -> Int {
    if hasEnded { return 0 }
    var at = configuration
    for (index, byte) in bytes.enumerated() {
      at = automaton.step(at, byte)
      if at.isDead { return index }
    }
    return bytes.count
  }
}
