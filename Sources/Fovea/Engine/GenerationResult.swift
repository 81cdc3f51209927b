/// The outcome of a generation.
public struct GenerationResult: Sendable, Hashable {
  /// All the text that was written.
  public var text: String
  /// What the model thought before it wrote the text, without the marks around it; empty where it
  /// did not.
  public var thinking: String
  /// Why the text ended.
  public var finishReason: FinishReason
  /// Whether the limit kept the model from some token near the end, so that the text got complete
  /// within it. The text keeps to its constraint, but the model may have wanted to write more.
  /// Always false without a constraint.
  public var isTruncatedByBudget: Bool
  /// How many tokens were read and written.
  public var usage: TokenUsage
  /// How long it took.
  public var timings: GenerationTimings

  /// Makes a result.
  public init(
    text: String, thinking: String = "", finishReason: FinishReason,
    isTruncatedByBudget: Bool = false,
    usage: TokenUsage, timings: GenerationTimings
  ) {
    self.text = text
    self.thinking = thinking
    self.finishReason = finishReason
    self.isTruncatedByBudget = isTruncatedByBudget
    self.usage = usage
    self.timings = timings
  }
}
