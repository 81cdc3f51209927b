package import Fovea

/// The tokenizer of a model file, without its weights: for tools and tests that need a real
/// vocabulary but write no text. Files that hold a vocabulary alone load as well.
///
///     let tokenizer = try Tokenizer(path: "ggml-vocab-llama-bpe.gguf")
///     try tokenizer.tokenize(#"{"total": 12}"#)
package final class Tokenizer {
  /// What llama.cpp says about a token.
  package struct Entry {
    /// The bytes; of a control token its text.
    package var bytes: [UInt8]
    /// llama.cpp's attribute bits.
    package var attributes: UInt32
    /// Whether the token ends a generation.
    package var endsGeneration: Bool
  }

  private let model: ModelHandle
  private let specialTokens: SpecialTokens
  /// The chat template of the file, or the one that was given instead; nil where there is none.
  package let chatTemplate: String?
  /// The tokens as an engine that loaded the file has them.
  package let vocabulary: Vocabulary

  /// Reads the vocabulary of a GGUF file.
  ///
  /// - Parameter chatTemplate: The source of a chat template to use instead of the file's own.
  /// - Throws: `.fileNotReadable`, `.invalidModel`.
  package init(path: String, chatTemplate: String? = nil) throws(FoveaError) {
    let file = try ModelFileCheck(path: path, role: .model)
    self.chatTemplate = chatTemplate ?? file.chatTemplate
    model = try ModelHandle.load(path: path, gpuLayers: 0, extent: .vocabulary)
    specialTokens = model.readSpecialTokens(template: self.chatTemplate ?? "")
    vocabulary = model.readVocabulary()
  }

  /// How prompts for the model are written.
  ///
  /// - Throws: `.invalidTemplate`.
  package func promptFormat() throws(FoveaError) -> PromptFormat {
    try PromptFormat(
      source: chatTemplate,
      speaksChatML: try model.hasControlTokens(PromptFormat.chatMLTokens),
      tokenTexts: model.tokenTexts)
  }

  /// The tokens of a prompt, those of images left out, as an engine evaluates them.
  package func tokenize(_ prompt: [PromptPart]) throws(FoveaError) -> [TokenID] {
    try model.tokenizePrompt(specialTokens.pieces(of: prompt))
  }

  /// The tokens of a text in which control tokens count, with the model's begin token in front
  /// where it wants one: what a whole prompt gives when it is tokenised at once.
  package func tokenizeWhole(_ text: String) throws(FoveaError) -> [TokenID] {
    try model.tokenize(text, isTrusted: true, addsSpecial: true)
  }

  /// What a token writes; its spelling where it is a control token.
  package func spelling(of token: TokenID) -> [UInt8] { model.spelling(of: token) }

  /// The tokens of a text in which control tokens count as plain text.
  package func tokenize(_ text: String) throws(FoveaError) -> [TokenID] {
    try model.tokenize(text, isTrusted: false, addsSpecial: false)
  }

  /// All tokens as llama.cpp describes them.
  package func readEntries() -> [Entry] { model.readTokenEntries() }

  /// The token that begins a text; nil where the model has none.
  package var beginOfText: TokenID? { model.beginOfText }

  /// The token that ends a text; nil where the model has none.
  package var endOfText: TokenID? { model.endOfText }

  /// The token that ends a turn; nil where the model has none.
  package var endOfTurn: TokenID? { model.endOfTurn }
}

/// A tokenizer is used from one thread at a time.
@available(*, unavailable)
extension Tokenizer: Sendable {}
