/// What a prompt for extraction is made of.
public enum PromptStyle: String, Sendable, Hashable, CaseIterable {
  /// System rules, the schema, the document and the instruction.
  case full
  /// Only the document and the instruction: for small models trained on just that. A model file
  /// says so in its metadata (`fovea.prompt.style`).
  case instruction
}
