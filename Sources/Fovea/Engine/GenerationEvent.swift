/// What happens while text is written.
public enum GenerationEvent: Sendable, Hashable {
  /// The prompt has been evaluated; writing begins.
  case promptEvaluated(TokenUsage)
  /// More of the model's thought, which comes before the text and is no part of it.
  case thinking(String)
  /// More text. Always whole Unicode characters' worth of bytes: a character that is split over
  /// tokens comes in one piece.
  case text(String)
}
