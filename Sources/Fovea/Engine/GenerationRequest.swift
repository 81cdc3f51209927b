/// A prompt, and how to continue it.
public struct GenerationRequest: Sendable {
  /// The prompt's parts in order.
  package var prompt: [PromptPart]
  /// The most tokens to write.
  package var maxTokens: Int
  /// How the next token is chosen among those that are allowed.
  package var sampling: SamplingOptions
  /// Makes the constraint of this generation, on the engine's thread; nil: any text.
  package var makeConstraint: (@Sendable () throws(FoveaError) -> any TokenConstraint)?

  /// Makes a request.
  package init(
    prompt: [PromptPart], maxTokens: Int, sampling: SamplingOptions = SamplingOptions(),
    makeConstraint: (@Sendable () throws(FoveaError) -> any TokenConstraint)? = nil
  ) {
    self.prompt = prompt
    self.maxTokens = maxTokens
    self.sampling = sampling
    self.makeConstraint = makeConstraint
  }
}
