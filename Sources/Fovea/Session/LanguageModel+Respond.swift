extension LanguageModel {
  /// Continues a conversation.
  ///
  ///     let answer = try await model.respond(to: messages, constraint: .regex(#"\d{5}"#))
  ///
  /// - Parameters:
  ///   - messages: The conversation so far.
  ///   - constraint: What the answer may be; nil: any text.
  ///   - options: Limits and sampling.
  /// - Throws: ``FoveaError``; `.promptTooLong`, `.engineFailed`, `.cancelled` with the text so far,
  ///   and what ``OutputConstraint/check()`` throws. An answer without a constraint that reaches
  ///   `maxTokens` is returned, with ``FinishReason/tokenLimit``. With a constraint it is brought
  ///   to an end within the limit (``GenerationResult/isTruncatedByBudget``); where the limit is
  ///   too low for that it is `.tokenLimitReached`, since half an answer does not keep to it.
  public func respond(
    to messages: [Message], constraint: OutputConstraint? = nil,
    options: ResponseOptions = ResponseOptions()
  ) async throws(FoveaError) -> GenerationResult {
    try await respond(to: messages, constraint: constraint, options: options) { _ in }
  }

  /// Continues a conversation, piece by piece; the last element is the whole result. It throws what
  /// ``respond(to:constraint:options:)`` would.
  ///
  /// Leaving the loop, or cancelling its task, stops the model.
  public func streamResponse(
    to messages: [Message], constraint: OutputConstraint? = nil,
    options: ResponseOptions = ResponseOptions()
  ) -> AsyncThrowingStream<ResponseEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do throws(FoveaError) {
          let result = try await self.respond(
            to: messages, constraint: constraint, options: options
          ) { event in
            switch event {
            case .text(let piece): continuation.yield(.text(piece))
            case .thinking(let piece): continuation.yield(.thinking(piece))
            case .promptEvaluated: break
            }
          }
          continuation.yield(.finished(result))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func respond(
    to messages: [Message], constraint: OutputConstraint?, options: ResponseOptions,
    onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    // A constraint holds for the text from its first token, so there the thought must be planned.
    let isConstrained = constraint != nil && options.thinking == .automatic
    let rendered = try render(messages, thinking: isConstrained ? .off : options.thinking)
    var request = GenerationRequest(
      prompt: rendered.parts, thinking: rendered.thinking, maxTokens: options.maxTokens,
      sampling: options.sampling ?? engine.model.sampling ?? .conversation,
      sources: messages.reversed().map(\.text))
    guard let constraint else { return try await engine.generate(request, onEvent: onEvent) }
    let maker = try await grammars.constraintMaker(for: constraint)
    try maker.check(maxTokens: options.maxTokens)
    request.constraintMaker = maker
    let result = try await engine.generate(request, onEvent: onEvent)
    if result.finishReason.isTruncated { throw truncation(of: result, request) }
    return result
  }
}
