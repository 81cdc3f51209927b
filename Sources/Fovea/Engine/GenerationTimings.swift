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
