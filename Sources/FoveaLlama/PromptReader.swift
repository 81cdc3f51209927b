internal import Fovea

/// Reads a request's prompt before it gets a lane: cuts it into tokens, checks that it fits, and
/// encodes its pictures.
struct PromptReader {
  let model: LoadedModel
  /// Nil: the model cannot see pictures.
  let pictures: PictureEncoder?
  let lanes: LanePool
  let request: GenerationRequest
  let ticket: RequestTicket

  /// A prompt that can be evaluated.
  struct Prompt: Sendable {
    var entries: PromptEntries
    /// The embeddings of images, by the entry, as far as they are there.
    var embeddings: [Int: [Float]] = [:]
    var duration: Duration = .zero
    /// How many images, or tiles of them, were encoded for it.
    var encodedImages = 0
  }

  /// Reads the prompt.
  nonisolated(nonsending) func read() async throws(FoveaError) -> Prompt {
    guard request.maxTokens > 0 else {
      throw FoveaError(
        .invalidArgument, "maxTokens is \(request.maxTokens)", fix: "allow at least one token")
    }
    try request.sampling.validate()
    try request.thinkingSampling.validate()
    try ticket.checkCancellation()
    let clock = ContinuousClock()
    let start = clock.now
    var prompt = Prompt(entries: try await entries())
    try checkFits(prompt.entries)
    for index in prompt.entries.chunkOfItem.keys.sorted() {
      guard needsEncoding(prompt.entries, index) else { continue }
      guard let made = try await pictures?.embeddings(of: prompt.entries, index, for: ticket)
      else { continue }
      prompt.embeddings[index] = made.values
      if made.isNew { prompt.encodedImages += 1 }
    }
    prompt.duration = clock.now - start
    return prompt
  }

  /// Whether an image will have to be evaluated. Where it is in some memory already, that is told once
  /// it is known which sequence evaluates the prompt.
  private func needsEncoding(_ entries: PromptEntries, _ index: Int) -> Bool {
    !lanes.holds(entries.items[...index])
  }

  private nonisolated(nonsending) func entries() async throws(FoveaError) -> PromptEntries {
    let pieces = model.specialTokens.pieces(of: request.prompt)
    let hasImages = pieces.contains { if case .image = $0 { true } else { false } }
    guard hasImages else { return PromptEntries(tokens: try model.weights.tokenizePrompt(pieces)) }
    guard let projector = model.projector, projector.supportsImages, let pictures else {
      throw FoveaError(
        .unsupportedByModel, "the model cannot see images",
        fix: "load it with its projector (the mmproj file), or give text")
    }
    let prompt = PromptEntries(chunks: try await pictures.chunks(of: pieces))
    if projector.needsWholeImageBatch, prompt.largestImage > lanes.batchSize {
      throw FoveaError(
        .promptTooLong,
        "an image of \(prompt.largestImage) tokens does not fit a batch of "
          + "\(lanes.batchSize)",
        fix: "load the model with a larger batch size, or give a smaller image")
    }
    return prompt
  }

  private func checkFits(_ prompt: PromptEntries) throws(FoveaError) {
    guard prompt.tokenCount > 0 else {
      throw FoveaError(.invalidArgument, "the prompt is empty", fix: "give some text or an image")
    }
    guard prompt.tokenCount < lanes.contextSize else {
      let share =
        prompt.imageTokenCount > 0 ? " (\(prompt.imageTokenCount) of them for images)" : ""
      throw FoveaError(
        .promptTooLong,
        "the prompt has \(prompt.tokenCount) tokens\(share), the context only holds "
          + "\(lanes.contextSize)",
        fix: "load the model with a larger context, or give a smaller image or less text")
    }
    guard case .token? = prompt.items.last else {
      throw FoveaError(
        .invalidArgument, "the prompt ends with an image",
        fix: "use a chat template that writes something behind the last message")
    }
  }
}
