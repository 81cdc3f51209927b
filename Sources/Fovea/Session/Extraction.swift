/// A value and how it came to be.
public struct Extraction<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The JSON that the model wrote.
  public let json: String
  /// What the model thought before; empty unless it was asked to.
  public let thinking: String
  /// Why the model stopped.
  public let finishReason: FinishReason
  /// Whether the model was made to close the value early, so that it got complete within the token
  /// limit or the model's context. The value is valid, but texts and lists may have been cut short;
  /// raise `maxTokens` to be sure. It is also true where the limit ruled out only tokens that the
  /// model did not want.
  public let isTruncatedByBudget: Bool
  /// How many tokens were read and written.
  public let usage: TokenUsage
  /// How long it took.
  public let timings: GenerationTimings

  init(value: Value, result: GenerationResult) {
    self.value = value
    json = result.text
    thinking = result.thinking
    finishReason = result.finishReason
    isTruncatedByBudget = result.isTruncatedByBudget
    usage = result.usage
    timings = result.timings
  }
}
