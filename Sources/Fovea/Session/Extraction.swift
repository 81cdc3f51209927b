/// A value and how it came to be.
public struct Extraction<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The JSON that the model wrote.
  public let json: String
  /// Why the model stopped.
  public let finishReason: FinishReason
  /// How many tokens were read and written.
  public let usage: TokenUsage
  /// How long it took.
  public let timings: GenerationTimings

  init(value: Value, result: GenerationResult) {
    self.value = value
    json = result.text
    finishReason = result.finishReason
    usage = result.usage
    timings = result.timings
  }
}
