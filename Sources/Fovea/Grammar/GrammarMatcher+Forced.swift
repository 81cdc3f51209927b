extension GrammarMatcher {
  /// How many of the last tokens a forced run is tokenized together with.
  package static let tokensOfContext = 4

  /// The forced bytes as the tokens that the model's own tokenizer would write, to be evaluated in
  /// one batch. Empty where nothing is forced, or where it cannot be said how it would be written.
  ///
  /// Tokens are a matter of context: what is forced is tokenized behind the last tokens, and
  /// counts only when those come out as they were. And the model may want to go on with a token
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
    let context = Array(previous.suffix(Self.tokensOfContext))
    let before = context.flatMap { vocabulary.pieces[Int($0)] }
    let all = try tokenize(before + forced)
    guard all.starts(with: context) else { return [] }
    var tokens = Array(all.dropFirst(context.count))
    guard tokens.flatMap({ vocabulary.pieces[Int($0)] }) == forced else { return [] }
    let certain = certainBytes(of: forced)
    var end = forced.count
    while end > certain, let last = tokens.popLast() { end -= vocabulary.pieces[Int(last)].count }
    return tokens
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
}
