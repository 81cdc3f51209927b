internal import Fovea

extension Generation {
  /// Evaluates what the memory does not hold of the prompt, and with its last tokens those that the
  /// schema forces first.
  nonisolated(nonsending) mutating func evaluatePrompt(
    sampler: borrowing SamplerHandle
  ) async throws(FoveaError) {
    let start = clock.now
    // The answer is planned first, since its forced beginning goes into the prompt's last batch.
    if request.thinking == nil {
      beginAnswer()
      try force(sampler: sampler)
    }
    if finishReason == nil { try await evaluateNew() }
    // Pixels and embeddings need not stay while text is written.
    prompt = PromptReader.Prompt(entries: PromptEntries(tokens: []))
    timings.prompt += clock.now - start
  }

  private nonisolated(nonsending) mutating func evaluateNew() async throws(FoveaError) {
    let items = prompt.entries.items
    if options.reusesPrompts { native.sequences.share(items, with: memory) }
    let (kept, parted) = memory.begin(items, reuses: options.reusesPrompts)
    usage.reusedTokens = items[..<kept].reduce(0) { $0 + $1.tokenCount }
    var tokens: [TokenID] = []
    for index in kept..<items.count {
      if index == parted, index > 0 {
        // Another prompt went its own way from here, and so may the next.
        try await evaluate(&tokens, outputs: 0)
        memory.keepState()
      }
      switch items[index] {
      case .token(let token): tokens.append(token)
      case .image:
        try await evaluate(&tokens, outputs: 0)
        try await evaluateImage(index)
      }
    }
    if !memory.canForget {
      // The next prompt may begin like this one, whatever the answer was.
      try await evaluate(&tokens, outputs: 1)
      memory.keepState()
    }
    tokens += pending
    pending = []
    try await evaluate(&tokens, outputs: 1)
  }

  private nonisolated(nonsending) func evaluate(
    _ tokens: inout [TokenID], outputs: Int
  ) async throws(FoveaError) {
    guard !tokens.isEmpty else { return }
    try ticket.checkCancellation()
    try await memory.evaluate(tokens, outputs: outputs, during: "the prompt")
    tokens = []
  }

  private nonisolated(nonsending) mutating func evaluateImage(
    _ index: Int
  ) async throws(FoveaError) {
    try ticket.checkCancellation()
    guard let projector = native.projector, let number = prompt.entries.chunkOfItem[index],
      let chunks = prompt.entries.chunks
    else { preconditionFailure("an entry that is an image has a chunk") }
    try await memory.evaluate(
      prompt.entries.items[index], chunks, number, embeddings: try await embeddings(index),
      projector: projector)
  }

  private nonisolated(nonsending) mutating func embeddings(
    _ index: Int
  ) async throws(FoveaError) -> [Float] {
    if let known = prompt.embeddings[index] { return known }
    // It was in the memory of a sequence when the prompt was read. Meanwhile the others go on.
    native.scheduler.leave()
    native.scheduler.evaluateWaiting()
    defer { native.scheduler.enter() }
    guard let pictures else { preconditionFailure("a prompt with an image has an encoder") }
    let made = try await pictures.embeddings(of: prompt.entries, index, for: ticket)
    if made.isNew { usage.encodedImages += 1 }
    return made.values
  }
}
