/// What happens while text is written.
public enum GenerationEvent: Sendable, Hashable {
  /// The prompt has been evaluated; writing begins.
  case promptEvaluated(TokenUsage)
  /// More text. Always whole Unicode characters' worth of bytes: a character that is split over
  /// tokens comes in one piece.
  case text(String)
}

/// The outcome of a generation.
public struct GenerationResult: Sendable, Hashable {
  /// All the text that was written.
  public var text: String
  /// Why the text ended.
  public var finishReason: FinishReason
  /// How many tokens were read and written.
  public var usage: TokenUsage
  /// How long it took.
  public var timings: GenerationTimings

  /// Makes a result.
  public init(
    text: String, finishReason: FinishReason, usage: TokenUsage, timings: GenerationTimings
  ) {
    self.text = text
    self.finishReason = finishReason
    self.usage = usage
    self.timings = timings
  }
}

/// Why a text ended.
public enum FinishReason: String, Sendable, Hashable, CaseIterable {
  /// The model ended it.
  case endOfText
  /// The constraint allows nothing more: the value is complete.
  case complete
  /// The limit of the request was reached: the text is cut.
  case tokenLimit
  /// The model's context is full: the text is cut.
  case contextFull

  /// Whether the text ended before it was finished.
  public var isTruncated: Bool { self == .tokenLimit || self == .contextFull }
}

/// How many tokens were read and written.
public struct TokenUsage: Sendable, Hashable {
  /// Tokens of the prompt, those of images included.
  public var promptTokens: Int
  /// Tokens of images.
  public var imageTokens: Int
  /// Tokens written.
  public var completionTokens: Int

  /// Makes a count.
  public init(promptTokens: Int = 0, imageTokens: Int = 0, completionTokens: Int = 0) {
    self.promptTokens = promptTokens
    self.imageTokens = imageTokens
    self.completionTokens = completionTokens
  }
}

/// How long the steps of a generation took.
public struct GenerationTimings: Sendable, Hashable {
  /// Reading, decoding and fitting the images.
  public var imageDecoding: Duration
  /// Evaluating the prompt, the images' encoding included.
  public var prompt: Duration
  /// Writing, from the end of the prompt to the last token; ``constraint`` is part of it.
  public var generation: Duration
  /// Finding the allowed tokens.
  public var constraint: Duration

  /// Makes timings.
  public init(
    imageDecoding: Duration = .zero, prompt: Duration = .zero, generation: Duration = .zero,
    constraint: Duration = .zero
  ) {
    self.imageDecoding = imageDecoding
    self.prompt = prompt
    self.generation = generation
    self.constraint = constraint
  }

  /// All of it.
  public var total: Duration { imageDecoding + prompt + generation }
}
