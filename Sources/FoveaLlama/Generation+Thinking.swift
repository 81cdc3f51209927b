internal import Fovea

extension Generation {
  /// Lets the model think, and brings the thought to its end.
  ///
  /// - Returns: The first token of the answer, when the model has chosen it without a thought.
  nonisolated(nonsending) mutating func think(
    _ plan: ThinkingPlan, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> TokenID? {
    let sampler = try SamplerHandle(request.thinkingSampling, tokenCount: vocabulary.count)
    let closing = try tokens(of: Array(plan.closing.utf8))
    // The answer needs room as well.
    let rest = memory.size - usage.promptTokens - closing.count
    var phase = ThinkingPhase(plan, room: rest - min(request.maxTokens, rest / 2))
    var assembler = UTF8Assembler()
    if phase.isOverBudget, plan.opening == nil {
      try await write(phase.closing)
      return nil
    }
    while true {
      try ticket.checkCancellation()
      let token = try memory.sample(with: sampler, allowed: nil)
      let step = phase.take(
        native.weights.spelling(of: token), endsText: endTokens.contains(token))
      let piece = assembler.append(phase.takeVisible())
      if step == .noThought {
        unshown += piece
        return token
      }
      show(piece, to: onEvent)
      switch step {
      case .keep: try await write(token)
      case .noThought: break
      case .keepAndClose(let bytes):
        try await write(token)
        try await write(bytes)
      case .close(let bytes): try await write(bytes)
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
    return try native.weights.tokenize(native.loaded.specialTokens.pieces(of: [.trusted(text)]))
  }

  private nonisolated(nonsending) mutating func write(_ bytes: [UInt8]) async throws(FoveaError) {
    for token in try tokens(of: bytes) { try await write(token) }
  }

  private nonisolated(nonsending) mutating func write(_ token: TokenID) async throws(FoveaError) {
    try await memory.evaluate([token], outputs: 1, during: "a thought")
    usage.thinkingTokens += 1
  }

  private mutating func show(_ piece: String, to onEvent: @Sendable (GenerationEvent) -> Void) {
    guard !piece.isEmpty else { return }
    thinking += piece
    onEvent(.thinking(piece))
  }
}
