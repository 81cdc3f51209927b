/// What happens while an answer is written.
public enum ResponseEvent: Sendable, Hashable {
  /// More text.
  case text(String)
  /// The whole answer; the last event.
  case finished(GenerationResult)
}
