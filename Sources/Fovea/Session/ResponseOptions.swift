/// How a conversation is continued.
public struct ResponseOptions: Sendable, Hashable {
  /// The most tokens to write.
  public var maxTokens: Int
  /// How tokens are chosen; nil: as the model file says, or ``SamplingOptions/conversation``.
  public var sampling: SamplingOptions?
  /// Whether the model thinks first.
  public var thinking: Thinking

  /// Makes options.
  public init(
    maxTokens: Int = 1_024, sampling: SamplingOptions? = nil,
    thinking: Thinking = .automatic
  ) {
    self.maxTokens = maxTokens
    self.sampling = sampling
    self.thinking = thinking
  }
}
