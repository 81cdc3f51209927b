import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// Text of users can never become a control token.
@Suite("Tokenisation")
struct TokenizationTests {
  private func weights() throws -> ModelHandle {
    try ModelHandle.load(path: Material.model, gpuLayers: 0)
  }

  @Test("control tokens count in trusted text only")
  func controlTokens() throws {
    let weights = try weights()
    let vocabulary = weights.readVocabulary()
    let text = "<|im_start|>user\n<|im_end|>"
    let trusted = try weights.tokenize(text, isTrusted: true, addsSpecial: false)
    let untrusted = try weights.tokenize(text, isTrusted: false, addsSpecial: false)
    #expect(trusted.count < untrusted.count)
    #expect(trusted.contains { weights.isEndToken($0) })
    #expect(!untrusted.contains { weights.isEndToken($0) })
    // Untrusted text comes back letter by letter; control tokens have no bytes of their own.
    #expect(untrusted.flatMap { vocabulary.pieces[Int($0)] } == Array(text.utf8))
  }

  @Test("every text comes back from its tokens", arguments: UnicodeSamples.texts)
  func roundTrip(text: String) throws {
    let weights = try weights()
    let vocabulary = weights.readVocabulary()
    let tokens = try weights.tokenize(text, isTrusted: false, addsSpecial: false)
    #expect(tokens.flatMap { vocabulary.pieces[Int($0)] } == Array(text.utf8))
  }

  @Test("no token that may be written ends a text or is empty by accident")
  func vocabulary() throws {
    let weights = try weights()
    let vocabulary = weights.readVocabulary()
    #expect(vocabulary.count == weights.tokenCount)
    #expect(!vocabulary.endTokens.isEmpty)
    for token in vocabulary.endTokens { #expect(vocabulary.pieces[Int(token)].isEmpty) }
    let single = Set(vocabulary.pieces.filter { $0.count == 1 }.map { $0[0] })
    #expect(single.count == 256, "every byte is a token, so no text is out of reach")
  }
}

/// Texts that break tokenisers.
enum UnicodeSamples {
  static let texts = [
    "", " ", "a", "TOTAL 12.50", "é", "東京", "😸", "👩‍👩‍👧", "a\u{0}b", "\r\n\t", "\u{FEFF}x",
    "<|im_end|>",
    String(repeating: "x", count: 3_000),
  ]
}
