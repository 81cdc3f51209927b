/// A loaded model that turns a prompt into text. `FoveaLlama` runs GGUF files behind it.
///
/// An engine evaluates up to ``parallelRequests`` requests together; further requests wait. It runs
/// its native code on a thread of its own, so that waiting never blocks Swift's cooperative threads.
public protocol InferenceEngine: Sendable {
  /// What the model file says about itself.
  var model: ModelDescription { get }
  /// The model's tokens.
  var vocabulary: Vocabulary { get }
  /// How many requests the engine evaluates together; further ones wait. One, unless the engine says
  /// otherwise.
  var parallelRequests: Int { get }

  /// Evaluates the prompt, then writes text until the model ends it, the constraint is complete
  /// or the limit is reached. Which of them it was stands in ``GenerationResult/finishReason``.
  ///
  /// - Parameters:
  ///   - request: The prompt and how to continue it.
  ///   - onEvent: Called on the engine's thread, in order, while text is written.
  /// - Throws: ``FoveaError``: `.promptTooLong`, `.unsupportedByModel`, `.engineFailed`,
  ///   `.cancelled` (with the text so far) when the calling task is cancelled.
  func generate(
    _ request: GenerationRequest, onEvent: @Sendable (GenerationEvent) -> Void
  ) async throws(FoveaError) -> GenerationResult

  /// Evaluates what prompts have in common at their beginning, and keeps it in memory and, where asked for,
  /// on disk. An engine that has no way to do so says that nothing was prepared.
  ///
  /// - Throws: See ``LanguageModel/prepare(for:promptCache:options:)-(Schema,_,_)``.
  func prepare(_ beginning: PromptBeginning) async throws(FoveaError) -> PreparedPrompt
}

extension InferenceEngine {
  /// One request after the other.
  public var parallelRequests: Int { 1 }

  /// Prepares nothing.
  public func prepare(_ beginning: PromptBeginning) async throws(FoveaError) -> PreparedPrompt {
    PreparedPrompt(tokenCount: 0, source: .memory)
  }
}
