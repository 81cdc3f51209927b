/// Follows one text through a grammar and says which tokens may come next.
///
///     while !matcher.isFinished {
///       let mask = try matcher.allowedTokens()
///       let token = sample(logits, mask)
///       try matcher.accept(token)
///     }
///
/// A token is in the mask exactly when its bytes can be continued to a text of the grammar. The
/// end tokens are in it exactly when the text is complete; that leaves a choice only for a bare
/// number, because every other JSON value says itself where it ends.
package final class GrammarMatcher: TokenConstraint {
  /// A point in the text to come back to.
  package struct Snapshot: Sendable {
    fileprivate var owner: ObjectIdentifier
    fileprivate var configuration: Configuration
    fileprivate var text: [UInt8]
    fileprivate var hasEnded: Bool
  }

  /// Masks for which more nodes than this were looked at are kept.
  private static let cachedFrom = 512
  /// The most bytes that ``forcedBytes()`` gives at once.
  package static let mostForcedBytes = 4096

  private let trie: TokenTrie
  private let vocabulary: Vocabulary
  private var automaton: ByteAutomaton
  private(set) var configuration: Configuration
  private var hasEnded = false
  private var cache: MaskCache
  /// The mask of the present configuration, once it was asked for.
  private var current: TokenMask?
  /// Its storage is used again for the next mask that is not kept.
  private var scratch: TokenMask
  private var stack: [Configuration] = []
  /// How many nodes of the trie the masks so far took: the work, counted.
  private(set) var visitedNodes = 0
  /// The bytes so far.
  package private(set) var text: [UInt8] = []

  /// Starts an empty text. `trie` must have been made from `vocabulary`.
  package init(grammar: Grammar, trie: TokenTrie, vocabulary: Vocabulary) {
    precondition(trie.count == vocabulary.count, "the trie was made from another vocabulary")
    self.trie = trie
    self.vocabulary = vocabulary
    automaton = ByteAutomaton(grammar, reach: trie.longestPiece)
    configuration = automaton.start
    cache = MaskCache(tokens: vocabulary.count)
    scratch = TokenMask(count: vocabulary.count)
  }

  /// Nothing more can follow: the text is complete, or an end token was accepted.
  package var isFinished: Bool { hasEnded || automaton.isFinished(configuration) }

  /// The text may end here.
  package var isComplete: Bool { hasEnded || automaton.isComplete(configuration) }

  /// The least number of bytes that complete the text.
  package var shortestCompletion: Int {
    hasEnded ? 0 : automaton.shortestCompletion(configuration)
  }

  /// The tokens that may come next. Throws ``FoveaError/Code/unsupportedByModel`` when the
  /// vocabulary has none, which happens only without a token for each byte.
  package func allowedTokens() throws(FoveaError) -> TokenMask {
    if let current { return current }
    let mask = try makeMask()
    current = mask
    return mask
  }

  /// Appends a token. Throws, and leaves everything as it was, when the token is not allowed.
  package func accept(_ token: TokenID) throws(FoveaError) {
    guard token >= 0, Int(token) < vocabulary.count else {
      throw FoveaError(
        .invalidArgument, "token \(token) is not in the vocabulary of \(vocabulary.count) tokens",
        fix: "use the vocabulary of the model that wrote the token")
    }
    if vocabulary.endTokens.contains(token) {
      guard isComplete else { throw notAllowed(token) }
      hasEnded = true
      current = nil
      return
    }
    let piece = vocabulary.pieces[Int(token)]
    guard !hasEnded, !piece.isEmpty, piece.count <= FlatTrie.longestPiece else {
      throw notAllowed(token)
    }
    var next = configuration
    for byte in piece {
      next = automaton.step(next, byte)
      if next.isDead { throw notAllowed(token) }
    }
    configuration = next
    text += piece
    current = nil
  }

  /// The longest run of bytes of which each is the only possibility, up to
  /// ``mostForcedBytes``; empty where the text may end.
  package func forcedBytes() -> [UInt8] {
    var result: [UInt8] = []
    if hasEnded { return result }
    var at = configuration
    while result.count < Self.mostForcedBytes, !automaton.isComplete(at) {
      let follow = automaton.follow(at)
      guard follow.count == 1, let byte = follow.bytes.first else { break }
      result.append(byte)
      at = automaton.step(at, byte)
    }
    return result
  }

  /// Where the text stands now.
  package func snapshot() -> Snapshot {
    Snapshot(
      owner: ObjectIdentifier(self), configuration: configuration, text: text, hasEnded: hasEnded)
  }

  /// Goes back (or forward again) to a point that this matcher gave.
  package func restore(_ snapshot: Snapshot) {
    precondition(snapshot.owner == ObjectIdentifier(self), "the snapshot is another matcher's")
    configuration = snapshot.configuration
    text = snapshot.text
    hasEnded = snapshot.hasEnded
    current = nil
  }

  /// Starts another text; masks that were kept stay.
  package func reset() {
    configuration = automaton.start
    text = []
    hasEnded = false
    current = nil
  }

  private func makeMask() throws(FoveaError) -> TokenMask {
    let key = automaton.canonical(configuration)
    let mayEnd = isComplete
    if !hasEnded, let mask = cache.find(key) { return mask }
    let inText = automaton.roomInText(key)
    var visited = 0
    if !hasEnded, inText.isText {
      var mask = trie.safeTokens(room: inText.room) ?? TokenMask(count: vocabulary.count)
      visited = trie.special.insertAllowed(
        from: key, of: &automaton, into: &mask, stack: &stack)
      visitedNodes += visited
      try check(mask, mayEnd: mayEnd)
      cache.insert(mask, for: key)
      return mask
    }
    for index in scratch.words.indices { scratch.words[index] = 0 }
    if !hasEnded {
      visited = trie.all.insertAllowed(
        from: key, of: &automaton, into: &scratch, stack: &stack)
    }
    if mayEnd {
      for token in vocabulary.endTokens { scratch.insert(token) }
    }
    visitedNodes += visited
    try check(scratch, mayEnd: mayEnd)
    if visited > Self.cachedFrom { cache.insert(scratch, for: key) }
    return scratch
  }

  private func check(_ mask: TokenMask, mayEnd: Bool) throws(FoveaError) {
    if mayEnd || mask.words.contains(where: { $0 != 0 }) { return }
    let bytes = automaton.follow(configuration).bytes.map { String($0, radix: 16) }
    throw FoveaError(
      .unsupportedByModel,
      "no token of this vocabulary goes on where the text needs one of the bytes "
        + bytes.prefix(8).joined(separator: " "),
      fix: "use a model whose vocabulary has a token for every byte")
  }

  private func notAllowed(_ token: TokenID) -> FoveaError {
    let piece = String(decoding: vocabulary.pieces[Int(token)], as: UTF8.self)
    return FoveaError(
      .engineFailed, "token \(token) (\"\(piece)\") is not allowed after \(text.count) bytes",
      fix: "sample only from the tokens that allowedTokens() gives")
  }
}

/// A matcher belongs to one generation and is used from one thread at a time.
@available(*, unavailable)
extension GrammarMatcher: Sendable {}
