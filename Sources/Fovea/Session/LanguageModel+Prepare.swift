extension LanguageModel {
  /// Does ahead of time what all extractions of a type have in common: makes the grammar, and evaluates
  /// what their prompts begin with, so that the first answer comes as soon as later ones.
  ///
  ///     try await model.prepare(for: Receipt.self, promptCache: cacheFolder)
  ///
  /// With a folder, the evaluated beginning is read from a file there, or written there once it is
  /// evaluated: then the next process need not evaluate it either. Each model, build, processor and type
  /// has a file of its own. It holds the rules and the outline of the type, nothing of a document, in
  /// about as many bytes as the context's memory for so many tokens, and may be deleted at any time.
  ///
  /// - Parameters:
  ///   - type: The type of the extractions to come.
  ///   - promptCache: The path of a folder that exists; nil: nothing is kept on disk.
  ///   - options: Those of the extractions to come.
  /// - Returns: How many tokens are evaluated now, and where they came from.
  /// - Throws: ``FoveaError``: `.unsupportedType`; `.promptTooLong` where the beginning alone does not
  ///   fit the context; `.fileNotReadable`; `.fileNotWritable`, after which the beginning is in
  ///   memory all the same; `.cancelled`.
  @discardableResult
  public func prepare<Value: StructuredOutput>(
    for type: Value.Type, promptCache: String? = nil,
    options: ExtractionOptions = ExtractionOptions()
  ) async throws(FoveaError) -> PreparedPrompt {
    try await prepare(for: try Schema(of: type), promptCache: promptCache, options: options)
  }

  /// Does ahead of time what all extractions with a schema have in common; see
  /// ``prepare(for:promptCache:options:)-(Value.Type,_,_)``.
  @discardableResult
  public func prepare(
    for schema: Schema, promptCache: String? = nil,
    options: ExtractionOptions = ExtractionOptions()
  ) async throws(FoveaError) -> PreparedPrompt {
    _ = try await constraintMaker(for: schema, options: options)
    var prompts: [[PromptPart]] = []
    // What two documents that differ in their first letter have in common, all documents have.
    for document in ["A", "1"] {
      let messages = ExtractionPrompt.messages(
        document: .text(document), instruction: "", outline: schema.outline(),
        style: options.promptStyle ?? engine.model.promptStyle)
      prompts.append(try render(messages, thinking: options.thinking).parts)
    }
    return try await engine.prepare(PromptBeginning(prompts: prompts, cacheFolder: promptCache))
  }
}
