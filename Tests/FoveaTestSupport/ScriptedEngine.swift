package import Fovea

/// An engine without a model: it writes the text of a script, one byte a token, as far as the
/// constraint allows. Where the script's next byte is not allowed, it writes the lowest byte that
/// is, as a stubborn model would.
///
/// Its vocabulary is the 256 bytes and one end token.
package final class ScriptedEngine: InferenceEngine {
  package let model: ModelDescription
  package let vocabulary: Vocabulary
  private let script: [UInt8]
  private let onToken: @Sendable (_ count: Int) -> Void

  /// The token that ends a text.
  package static let endToken: TokenID = 256

  /// Makes an engine that wants to write `script` and then to end; `onToken` hears of each token.
  package init(
    _ script: String, supportsImages: Bool = true, style: PromptStyle = .full,
    onToken: @escaping @Sendable (_ count: Int) -> Void = { _ in }
  ) {
    self.script = Array(script.utf8)
    self.onToken = onToken
    model = ModelDescription(
      name: "scripted", architecture: "script", parameterCount: 0, contextSize: 1 << 20,
      supportsImages: supportsImages, promptStyle: style)
    vocabulary = Vocabulary(
      pieces: (0...255).map { [UInt8($0)] } + [[]], endTokens: [Self.endToken])
  }

  package func generate(
    _ request: GenerationRequest, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    let constraint = try request.constraintMaker?.make()
    constraint?.limit(toTokens: request.maxTokens)
    var wanted = script[...]
    var assembler = UTF8Assembler()
    var text = ""
    var usage = TokenUsage(promptTokens: request.prompt.count)
    onEvent(.promptEvaluated(usage))
    while true {
      if Task.isCancelled {
        throw FoveaError(.cancelled, "the task was cancelled").withPartialText(text)
      }
      let allowed = try constraint?.allowedTokens()
      var token = wanted.popFirst().map(TokenID.init) ?? Self.endToken
      if let allowed, !allowed.contains(token) { token = allowed.tokens.first ?? Self.endToken }
      if token == Self.endToken {
        return GenerationResult(
          text: text, finishReason: .endOfText,
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
          text: text, finishReason: isComplete ? .complete : .tokenLimit,
          isTruncatedByBudget: isClosed, usage: usage, timings: GenerationTimings())
      }
      await Task.yield()
    }
  }
}
