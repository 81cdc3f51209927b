/// A prompt, and how to continue it.
public struct GenerationRequest: Sendable {
  /// The prompt's parts in order.
  package var prompt: [PromptPart]
  /// The thought that comes before the text; nil: none.
  package var thinking: ThinkingPlan?
  /// The most tokens to write.
  package var maxTokens: Int
  /// How the next token is chosen among those that are allowed.
  package var sampling: SamplingOptions
  /// How tokens of a thought are chosen.
  package var thinkingSampling: SamplingOptions
  /// Texts that the answer may be copied from, the likeliest first: a document, a question. Engines may
  /// guess from them what comes next; the answer does not depend on it.
  package var sources: [String]
  /// Makes the constraint of this generation; nil: any text.
  package var constraintMaker: ConstraintMaker?

  /// Makes a request.
  package init(
    prompt: [PromptPart], thinking: ThinkingPlan? = nil, maxTokens: Int,
    sampling: SamplingOptions = SamplingOptions(), thinkingSampling: SamplingOptions? = nil,
    sources: [String] = [], constraintMaker: ConstraintMaker? = nil
  ) {
    self.prompt = prompt
    self.thinking = thinking
    self.maxTokens = maxTokens
    self.sampling = sampling
    self.thinkingSampling = thinkingSampling ?? sampling
    self.sources = sources
    self.constraintMaker = constraintMaker
  }
}
