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
    fileprivate var budget: Int?
  }

  /// The most bytes that ``forcedBytes()`` gives at once.
  package static let mostForcedBytes = 4096

  /// Beyond so many situations, some ten megabytes, a matcher is not worth keeping.
  private static let mostSituations = 1 << 17

  let trie: TokenTrie
  let vocabulary: Vocabulary
  var automaton: ByteAutomaton
  private(set) var configuration: Configuration
  private(set) var hasEnded = false
  private var maker: TokenMaskMaker
  private var cache = MaskCache()
  /// The mask of the present configuration, once it was asked for.
  private var current: TokenMask?
  /// Its storage is used again for the next mask, once nobody holds the last one.
  private var scratch: TokenMask
  /// The bytes so far.
  package private(set) var text: [UInt8] = []
  /// How many more tokens there may be; nil for no limit. See ``limit(toTokens:)``.
  private var budget: Int?
  /// By how many bytes what is missing can grow with one of the present mask's tokens.
  private var growth = 0
  /// At most so many bytes are missing here; nil when that was not asked. Finding out exactly takes
  /// longer than adding the ``growth`` of each mask.
  private var missing: Int?
  /// Whether the limit kept the model from a token that the grammar allows.
  package private(set) var isTruncatedByBudget = false

  /// Starts an empty text. `trie` must have been made from `vocabulary`.
  package init(grammar: Grammar, trie: TokenTrie, vocabulary: Vocabulary) {
    precondition(trie.count == vocabulary.count, "the trie was made from another vocabulary")
    self.trie = trie
    self.vocabulary = vocabulary
    automaton = ByteAutomaton(grammar, reach: trie.longestPiece)
    configuration = automaton.start
    maker = TokenMaskMaker(trie, vocabulary)
    scratch = TokenMask(count: vocabulary.count)
  }

  /// How many nodes of the trie the masks so far took: the work, counted.
  var visitedNodes: Int { maker.visitedNodes }

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
    let next = automaton.run(piece, from: configuration)
    if next.isDead { throw automaton.isOverloaded ? tooAmbiguous() : notAllowed(token) }
    configuration = next
    text += piece
    // Without a mask for it nobody knows how far the token leads.
    missing = current == nil ? nil : missing.map { $0 + growth }
    current = nil
    if let budget { self.budget = budget - 1 }
  }

  /// The longest run of bytes of which each is the only possibility, up to
  /// ``mostForcedBytes``; empty where the text may end.
  package func forcedBytes() -> [UInt8] { forcedBytes(behind: []) }

  /// The same, had the text gone on with these bytes; empty where it cannot.
  package func forcedBytes(behind bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    if hasEnded { return result }
    var at = automaton.run(bytes, from: configuration)
    if at.isDead { return result }
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
      owner: ObjectIdentifier(self), configuration: configuration, text: text, hasEnded: hasEnded,
      budget: budget)
  }

  /// Goes back (or forward again) to a point that this matcher gave.
  package func restore(_ snapshot: Snapshot) {
    precondition(snapshot.owner == ObjectIdentifier(self), "the snapshot is another matcher's")
    configuration = snapshot.configuration
    text = snapshot.text
    hasEnded = snapshot.hasEnded
    budget = snapshot.budget
    missing = nil
    current = nil
  }

  /// Starts another text; masks that were kept stay.
  package func reset() {
    configuration = automaton.start
    text.removeAll(keepingCapacity: true)
    hasEnded = false
    current = nil
    missing = nil
    budget = nil
    isTruncatedByBudget = false
  }

  /// Whether the automaton is still small; it keeps every situation that it was in.
  package var isReusable: Bool { automaton.situationCount < Self.mostSituations }

  private func makeMask() throws(FoveaError) -> TokenMask {
    let mayEnd = isComplete
    if hasEnded {
      scratch.removeAll()
    } else {
      makeGrammarMask()
    }
    if mayEnd {
      for token in vocabulary.endTokens { scratch.insert(token) }
    }
    if let budget, !hasEnded, needsRestriction(budget: budget) { restrict(budget: budget) }
    if automaton.isOverloaded { throw tooAmbiguous() }
    try check(scratch, mayEnd: mayEnd)
    return scratch
  }

  /// Puts the tokens that the grammar allows into ``scratch``, end tokens left out.
  private func makeGrammarMask() {
    let key = automaton.canonical(configuration)
    let note: MaskCache.Note
    if let found = cache.find(key, withGrowth: budget != nil, trie: trie, into: &scratch) {
      note = found
    } else {
      if budget != nil { automaton.beginMeasuring(mostBytes: .max) }
      let made = maker.make(key, of: &automaton, into: &scratch)
      let growth =
        budget == nil ? nil : max(0, automaton.worst - automaton.shortestCompletion(key))
      automaton.endMeasuring()
      note = MaskCache.Note(needsCorrection: made.needsCorrection, growth: growth)
      cache.insert(scratch, base: made.base, note, trie: trie, for: key)
    }
    growth = note.growth ?? 0
    if note.needsCorrection { maker.correct(&scratch, at: configuration, of: &automaton) }
  }

  // MARK: Budget

  /// Sees to it that the text is complete after at most so many more tokens, by leaving out those
  /// after which that could no longer be reached: a token has at least one byte, so the bytes that
  /// are missing are an upper bound for the tokens. Holds until ``reset()``.
  ///
  /// With fewer tokens than ``shortestCompletion`` each token must bring the end nearer, which is
  /// enough where tokens have more bytes than one.
  package func limit(toTokens count: Int) {
    budget = count
    current = nil
  }

  /// Whether some token could lead too far. How much the missing bytes can grow by one token is
  /// known of each canonical configuration's mask.
  private func needsRestriction(budget: Int) -> Bool {
    if let missing, missing + growth < budget { return false }
    let exact = automaton.shortestCompletion(configuration)
    missing = exact
    return exact + growth >= budget
  }

  private func restrict(budget: Int) {
    let most = max(budget, automaton.shortestCompletion(configuration)) - 1
    var restricted = TokenMask(count: vocabulary.count)
    automaton.beginMeasuring(mostBytes: most)
    if maker.make(configuration, of: &automaton, into: &restricted).needsCorrection {
      maker.correct(&restricted, at: configuration, of: &automaton)
    }
    automaton.endMeasuring()
    if isComplete { for token in vocabulary.endTokens { restricted.insert(token) } }
    if restricted.count == 0 { return }
    if restricted.count < scratch.count { isTruncatedByBudget = true }
    scratch = restricted
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

  private func tooAmbiguous() -> FoveaError {
    FoveaError(
      .schemaTooComplex,
      "the grammar can read what follows the first \(text.count) bytes in more than "
        + "\(ByteAutomaton.mostReadings) ways",
      fix: "give alternatives that begin alike a beginning of their own")
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
