internal import Fovea

extension Generation {
  /// Plans the answer: from here on its tokens count against its limit.
  mutating func beginAnswer() {
    // The text is brought to an end within what the context holds, too.
    let held = usage.promptTokens + usage.thinkingTokens
    limit = min(request.maxTokens, memory.size - held + 1)
    constraint?.limit(toTokens: limit)
  }

  /// Writes until the text ends or a limit is reached.
  nonisolated(nonsending) mutating func write(
    sampler: borrowing SamplerHandle, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    onEvent(.promptEvaluated(usage))
    let start = clock.now
    flush(to: onEvent)
    if let plan = request.thinking {
      let first = try await think(plan, onEvent: onEvent)
      beginAnswer()
      lastTokens = []
      if let first { try choose(first, sampler: sampler) } else { try force(sampler: sampler) }
    }
    while finishReason == nil {
      flush(to: onEvent)
      try ticket.checkCancellation()
      try await settle()
      let token = try nextToken(sampler: sampler)
      try choose(token, sampler: sampler)
    }
    // A limit may cut a character in two; half a character is no text.
    if finishReason?.isTruncated == false { unshown += assembler.finish() }
    flush(to: onEvent)
    timings.generation = clock.now - start
    native.answers.insert(written, for: imageIDs)
    return GenerationResult(
      text: text, thinking: thinking, finishReason: finishReason ?? .endOfText,
      isTruncatedByBudget: isClosed, usage: usage, timings: timings)
  }

  // MARK: Choosing

  /// Takes a token and what the schema forces behind it.
  private mutating func choose(
    _ token: TokenID, sampler: borrowing SamplerHandle
  ) throws(FoveaError) {
    if endTokens.contains(token) {
      finishReason = .endOfText
      return
    }
    try take(token)
    pending.append(token)
    try force(sampler: sampler)
  }

  /// Takes the tokens that the schema leaves no choice about.
  mutating func force(sampler: borrowing SamplerHandle) throws(FoveaError) {
    guard options.jumpsForward, finishReason == nil, let constraint else { return }
    let start = clock.now
    var run = try constraint.forcedTokens(after: lastTokens) { bytes throws(FoveaError) in
      try native.tokens(of: bytes)
    }
    timings.constraint += clock.now - start
    run.removeLast(max(0, run.count - (limit - usage.completionTokens)))
    for token in run {
      try take(token)
      sampler.accept(token)
    }
    usage.forcedTokens += run.count
    pending += run
  }

  /// Writes a token down.
  private mutating func take(_ token: TokenID) throws(FoveaError) {
    usage.completionTokens += 1
    let piece = vocabulary.pieces[Int(token)]
    written += piece
    lastTokens.append(token)
    if lastTokens.count > Self.tokensOfContext { lastTokens.removeFirst() }
    unshown += assembler.append(piece)
    if let constraint {
      let start = clock.now
      try constraint.accept(token)
      timings.constraint += clock.now - start
      if constraint.isFinished {
        finishReason = .complete
        return
      }
    }
    if usage.completionTokens >= limit { finishReason = reasonAtLimit }
  }

  /// Why the text ends with the last token that is allowed.
  private var reasonAtLimit: FinishReason {
    if constraint?.isComplete == true { return .complete }
    return usage.completionTokens >= request.maxTokens ? .tokenLimit : .contextFull
  }

  /// Whether the limit had a say in the text. A text that is complete at the limit and might go on,
  /// as a bare number might, was not asked whether it would.
  private var isClosed: Bool {
    guard let constraint else { return false }
    return constraint.isTruncatedByBudget
      || usage.completionTokens >= limit && !constraint.isFinished
  }

  private mutating func nextToken(
    sampler: borrowing SamplerHandle
  ) throws(FoveaError) -> TokenID {
    guard let constraint else {
      return try memory.sample(with: sampler, allowed: nil, fromEnd: draft.tokens.count)
    }
    let start = clock.now
    let allowed = try constraint.allowedTokens()
    timings.constraint += clock.now - start
    if let only = allowed.onlyToken {  // no choice: nothing to sample
      sampler.accept(only)
      return only
    }
    let token = try memory.sample(with: sampler, allowed: allowed, fromEnd: draft.tokens.count)
    if drafts { noteHabit(token, constraint) }
    return token
  }

  private mutating func flush(to onEvent: @Sendable (GenerationEvent) -> Void) {
    guard !unshown.isEmpty else { return }
    text += unshown
    onEvent(.text(unshown))
    unshown = ""
  }

  // MARK: Evaluation

  /// Evaluates the chosen tokens that were not guessed, and new guesses behind them.
  private nonisolated(nonsending) mutating func settle() async throws(FoveaError) {
    while let token = pending.first, token == draft.tokens.first,
      let evidence = draft.evidence.popFirst()
    {
      pending.removeFirst()
      draft.tokens.removeFirst()
      draftPolicy.record(evidence, isRight: true)
      usage.acceptedDraftTokens += 1
    }
    guard !pending.isEmpty else { return }
    if let evidence = draft.evidence.first {
      draftPolicy.record(evidence, isRight: false)
      try memory.forgetLast(draft.tokens.count)
    }
    draft = try nextDraft()
    try await memory.evaluate(
      pending + draft.tokens, outputs: 1 + draft.tokens.count, during: "the answer")
    usage.draftedTokens += draft.tokens.count
    pending = []
  }
}
