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
  /// The tokens as an engine that loaded the file has them.
  package let vocabulary: Vocabulary

  /// Reads the vocabulary of a GGUF file.
  ///
  /// - Throws: `.invalidModel`.
  package init(path: String) throws(FoveaError) {
    model = try ModelHandle.load(path: path, gpuLayers: 0, onlyVocabulary: true)
    vocabulary = model.readVocabulary()
  }

  /// The tokens of a text in which control tokens count as plain text.
  package func tokenize(_ text: String) throws(FoveaError) -> [TokenID] {
    try model.tokenize(text, isTrusted: false, addsSpecial: false)
  }

  /// All tokens as llama.cpp describes them.
  package func readEntries() -> [Entry] { model.readTokenEntries() }

  /// The token that ends a text; nil where the model has none.
  package var endOfText: TokenID? { model.endOfText }

  /// The token that ends a turn; nil where the model has none.
  package var endOfTurn: TokenID? { model.endOfTurn }
}

/// A tokenizer is used from one thread at a time.
@available(*, unavailable)
extension Tokenizer: Sendable {}
