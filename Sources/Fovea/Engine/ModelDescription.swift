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
  /// The chat template that prompts are written with, in Jinja; nil where the file has none.
  public var chatTemplate: String?
  /// Whether the vocabulary has the control tokens of ChatML prompts, which are written where there
  /// is no template.
  public var speaksChatML: Bool
  /// How the model's makers would have tokens chosen; nil where the file does not say.
  public var sampling: SamplingOptions?
  /// The spelling of `bos_token`, `eos_token` and others that templates ask for.
  package var tokenTexts: [String: String] = [:]
  /// What the prompt is made of.
  public var promptStyle: PromptStyle
  /// An instruction that the model was trained on, for callers that have none of their own.
  public var defaultInstruction: String?

  /// Makes a description.
  public init(
    name: String, architecture: String, parameterCount: UInt64, contextSize: Int,
    supportsImages: Bool, imageRequirements: ImageRequirements = ImageRequirements(),
    chatTemplate: String? = nil, speaksChatML: Bool = true, promptStyle: PromptStyle = .full,
    defaultInstruction: String? = nil, sampling: SamplingOptions? = nil
  ) {
    self.name = name
    self.architecture = architecture
    self.parameterCount = parameterCount
    self.contextSize = contextSize
    self.supportsImages = supportsImages
    self.imageRequirements = imageRequirements
    self.chatTemplate = chatTemplate
    self.speaksChatML = speaksChatML
    self.promptStyle = promptStyle
    self.defaultInstruction = defaultInstruction
    self.sampling = sampling
  }
}
