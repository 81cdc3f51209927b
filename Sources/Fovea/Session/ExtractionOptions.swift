/// How a value is extracted.
public struct ExtractionOptions: Sendable, Hashable {
  /// The most tokens to write. Near it the model is made to close the JSON, so that the value is
  /// valid (``Extraction/isTruncatedByBudget``). A limit below what the shortest answer needs is an
  /// error, never a value.
  public var maxTokens: Int
  /// How tokens of the value are chosen; greedy by default, which suits extraction. A thought before
  /// it is sampled as the model file says, where it does.
  public var sampling: SamplingOptions
  /// What the prompt is made of; nil: what the model file asks for.
  public var promptStyle: PromptStyle?
  /// Whether the model thinks first; off by default, since extraction is mostly copying.
  public var thinking: Thinking

  /// Makes options.
  public init(
    maxTokens: Int = 4_096, sampling: SamplingOptions = SamplingOptions(),
    promptStyle: PromptStyle? = nil, thinking: Thinking = .off
  ) {
    self.maxTokens = maxTokens
    self.sampling = sampling
    self.promptStyle = promptStyle
    self.thinking = thinking
  }
}
