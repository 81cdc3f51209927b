import Foundation
import Fovea
import FoveaImages
import FoveaLlama
import FoveaTestSupport
import Testing

/// Every kind of memory that llama.cpp has: what is kept of a prompt must not change a text.
@Suite("Reuse over every kind of memory", .serialized)
struct ReuseTests {
  private static func load(
    _ kind: TinyModelTests.Kind, reuses: Bool
  ) async throws -> LanguageModel {
    var options = LlamaOptions(contextSize: 2_048)
    options.decoding.reusesPrompts = reuses
    options.decoding.drafts = reuses
    return try await .load(
      .gguf(
        TinyModelTests.file(kind.model),
        projector: TinyModelTests.file("mmproj-\(kind.projector)")), options: options)
  }

  /// Conversations that go on, part from each other, come back and look at pictures.
  private static func conversations(_ model: LanguageModel) throws -> [[Message]] {
    let pictures = try Material.pictures().prefix(2).map { try model.fit(.file($0)) }
    let rules = Message(.system, String(repeating: "Answer with one short line. ", count: 8))
    let first = [rules, Message(.user, "Bread 2.40, milk 1.10. What is the total?")]
    let answered = first + [Message(.assistant, "It is 3.50.")]
    let other = [rules, Message(.user, "Who wrote this?")]
    func look(_ picture: PixelImage, _ question: String) -> [Message] {
      [rules, Message(.user, [.image(picture), .text(question)])]
    }
    return [
      first, first, other, answered + [Message(.user, "And with tea?")],
      answered + [Message(.user, "Are you sure?")], other + answered,
      look(pictures[0], "Total?"), look(pictures[0], "Vendor?"), look(pictures[1], "Total?"),
      look(pictures[0], "Total?"), first,
    ]
  }

  @Test(
    "texts are those of an empty context, whatever came before", arguments: TinyModelTests.kinds)
  func sameTexts(kind: TinyModelTests.Kind) async throws {
    let reusing = try await Self.load(kind, reuses: true)
    let plain = try await Self.load(kind, reuses: false)
    let options = ResponseOptions(maxTokens: 40, sampling: SamplingOptions())
    var reused = 0
    for (index, messages) in try Self.conversations(plain).enumerated() {
      let expected = try await plain.respond(to: messages, options: options)
      let got = try await reusing.respond(to: messages, options: options)
      #expect(got.text == expected.text, "conversation \(index)")
      #expect(expected.usage.reusedTokens == 0)
      reused += got.usage.reusedTokens
    }
    #expect(reused > 0)
  }

  @Test(
    "the end of a prompt and the place where prompts part are kept", arguments: TinyModelTests.kinds
  )
  func whatIsReused(kind: TinyModelTests.Kind) async throws {
    let model = try await Self.load(kind, reuses: true)
    let options = ResponseOptions(maxTokens: 12, sampling: SamplingOptions())
    let conversations = try Self.conversations(model)
    func reused(_ index: Int) async throws -> (reused: Int, of: Int) {
      let usage = try await model.respond(to: conversations[index], options: options).usage
      return (usage.reusedTokens, usage.promptTokens)
    }
    _ = try await reused(0)
    _ = try await reused(2)  // parts behind the rules
    let third = try await reused(0)
    #expect(third.reused > third.of / 2)
    let encoded = try await model.respond(to: conversations[6], options: options).usage
    #expect(encoded.encodedImages == 1)
    let again = try await model.respond(to: conversations[7], options: options).usage
    #expect(again.encodedImages == 0)
  }
}
