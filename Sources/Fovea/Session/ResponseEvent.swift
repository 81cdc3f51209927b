/// What happens while an answer is written.
public enum ResponseEvent: Sendable, Hashable {
  /// More of the model's thought, which comes before the text.
  case thinking(String)
  /// More text.
  case text(String)
  /// The whole answer; the last event.
  case finished(GenerationResult)
}
