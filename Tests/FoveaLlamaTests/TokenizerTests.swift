import Foundation
import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// A tokenizer without weights is that of the model.
@Suite("Tokenizer without weights")
struct TokenizerTests {
  @Test("has the model's vocabulary and cuts text as the model does")
  func sameAsTheModel() throws {
    let tokenizer = try Tokenizer(path: Material.model)
    let weights = try ModelHandle.load(path: Material.model, gpuLayers: 0)
    let vocabulary = weights.readVocabulary()
    #expect(tokenizer.vocabulary.pieces == vocabulary.pieces)
    #expect(tokenizer.vocabulary.endTokens == vocabulary.endTokens)
    let text = #"{"vendor":"Café","total":12.50}<|im_end|>"#
    let tokens = try tokenizer.tokenize(text)
    #expect(try tokens == weights.tokenize(text, isTrusted: false, addsSpecial: false))
    #expect(tokens.flatMap { vocabulary.pieces[Int($0)] } == Array(text.utf8))
  }

  @Test("knows the text of control tokens, which the vocabulary leaves out")
  func controlTokens() throws {
    let tokenizer = try Tokenizer(path: Material.model)
    let entries = tokenizer.readEntries()
    #expect(entries.count == tokenizer.vocabulary.count)
    let end = try #require(entries.firstIndex { $0.endsGeneration && !$0.bytes.isEmpty })
    #expect(tokenizer.vocabulary.pieces[end].isEmpty)
    #expect(tokenizer.vocabulary.endTokens.contains(TokenID(end)))
  }

  @Test("what is no model is refused")
  func noModel() {
    #expect {
      try Tokenizer(path: Material.root.appendingPathComponent("README.md").path)
    } throws: {
      ($0 as? FoveaError)?.code == .invalidModel
    }
  }
}
