/// Renders messages in the ChatML format, which many models use:
///
///     <|im_start|>user
///     Hello<|im_end|>
///     <|im_start|>assistant
///
/// The markers are trusted text; what messages say is not, so that nobody can end a turn by
/// writing a marker into a document.
package enum ChatMLRenderer {
  /// The control tokens that a model must have for this format.
  package static let controlTokens = ["<|im_start|>", "<|im_end|>"]

  /// The prompt up to the point where the assistant begins to write.
  package static func render(_ messages: [Message]) -> [PromptPart] {
    var parts: [PromptPart] = []
    for message in messages {
      append(.trusted("<|im_start|>\(message.role.rawValue)\n"), to: &parts)
      for part in message.parts {
        switch part {
        case .text(let text): append(.untrusted(text), to: &parts)
        case .image(let image): append(.image(image), to: &parts)
        }
      }
      append(.trusted("<|im_end|>\n"), to: &parts)
    }
    append(.trusted("<|im_start|>assistant\n"), to: &parts)
    return parts
  }

  /// Neighbours of one kind are joined: the tokenizer must see them as one text.
  private static func append(_ part: PromptPart, to parts: inout [PromptPart]) {
    switch (parts.last, part) {
    case (.trusted(let before), .trusted(let text)):
      parts[parts.count - 1] = .trusted(before + text)
    case (.untrusted(let before), .untrusted(let text)):
      parts[parts.count - 1] = .untrusted(before + text)
    case (_, .untrusted("")), (_, .trusted("")): break
    default: parts.append(part)
    }
  }
}
