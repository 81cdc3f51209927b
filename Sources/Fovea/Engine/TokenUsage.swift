/// How many tokens were read and written.
public struct TokenUsage: Sendable, Hashable {
  /// Tokens of the prompt, those of images included.
  public var promptTokens: Int
  /// Tokens of images.
  public var imageTokens: Int
  /// Tokens of the model's thought, with the marks around it.
  public var thinkingTokens: Int
  /// Tokens written, without those of a thought.
  public var completionTokens: Int

  /// Makes a count.
  public init(
    promptTokens: Int = 0, imageTokens: Int = 0, thinkingTokens: Int = 0, completionTokens: Int = 0
  ) {
    self.promptTokens = promptTokens
    self.imageTokens = imageTokens
    self.thinkingTokens = thinkingTokens
    self.completionTokens = completionTokens
  }
}
