/// A loaded model that turns a prompt into text. `FoveaLlama` runs GGUF files behind it.
///
/// An engine evaluates one request at a time; further requests wait. It runs its native code on a
/// thread of its own, so that waiting never blocks Swift's cooperative threads.
public protocol InferenceEngine: Sendable {
  /// What the model file says about itself.
  var model: ModelDescription { get }
  /// The model's tokens.
  var vocabulary: Vocabulary { get }

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
}

/// What a model file says about itself.
public struct ModelDescription: Sendable, Hashable {
  /// The name in the file, or the file's own name.
  public var name: String
  /// The architecture's name in the file.
  public var architecture: String
  /// How many parameters the model has, without its projector.
  public var parameterCount: UInt64
  /// How many tokens of prompt and answer fit into the context as it was loaded.
  public var contextSize: Int
  /// Whether images can be part of the prompt.
  public var supportsImages: Bool
  /// How images must be prepared.
  public var imageRequirements: ImageRequirements
  /// Whether the vocabulary has the control tokens of ChatML prompts.
  public var speaksChatML: Bool
  /// What the prompt is made of.
  public var promptStyle: PromptStyle
  /// An instruction that the model was trained on, for callers that have none of their own.
  public var defaultInstruction: String?

  /// Makes a description.
  public init(
    name: String, architecture: String, parameterCount: UInt64, contextSize: Int,
    supportsImages: Bool, imageRequirements: ImageRequirements = ImageRequirements(),
    speaksChatML: Bool = true, promptStyle: PromptStyle = .full, defaultInstruction: String? = nil
  ) {
    self.name = name
    self.architecture = architecture
    self.parameterCount = parameterCount
    self.contextSize = contextSize
    self.supportsImages = supportsImages
    self.imageRequirements = imageRequirements
    self.speaksChatML = speaksChatML
    self.promptStyle = promptStyle
    self.defaultInstruction = defaultInstruction
  }
}

/// What a prompt for extraction is made of.
public enum PromptStyle: String, Sendable, Hashable, CaseIterable {
  /// System rules, the schema, the document and the instruction.
  case full
  /// Only the document and the instruction: for small models trained on just that. A model file
  /// says so in its metadata (`fovea.prompt.style`).
  case instruction
}
