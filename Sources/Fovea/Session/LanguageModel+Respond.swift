extension LanguageModel {
  /// Continues a conversation with free text.
  ///
  /// - Throws: ``FoveaError``; `.promptTooLong`, `.engineFailed`, `.cancelled` with the text so far.
  ///   An answer that reaches `maxTokens` is returned, with ``FinishReason/tokenLimit``.
  public func respond(
    to messages: [Message], options: ResponseOptions = ResponseOptions()
  ) async throws(FoveaError) -> GenerationResult {
    try await respond(to: messages, options: options) { _ in }
  }

  /// Continues a conversation with free text, piece by piece; the last element is the whole result.
  ///
  /// Leaving the loop, or cancelling its task, stops the model.
  public func streamResponse(
    to messages: [Message], options: ResponseOptions = ResponseOptions()
  ) -> AsyncThrowingStream<ResponseEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do throws(FoveaError) {
          let result = try await self.respond(to: messages, options: options) { event in
            if case .text(let piece) = event { continuation.yield(.text(piece)) }
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
    to messages: [Message], options: ResponseOptions,
    onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult {
    let request = GenerationRequest(
      prompt: ChatMLRenderer.render(messages), maxTokens: options.maxTokens,
      sampling: options.sampling)
    return try await engine.generate(request, onEvent: onEvent)
  }
}
