internal import Fovea

/// One request on its way through the context: the prompt, then token after token. Lives inside one
/// job of the engine's actor.
struct Generation {
  private let native: NativeModel
  private let vocabulary: Vocabulary
  private let request: GenerationRequest
  private let clock = ContinuousClock()
  private let endTokens: Set<TokenID>
  private let constraint: (any TokenConstraint)?

  /// All that was written so far, without the thought before it.
  private(set) var text = ""
  private var thinking = ""
  private var usage = TokenUsage()
  private var timings = GenerationTimings()
  private var assembler = UTF8Assembler()
  /// The next position; with M-RoPE an image takes fewer positions than tokens.
  private var position: Int32 = 0

  /// Starts a generation; `constraint` stands at the beginning of its text.
  init(
    native: NativeModel, vocabulary: Vocabulary, request: GenerationRequest,
    constraint: (any TokenConstraint)?
  ) {
    self.native = native
    self.vocabulary = vocabulary
    self.request = request
    self.constraint = constraint
    endTokens = Set(vocabulary.endTokens)
  }

  // MARK: Prompt

  /// Tokenises the prompt, checks that it fits, and evaluates it in an empty context.
  mutating func evaluatePrompt() throws(FoveaError) {
    guard request.maxTokens > 0 else {
      throw FoveaError(
        .invalidArgument, "maxTokens is \(request.maxTokens)", fix: "allow at least one token")
    }
    try request.sampling.validate()
    try request.thinkingSampling.validate()
    try checkCancellation()
    let start = clock.now
    native.context.clear()
    let hasImages = request.prompt.contains {
      if case .image = $0 { true } else { false }
    }
    if hasImages {
      try evaluateChunks()
    } else {
      try evaluateText()
    }
    timings.prompt = clock.now - start
  }

  private mutating func evaluateText() throws(FoveaError) {
    let tokens = try native.weights.tokenizePrompt(native.specialTokens.pieces(of: request.prompt))
    usage.promptTokens = tokens.count
    try checkPromptFits()
    try native.context.evaluate(tokens)
    position = Int32(tokens.count)
  }

  private mutating func evaluateChunks() throws(FoveaError) {
    guard let projector = native.projector, projector.supportsImages else {
      throw FoveaError(
        .unsupportedByModel, "the model cannot see images",
        fix: "load it with its projector (the mmproj file), or give text")
    }
    let chunks = try projector.chunks(of: native.specialTokens.pieces(of: request.prompt))
    for index in 0..<chunks.count {
      let count = chunks.tokenCount(index)
      usage.promptTokens += count
      guard chunks.isImage(index) else { continue }
      usage.imageTokens += count
      if projector.needsWholeImageBatch, count > native.context.batchSize {
        throw FoveaError(
          .promptTooLong,
          "an image of \(count) tokens does not fit a batch of \(native.context.batchSize)",
          fix: "load the model with a larger batch size, or give a smaller image")
      }
    }
    try checkPromptFits()
    for index in 0..<chunks.count {
      try checkCancellation()
      position = try native.context.evaluate(
        chunks, index, projector: projector, position: position,
        wantsLogits: index == chunks.count - 1)
    }
  }

  private func checkPromptFits() throws(FoveaError) {
    guard usage.promptTokens > 0 else {
      throw FoveaError(.invalidArgument, "the prompt is empty", fix: "give some text or an image")
    }
    guard usage.promptTokens < native.context.size else {
      let share = usage.imageTokens > 0 ? " (\(usage.imageTokens) of them for images)" : ""
      throw FoveaError(
        .promptTooLong,
        "the prompt has \(usage.promptTokens) tokens\(share), the context only holds "
          + "\(native.context.size)",
        fix: "load the model with a larger context, or give a smaller image or less text")
    }
  }

  // MARK: Writing

  /// Writes until the text ends or a limit is reached.
  mutating func write(
    onEvent: @Sendable (GenerationEvent) -> Void
  ) throws(FoveaError) -> GenerationResult {
    onEvent(.promptEvaluated(usage))
    let start = clock.now
    let sampler = try SamplerHandle(request.sampling, tokenCount: vocabulary.count)
    var first: TokenID?
    if let plan = request.thinking { first = try think(plan, onEvent: onEvent) }
    // The text is brought to an end within what the context holds, too.
    let held = usage.promptTokens + usage.thinkingTokens
    let limit = min(request.maxTokens, native.context.size - held + 1)
    constraint?.limit(toTokens: limit)
    var finishReason: FinishReason?
    while finishReason == nil {
      try checkCancellation()
      let token: TokenID
      if let chosen = first { token = chosen } else { token = try nextToken(sampler: sampler) }
      first = nil
      if endTokens.contains(token) {
        finishReason = .endOfText
        break
      }
      usage.completionTokens += 1
      emit(assembler.append(vocabulary.pieces[Int(token)]), to: onEvent)
      if let constraint {
        timings.constraint += try clock.measuring { () throws(FoveaError) in
          try constraint.accept(token)
        }
        if constraint.isFinished {
          finishReason = .complete
          break
        }
      }
      if usage.completionTokens >= limit {
        finishReason = reasonAtLimit
      } else {
        try native.context.evaluate(token, at: position)
        position += 1
      }
    }
    // A limit may cut a character in two; half a character is no text.
    if finishReason?.isTruncated == false { emit(assembler.finish(), to: onEvent) }
    timings.generation = clock.now - start
    return GenerationResult(
      text: text, thinking: thinking, finishReason: finishReason ?? .endOfText,
      isTruncatedByBudget: isClosed(by: limit),
      usage: usage, timings: timings)
  }

  /// Why the text ends with the last token that is allowed.
  private var reasonAtLimit: FinishReason {
    if constraint?.isComplete == true { return .complete }
    return usage.completionTokens >= request.maxTokens ? .tokenLimit : .contextFull
  }

  /// Whether the limit had a say in the text. A text that is complete at the limit and might go on,
  /// as a bare number might, was not asked whether it would.
  private func isClosed(by limit: Int) -> Bool {
    guard let constraint else { return false }
    return constraint.isTruncatedByBudget
      || usage.completionTokens >= limit && !constraint.isFinished
  }

  private mutating func nextToken(
    sampler: borrowing SamplerHandle
  ) throws(FoveaError) -> TokenID {
    guard let constraint else {
      return try native.context.sample(with: sampler, allowed: nil)
    }
    let start = clock.now
    let allowed = try constraint.allowedTokens()
    timings.constraint += clock.now - start
    if let only = allowed.onlyToken {  // no choice: nothing to sample
      sampler.accept(only)
      return only
    }
    return try native.context.sample(with: sampler, allowed: allowed)
  }

  private mutating func emit(_ piece: String, to onEvent: @Sendable (GenerationEvent) -> Void) {
    guard !piece.isEmpty else { return }
    text += piece
    onEvent(.text(piece))
  }

  // MARK: Thinking

  /// Lets the model think, and brings the thought to its end.
  ///
  /// - Returns: The first token of the answer, when the model has chosen it without a thought.
  private mutating func think(
    _ plan: ThinkingPlan, onEvent: @Sendable (GenerationEvent) -> Void
  ) throws(FoveaError) -> TokenID? {
    let sampler = try SamplerHandle(request.thinkingSampling, tokenCount: vocabulary.count)
    let closing = try tokens(of: Array(plan.closing.utf8))
    // The answer needs room as well.
    let rest = native.context.size - usage.promptTokens - closing.count
    var phase = ThinkingPhase(plan, room: rest - min(request.maxTokens, rest / 2))
    var assembler = UTF8Assembler()
    if phase.isOverBudget, plan.opening == nil {
      try write(phase.closing)
      return nil
    }
    while true {
      try checkCancellation()
      let token = try native.context.sample(with: sampler, allowed: nil)
      let step = phase.take(
        native.weights.spelling(of: token), endsText: endTokens.contains(token))
      let piece = assembler.append(phase.takeVisible())
      if step == .noThought {
        emit(piece, to: onEvent)
        return token
      }
      show(piece, to: onEvent)
      switch step {
      case .keep: try write(token)
      case .noThought: break
      case .keepAndClose(let bytes):
        try write(token)
        try write(bytes)
      case .close(let bytes): try write(bytes)
      }
      if step != .keep {
        show(assembler.finish(), to: onEvent)
        return nil
      }
    }
  }

  /// The tokens of a text of the template.
  private func tokens(of bytes: [UInt8]) throws(FoveaError) -> [TokenID] {
    let text = String(decoding: bytes, as: UTF8.self)
    return try native.weights.tokenize(native.specialTokens.pieces(of: [.trusted(text)]))
  }

  private mutating func write(_ bytes: [UInt8]) throws(FoveaError) {
    for token in try tokens(of: bytes) { try write(token) }
  }

  private mutating func write(_ token: TokenID) throws(FoveaError) {
    try native.context.evaluate(token, at: position)
    position += 1
    usage.thinkingTokens += 1
  }

  private mutating func show(_ piece: String, to onEvent: @Sendable (GenerationEvent) -> Void) {
    guard !piece.isEmpty else { return }
    thinking += piece
    onEvent(.thinking(piece))
  }

  private func checkCancellation() throws(FoveaError) {
    if Task.isCancelled { throw FoveaError(.cancelled, "the task was cancelled") }
  }
}

extension ContinuousClock {
  /// How long a throwing function takes.
  func measuring(_ body: () throws(FoveaError) -> Void) throws(FoveaError) -> Duration {
    let start = now
    try body()
    return now - start
  }
}
