internal import Fovea

/// Reads a request's prompt before it gets a sequence: cuts it into tokens, checks that it fits, and
/// encodes its pictures.
struct PromptReader {
  let native: NativeModel
  let request: GenerationRequest
  let ticket: RequestTicket

  /// A prompt that can be evaluated.
  struct Prompt {
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
      prompt.embeddings[index] = try await native.embeddings(
        of: prompt.entries, index, for: ticket, count: &prompt.encodedImages)
    }
    prompt.duration = clock.now - start
    return prompt
  }

  /// Whether an image will have to be evaluated. Where it is in some memory already, that is told once
  /// it is known which sequence evaluates the prompt.
  private func needsEncoding(_ entries: PromptEntries, _ index: Int) -> Bool {
    !native.sequences.holds(entries.items[...index])
  }

  private nonisolated(nonsending) func entries() async throws(FoveaError) -> PromptEntries {
    let pieces = native.specialTokens.pieces(of: request.prompt)
    let hasImages = pieces.contains { if case .image = $0 { true } else { false } }
    guard hasImages else { return PromptEntries(tokens: try native.weights.tokenizePrompt(pieces)) }
    guard let projector = native.projector, projector.supportsImages,
      let encoder = native.encoder
    else {
      throw FoveaError(
        .unsupportedByModel, "the model cannot see images",
        fix: "load it with its projector (the mmproj file), or give text")
    }
    let prompt = PromptEntries(chunks: try await encoder.chunks(of: pieces))
    if projector.needsWholeImageBatch, prompt.largestImage > native.context.batchSize {
      throw FoveaError(
        .promptTooLong,
        "an image of \(prompt.largestImage) tokens does not fit a batch of "
          + "\(native.context.batchSize)",
        fix: "load the model with a larger batch size, or give a smaller image")
    }
    return prompt
  }

  private func checkFits(_ prompt: PromptEntries) throws(FoveaError) {
    guard prompt.tokenCount > 0 else {
      throw FoveaError(.invalidArgument, "the prompt is empty", fix: "give some text or an image")
    }
    guard prompt.tokenCount < native.context.size else {
      let share =
        prompt.imageTokenCount > 0 ? " (\(prompt.imageTokenCount) of them for images)" : ""
      throw FoveaError(
        .promptTooLong,
        "the prompt has \(prompt.tokenCount) tokens\(share), the context only holds "
          + "\(native.context.size)",
        fix: "load the model with a larger context, or give a smaller image or less text")
    }
    guard case .token? = prompt.items.last else {
      throw FoveaError(
        .invalidArgument, "the prompt ends with an image",
        fix: "use a chat template that writes something behind the last message")
    }
  }
}

extension NativeModel {
  /// The embeddings of an image of a prompt, or of a tile of one: kept ones, or new ones.
  ///
  /// - Parameter count: Goes up where new ones are made.
  nonisolated(nonsending) func embeddings(
    of prompt: PromptEntries, _ index: Int, for ticket: RequestTicket, count: inout Int
  ) async throws(FoveaError) -> [Float] {
    try ticket.checkCancellation()
    guard let encoder, let number = prompt.chunkOfItem[index], let chunks = prompt.chunks,
      case .image(let id, _, _) = prompt.items[index]
    else { preconditionFailure("an entry that is an image has a chunk") }
    try await encodings.begin(id, ticket)
    defer { encodings.end(id) }
    if let known = embeddings.find(id) { return known }
    let new = try await encoder.encode(chunks, number, for: ticket.cancellation)
    count += 1
    embeddings.insert(new, for: id)
    return new
  }
}
