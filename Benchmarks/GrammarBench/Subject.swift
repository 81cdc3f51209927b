internal import Foundation
internal import Fovea

/// The library as the benchmark sees it: how a vocabulary is indexed, a schema compiled and a
/// matcher made and limited. Beyond that only `allowedTokens`, `accept`, `isFinished` and
/// `isComplete` of the matcher are used.
struct Subject {
  let vocabulary: Vocabulary
  let trie: TokenTrie
  /// How many tokens a text may have; nil for any number.
  let budget: Int?
  /// Tokens that end a text.
  var endTokens: [TokenID] { vocabulary.endTokens }

  /// Indexes a vocabulary.
  init(_ vocabulary: Vocabulary, budget: Int? = nil) {
    self.vocabulary = vocabulary
    self.budget = budget
    trie = TokenTrie(vocabulary)
  }

  static func readVocabulary(_ path: String) throws -> Vocabulary {
    try Vocabulary(contentsOfDump: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// From the text of a JSON Schema to what matchers share.
  func compile(_ schema: String) throws(FoveaError) -> Grammar {
    try Grammar(Schema.parse(jsonSchema: schema).schema, whitespace: .spaced)
  }

  func matcher(_ grammar: Grammar) -> GrammarMatcher {
    let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
    limit(matcher)
    return matcher
  }

  /// Begins another text with the same matcher.
  func reset(_ matcher: GrammarMatcher) {
    matcher.reset()
    limit(matcher)
  }

  private func limit(_ matcher: GrammarMatcher) {
    if let budget { matcher.limit(toTokens: budget) }
  }

  /// Whether the text may end where the matcher stands.
  func mayEnd(_ matcher: GrammarMatcher) -> Bool { matcher.isComplete }

  /// The text that a token writes, for people to read.
  func text(of tokens: ArraySlice<TokenID>) -> String {
    let bytes = tokens.flatMap { vocabulary.pieces[Int($0)] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
