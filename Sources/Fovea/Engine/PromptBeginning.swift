/// What the prompts of a schema begin with, to be evaluated before there is a document.
public struct PromptBeginning: Sendable {
  /// Prompts that have nothing else in common.
  package var prompts: [[PromptPart]]
  /// The folder where it is kept on disk; nil: nowhere.
  package var cacheFolder: String?

  /// Makes a beginning.
  package init(prompts: [[PromptPart]], cacheFolder: String? = nil) {
    self.prompts = prompts
    self.cacheFolder = cacheFolder
  }
}

/// What became of the beginning of prompts; see
/// ``LanguageModel/prepare(for:promptCache:options:)-(Value.Type,_,_)``.
public struct PreparedPrompt: Sendable, Hashable {
  /// Where an evaluated beginning came from.
  public enum Source: String, Sendable, Hashable {
    /// It was in memory, or there is nothing that prompts have in common.
    case memory
    /// It was read from a file.
    case file
    /// It was evaluated.
    case evaluation
  }

  /// How many tokens need no evaluation now.
  public var tokenCount: Int
  /// Where they came from.
  public var source: Source

  /// Tells what became of a beginning.
  public init(tokenCount: Int, source: Source) {
    self.tokenCount = tokenCount
    self.source = source
  }
}
