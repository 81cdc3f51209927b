/// Keeps what is costly and always the same: the vocabulary's index, built once when the first
/// schema is used, and the grammars of the schemas and constraints used lately.
actor GrammarCache {
  private enum Source: Hashable {
    case schema(Schema)
    case constraint(OutputConstraint)
  }

  private let vocabulary: Vocabulary
  private var trie: TokenTrie?
  private var makers: [Source: ConstraintMaker] = [:]
  private var forms: [Schema: NormalForm] = [:]

  /// More schemas than an app has; beyond it all are compiled anew.
  private static let capacity = 64

  init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// What makes the constraints for a schema; the same each time as long as it is kept.
  ///
  /// - Throws: `.unsupportedSchema` when the grammar cannot enforce the schema.
  func constraintMaker(
    for schema: Schema
  ) throws(FoveaError) -> ConstraintMaker {
    try constraintMaker(for: .schema(schema)) { () throws(FoveaError) in
      try Grammar(normalForm(of: schema))
    }
  }

  /// What answers are checked against.
  ///
  /// - Throws: As ``constraintMaker(for:)-(Schema)``.
  func normalForm(of schema: Schema) throws(FoveaError) -> NormalForm {
    if let known = forms[schema] { return known }
    let form = try schema.normalForm()
    if forms.count >= Self.capacity { forms.removeAll() }
    forms[schema] = form
    return form
  }

  /// What makes the constraints for something that is no JSON.
  ///
  /// - Throws: What ``OutputConstraint/check()`` throws.
  func constraintMaker(
    for constraint: OutputConstraint
  ) throws(FoveaError) -> ConstraintMaker {
    try constraintMaker(for: .constraint(constraint)) { () throws(FoveaError) in
      try Grammar(constraint)
    }
  }

  private func constraintMaker(
    for source: Source, compile: () throws(FoveaError) -> Grammar
  ) throws(FoveaError) -> ConstraintMaker {
    if let known = makers[source] { return known }
    let grammar = try compile()
    let trie = self.trie ?? TokenTrie(vocabulary)
    self.trie = trie
    let vocabulary = vocabulary
    let maker = ConstraintMaker(
      shortestLength: grammar.shortestLength, longestPiece: trie.longestPiece
    ) { () throws(FoveaError) in
      GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
    }
    if makers.count >= Self.capacity { makers.removeAll() }
    makers[source] = maker
    return maker
  }
}
