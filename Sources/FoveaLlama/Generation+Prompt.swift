internal import Fovea

extension Generation {
  /// How many tokens before a text decide how it is cut into tokens.
  static let tokensOfContext = 8

  /// Tokenises the prompt and checks that it fits.
  mutating func readPrompt() throws(FoveaError) -> PromptEntries {
    guard request.maxTokens > 0 else {
      throw FoveaError(
        .invalidArgument, "maxTokens is \(request.maxTokens)", fix: "allow at least one token")
    }
    try request.sampling.validate()
    try request.thinkingSampling.validate()
    try checkCancellation()
    let start = clock.now
    let prompt = try entries()
    usage.promptTokens = prompt.tokenCount
    usage.imageTokens = prompt.imageTokenCount
    imageIDs = prompt.imageIDs
    try checkFits(prompt)
    lastTokens = prompt.lastTokens(Self.tokensOfContext, of: vocabulary)
    if drafts { drafter = PromptDrafter(sources: sources) }
    timings.prompt = clock.now - start
    return prompt
  }

  private func entries() throws(FoveaError) -> PromptEntries {
    let pieces = native.specialTokens.pieces(of: request.prompt)
    let hasImages = pieces.contains { if case .image = $0 { true } else { false } }
    guard hasImages else { return PromptEntries(tokens: try native.weights.tokenizePrompt(pieces)) }
    guard let projector = native.projector, projector.supportsImages else {
      throw FoveaError(
        .unsupportedByModel, "the model cannot see images",
        fix: "load it with its projector (the mmproj file), or give text")
    }
    let prompt = PromptEntries(chunks: try projector.chunks(of: pieces))
    if projector.needsWholeImageBatch, prompt.largestImage > memory.batchSize {
      throw FoveaError(
        .promptTooLong,
        "an image of \(prompt.largestImage) tokens does not fit a batch of \(memory.batchSize)",
        fix: "load the model with a larger batch size, or give a smaller image")
    }
    return prompt
  }

  private func checkFits(_ prompt: PromptEntries) throws(FoveaError) {
    guard usage.promptTokens > 0 else {
      throw FoveaError(.invalidArgument, "the prompt is empty", fix: "give some text or an image")
    }
    guard usage.promptTokens < memory.size else {
      let share = usage.imageTokens > 0 ? " (\(usage.imageTokens) of them for images)" : ""
      throw FoveaError(
        .promptTooLong,
        "the prompt has \(usage.promptTokens) tokens\(share), the context only holds "
          + "\(memory.size)",
        fix: "load the model with a larger context, or give a smaller image or less text")
    }
    guard case .token? = prompt.items.last else {
      throw FoveaError(
        .invalidArgument, "the prompt ends with an image",
        fix: "use a chat template that writes something behind the last message")
    }
  }

  /// What the answer may be copied from; an earlier answer about the same images comes first.
  private var sources: [[UInt8]] {
    let answer = native.answers.find(imageIDs).map { [$0] } ?? []
    return answer + request.sources.map { Array($0.utf8) }
  }

  // MARK: Evaluation

  /// Evaluates what the memory does not hold of a prompt, and with its last tokens those that the
  /// schema forces first.
  mutating func evaluate(
    _ prompt: PromptEntries, sampler: borrowing SamplerHandle
  ) throws(FoveaError) {
    let start = clock.now
    // The answer is planned first, since its forced beginning goes into the prompt's last batch.
    if request.thinking == nil {
      beginAnswer()
      try force(sampler: sampler)
    }
    if finishReason == nil { try evaluateNew(of: prompt) }
    timings.prompt += clock.now - start
  }

  private mutating func evaluateNew(of prompt: PromptEntries) throws(FoveaError) {
    let items = prompt.items
    let (kept, parted) = memory.begin(items, reuses: options.reusesPrompts)
    usage.reusedTokens = items[..<kept].reduce(0) { $0 + $1.tokenCount }
    var tokens: [TokenID] = []
    for index in kept..<items.count {
      if index == parted, index > 0 {
        // Another prompt went its own way from here, and so may the next.
        try evaluate(&tokens, outputs: 0)
        memory.keepState()
      }
      switch items[index] {
      case .token(let token): tokens.append(token)
      case .image:
        try evaluate(&tokens, outputs: 0)
        try evaluateImage(index, of: prompt)
      }
    }
    if !memory.canForget {
      // The next prompt may begin like this one, whatever the answer was.
      try evaluate(&tokens, outputs: 1)
      memory.keepState()
    }
    tokens += pending
    pending = []
    try evaluate(&tokens, outputs: 1)
  }

  private func evaluate(_ tokens: inout [TokenID], outputs: Int) throws(FoveaError) {
    guard !tokens.isEmpty else { return }
    try checkCancellation()
    try memory.evaluate(tokens, outputs: outputs, during: "the prompt")
    tokens = []
  }

  private mutating func evaluateImage(
    _ index: Int, of prompt: PromptEntries
  ) throws(FoveaError) {
    try checkCancellation()
    let item = prompt.items[index]
    guard let projector = native.projector, let number = prompt.chunkOfItem[index],
      let chunks = prompt.chunks, case .image(let id, _, _) = item
    else { preconditionFailure("an entry that is an image has a chunk") }
    let embeddings: [Float]
    if options.reusesPrompts, let known = native.embeddings.find(id) {
      embeddings = known
    } else {
      embeddings = try projector.encode(chunks, number)
      usage.encodedImages += 1
      if options.reusesPrompts { native.embeddings.insert(embeddings, for: id) }
    }
    try memory.evaluate(item, chunks, number, embeddings: embeddings, projector: projector)
  }
}
