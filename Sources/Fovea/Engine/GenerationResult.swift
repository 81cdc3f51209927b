/// The outcome of a generation.
public struct GenerationResult: Sendable, Hashable {
  /// All the text that was written.
  public var text: String
  /// Why the text ended.
  public var finishReason: FinishReason
  /// How many tokens were read and written.
  public var usage: TokenUsage
  /// How long it took.
  public var timings: GenerationTimings

  /// Makes a result.
  public init(
    text: String, finishReason: FinishReason, usage: TokenUsage, timings: GenerationTimings
  ) {
    self.text = text
    self.finishReason = finishReason
    self.usage = usage
    self.timings = timings
  }
}
