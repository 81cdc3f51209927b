/// How many tokens were read and written, and how.
public struct TokenUsage: Sendable, Hashable {
  /// Tokens of the prompt, those of images included.
  public var promptTokens = 0
  /// Tokens of images.
  public var imageTokens = 0
  /// Tokens of the prompt that were in the model's memory already, from an earlier request.
  public var reusedTokens = 0
  /// Images that the projector had to encode; the others were known from earlier requests.
  public var encodedImages = 0
  /// Tokens of the model's thought, with the marks around it.
  public var thinkingTokens = 0
  /// Tokens written, without those of a thought.
  public var completionTokens = 0
  /// Tokens written without asking the model, since the schema leaves no choice.
  public var forcedTokens = 0
  /// Tokens that were guessed from the document, to be checked several at once.
  public var draftedTokens = 0
  /// Guessed tokens that were what the model chose.
  public var acceptedDraftTokens = 0

  /// Makes a count of nothing.
  public init() {}

  /// Makes a count.
  public init(
    promptTokens: Int, imageTokens: Int = 0, thinkingTokens: Int = 0, completionTokens: Int = 0
  ) {
    self.promptTokens = promptTokens
    self.imageTokens = imageTokens
    self.thinkingTokens = thinkingTokens
    self.completionTokens = completionTokens
  }
}
