/// Builds the messages that ask a model for a value.
package enum ExtractionPrompt {
  /// What a value is extracted from, ready for the model.
  package enum Document: Sendable, Hashable {
    /// A picture.
    case image(PixelImage)
    /// Text.
    case text(String)
  }

  /// The messages for one extraction.
  ///
  /// - Parameters:
  ///   - document: The picture or text.
  ///   - instruction: What the caller wants, in words.
  ///   - outline: The schema in a form for models; told where the style has room for it.
  ///   - style: What this model's prompts are made of.
  package static func messages(
    document: Document, instruction: String, outline: String, style: PromptStyle
  ) -> [Message] {
    let question: [Message.Part] =
      switch document {
      case .image(let image): [.image(image), .text(instruction)]
      case .text(let text): [.text("\(text)\n\n\(instruction)")]
      }
    switch style {
    case .instruction:
      return [Message(.user, question)]
    case .full:
      return [Message(.system, rules + outline), Message(.user, question)]
    }
  }

  /// It comes first and is the same for every document, so that an engine need not evaluate it again.
  private static let rules = """
    You read documents and answer with data. Answer with one JSON value of the form below, on one \
    line, without any other text. Copy names, dates and amounts exactly as they are written in the \
    document. Use null where the form allows it and the document does not say. Never invent a value.

    Form of the answer, with comments:

    """
}
