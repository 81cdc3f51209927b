/// Keeps what is costly and always the same: the vocabulary's index, built once when the first
/// schema is used, and the grammars of the schemas used lately.
actor GrammarCache {
  private let vocabulary: Vocabulary
  private var trie: TokenTrie?
  private var grammars: [Schema: Grammar] = [:]

  /// More schemas than an app has; beyond it all are compiled anew.
  private static let capacity = 64

  init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// A function that makes a fresh constraint for a schema.
  ///
  /// - Throws: `.unsupportedSchema` when the grammar cannot enforce the schema.
  func constraintMaker(
    for schema: Schema
  ) throws(FoveaError) -> @Sendable () throws(FoveaError) -> any TokenConstraint {
    let trie = self.trie ?? TokenTrie(vocabulary)
    self.trie = trie
    let grammar: Grammar
    if let known = grammars[schema] {
      grammar = known
    } else {
      grammar = try Grammar(schema)
      if grammars.count >= Self.capacity { grammars.removeAll() }
      grammars[schema] = grammar
    }
    let vocabulary = vocabulary
    return { () throws(FoveaError) in
      GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
    }
  }
}
