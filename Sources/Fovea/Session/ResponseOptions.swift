/// How a conversation is continued.
public struct ResponseOptions: Sendable, Hashable {
  /// The most tokens to write.
  public var maxTokens: Int
  /// How tokens are chosen.
  public var sampling: SamplingOptions
  /// Whether the model thinks first.
  public var thinking: Thinking

  /// Makes options; by default some variety, as a conversation wants.
  public init(
    maxTokens: Int = 1_024,
    sampling: SamplingOptions = SamplingOptions(temperature: 0.7, topK: 40, topP: 0.95, minP: 0.05),
    thinking: Thinking = .automatic
  ) {
    self.maxTokens = maxTokens
    self.sampling = sampling
    self.thinking = thinking
  }
}
