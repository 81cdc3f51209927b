package import Fovea

/// An engine without a model: it writes the text of a script, one byte a token, as far as the
/// constraint allows. Where the script's next byte is not allowed, it writes the lowest byte that
/// is, as a stubborn model would.
///
/// Its vocabulary is the 256 bytes and one end token.
package final class ScriptedEngine: InferenceEngine {
  package let model: ModelDescription
  package let vocabulary: Vocabulary
  package let parallelRequests: Int
  private let script: @Sendable (GenerationRequest) async throws(FoveaError) -> String
  private let onToken: @Sendable (_ count: Int) -> Void

  /// The token that ends a text.
  package static let endToken: TokenID = 256

  /// Makes an engine that wants to write `script` and then to end; `onToken` hears of each token.
  package convenience init(
    _ script: String, supportsImages: Bool = true, style: PromptStyle = .full,
    chatTemplate: String? = nil,
    onToken: @escaping @Sendable (_ count: Int) -> Void = { _ in }
  ) {
    self.init(
      supportsImages: supportsImages, style: style, chatTemplate: chatTemplate, onToken: onToken
    ) { _ in script }
  }

  /// Makes an engine that asks for the script of each request, which may take its time or fail.
  ///
  /// It evaluates whatever comes at once; `parallelRequests` is only what it says of itself.
  package init(
    supportsImages: Bool = true, style: PromptStyle = .full, chatTemplate: String? = nil,
    parallelRequests: Int = 1, onToken: @escaping @Sendable (_ count: Int) -> Void = { _ in },
    script: @escaping @Sendable (GenerationRequest) async throws(FoveaError) -> String
  ) {
    self.script = script
    self.parallelRequests = parallelRequests
    self.onToken = onToken
    model = ModelDescription(
      name: "scripted", architecture: "script", parameterCount: 0, contextSize: 1 << 20,
      supportsImages: supportsImages, chatTemplate: chatTemplate, promptStyle: style)
    vocabulary = Vocabulary(
      pieces: (0...255).map { [UInt8($0)] } + [[]], endTokens: [Self.endToken])
  }

  /// Writes the script's bytes as a thought, for as long as it lasts.
  private func think(
    _ plan: ThinkingPlan?, _ wanted: inout ArraySlice<UInt8>, _ usage: inout TokenUsage,
    onEvent: (GenerationEvent) -> Void
  ) -> String {
    guard let plan else { return "" }
    var phase = ThinkingPhase(plan, room: 1 << 20)
    var thought: [UInt8] = []
    func show() {
      let bytes = phase.takeVisible()
      if bytes.isEmpty { return }
      thought += bytes
      onEvent(.thinking(String(decoding: bytes, as: UTF8.self)))
    }
    var step = phase.isOverBudget ? ThinkingPhase.Step.close(phase.closing) : .keep
    while step == .keep {
      let byte = wanted.popFirst()
      step = phase.take(byte.map { [$0] } ?? [], endsText: byte == nil)
      if case .noThought = step, let byte { wanted = phase.takeVisible() + [byte] + wanted }
      show()
      if case .noThought = step { return "" }
      if case .close = step { break }
      usage.thinkingTokens += 1
    }
    switch step {
    case .close(let bytes), .keepAndClose(let bytes):
      usage.thinkingTokens += bytes.count
      // What is written for it, the script need not write.
      if wanted.starts(with: bytes) { wanted.removeFirst(bytes.count) }
    case .keep, .noThought: break
    }
    return String(decoding: thought, as: UTF8.self)
  }

  package func generate(
    _ request: GenerationRequest, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    let constraint = try request.constraintMaker?.make()
    constraint?.limit(toTokens: request.maxTokens)
    var wanted = Array(try await script(request).utf8)[...]
    var assembler = UTF8Assembler()
    var text = ""
    var usage = TokenUsage(promptTokens: request.prompt.count)
    onEvent(.promptEvaluated(usage))
    let thinking = think(request.thinking, &wanted, &usage, onEvent: onEvent)
    while true {
      if Task.isCancelled {
        throw FoveaError(.cancelled, "the task was cancelled").withPartialText(text)
      }
      let allowed = try constraint?.allowedTokens()
      var token = wanted.popFirst().map(TokenID.init) ?? Self.endToken
      if let allowed, !allowed.contains(token) { token = allowed.tokens.first ?? Self.endToken }
      if token == Self.endToken {
        return GenerationResult(
          text: text, thinking: thinking, finishReason: .endOfText,
          isTruncatedByBudget: constraint?.isTruncatedByBudget ?? false, usage: usage,
          timings: GenerationTimings())
      }
      usage.completionTokens += 1
      let piece = assembler.append(vocabulary.pieces[Int(token)])
      text += piece
      if !piece.isEmpty { onEvent(.text(piece)) }
      try constraint?.accept(token)
      onToken(usage.completionTokens)
      let isFinished = constraint?.isFinished ?? false
      let isAtLimit = usage.completionTokens == request.maxTokens
      if isFinished || isAtLimit {
        let isComplete = constraint?.isComplete ?? false
        let isClosed = constraint.map { $0.isTruncatedByBudget || !isFinished } ?? false
        return GenerationResult(
          text: text, thinking: thinking, finishReason: isComplete ? .complete : .tokenLimit,
          isTruncatedByBudget: isClosed, usage: usage, timings: GenerationTimings())
      }
      await Task.yield()
    }
  }
}
