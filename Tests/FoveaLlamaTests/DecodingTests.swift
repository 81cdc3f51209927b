import Foundation
import Fovea
import FoveaImages
import FoveaLlama
import FoveaTestSupport
import Testing

/// What is not computed must not be missed: forced, guessed and reused tokens against token after
/// token from an empty memory.
@Suite("Decoding by less work", .serialized)
struct DecodingTests {
  private static let prompt = "Extract the receipt as JSON."
  private static let plain = DecodingOptions(drafts: false, reusesPrompts: false)

  private static func load(_ decoding: DecodingOptions = DecodingOptions()) async throws
    -> LanguageModel
  {
    var options = LlamaOptions()
    options.decoding = decoding
    return try await .load(
      .gguf(Material.model, projector: Material.projector), options: options)
  }

  private static func loadText(_ decoding: DecodingOptions = DecodingOptions()) async throws
    -> LanguageModel
  {
    // One lane: another one would evaluate what texts have in common for itself.
    var options = LlamaOptions(contextSize: 2_048, threadCount: 1, parallelRequests: 1)
    options.decoding = decoding
    return try await .load(.gguf(try #require(Material.smolLM2)), options: options)
  }

  /// With guesses whose number does not depend on how busy the machine is.
  private static var guessing: DecodingOptions {
    var options = DecodingOptions()
    options.extraTokenCost = 0.2
    return options
  }

  private static let texts = [
    """
    CORNER CAFE
    12 High Street
    2021-03-04  10:15
    2 Latte        6.40
    1 Scone        2.75
    Total          9.15
    """,
    """
    Invoice 4711
    Blue Lamp Books, Dublin
    Date: 2020-11-30
    1 x The Third Policeman   11.99
    3 x Pencil                 2.97
    TOTAL                     14.96
    """,
    """
    GREEN GROCER'S
    Apples 1.20
    Pears 2.40
    Total 3.60   date 2019-01-02
    """,
  ]

  private struct Purchase: StructuredOutput {
    let vendor: String
    let date: String
    let total: Decimal
  }

  private static func answers(
    _ model: LanguageModel, sampling: SamplingOptions = SamplingOptions()
  ) async throws -> [Extraction<Purchase>] {
    var answers: [Extraction<Purchase>] = []
    for text in texts + texts {
      answers.append(
        try await model.extract(
          text: text, prompt: "Extract the purchase.", as: Purchase.self,
          options: ExtractionOptions(maxTokens: 120, sampling: sampling)))
    }
    return answers
  }

  @Test(
    "guesses and reuse do not change a text, greedy or drawn by lot",
    arguments: [SamplingOptions(), SamplingOptions(temperature: 0.9, topK: 40, seed: 7)])
  func sameText(sampling: SamplingOptions) async throws {
    let expected = try await Self.answers(Self.loadText(Self.plain), sampling: sampling)
    let got = try await Self.answers(Self.loadText(Self.guessing), sampling: sampling)
    #expect(got.map(\.json) == expected.map(\.json))
    #expect(got.allSatisfy { $0.usage.forcedTokens > 5 })
    #expect(got.contains { $0.usage.acceptedDraftTokens > 0 })
    #expect(expected.allSatisfy { $0.usage.draftedTokens == 0 && $0.usage.reusedTokens == 0 })
  }

  @Test("of a second text with the same type only the text is evaluated")
  func sharedPrefix() async throws {
    let answers = try await Self.answers(Self.loadText())
    #expect(answers[0].usage.reusedTokens == 0)
    for answer in answers.dropFirst() {
      // The rules and the outline of the type are most of the prompt of such a short text.
      #expect(answer.usage.reusedTokens > answer.usage.promptTokens / 2)
      #expect(answer.usage.reusedTokens < answer.usage.promptTokens)
    }
    let model = try await Self.loadText()
    let first = try await Self.answers(model)[5]
    let again = try await model.extract(
      text: Self.texts[2], prompt: "Extract the purchase.", as: Purchase.self,
      options: ExtractionOptions(maxTokens: 120))
    #expect(again.json == first.json)
    // The same prompt: only its last token is needed again.
    #expect(again.usage.reusedTokens == again.usage.promptTokens - 1)
  }

  @Test("a turn more of a conversation evaluates the turn, not the conversation")
  func conversation() async throws {
    let model = try await Self.loadText()
    let options = ResponseOptions(maxTokens: 24, sampling: SamplingOptions())
    var messages = [Message(.user, "Name three colours. Be brief.")]
    let first = try await model.respond(to: messages, options: options)
    messages += [Message(.assistant, first.text), Message(.user, "And two more?")]
    let second = try await model.respond(to: messages, options: options)
    #expect(second.usage.reusedTokens >= first.usage.promptTokens)
    let fresh = try await Self.loadText(Self.plain).respond(to: messages, options: options)
    #expect(second.text == fresh.text)
  }

  @Test("pictures: the same values as token after token, and each picture is encoded once")
  func pictures() async throws {
    let plain = try await Self.load(Self.plain)
    let model = try await Self.load()
    for picture in try Material.pictures() {
      let expected = try await plain.extract(
        image: .file(picture), prompt: Self.prompt, as: Receipt.self)
      let got = try await model.extract(
        image: .file(picture), prompt: Self.prompt, as: Receipt.self)
      #expect(got.json == expected.json)
      #expect(got.usage.encodedImages == 1)
      let again = try await model.extract(
        image: .file(picture), prompt: Self.prompt + " Now.", as: Receipt.self)
      #expect(again.usage.encodedImages == 0)
      #expect(again.usage.reusedTokens > again.usage.imageTokens)
      let freshAgain = try await plain.extract(
        image: .file(picture), prompt: Self.prompt + " Now.", as: Receipt.self)
      #expect(again.json == freshAgain.json)
    }
    // An earlier picture is no longer in the context, but its embeddings are.
    let first = try await model.extract(
      image: .file(try #require(try Material.pictures().first)), prompt: Self.prompt,
      as: Receipt.self)
    #expect(first.usage.encodedImages == 0)
    #expect(first.usage.reusedTokens < first.usage.imageTokens)
  }

  @Test("without jumps every token is asked for, and the values are the same")
  func withoutJumps() async throws {
    let model = try await Self.load(DecodingOptions(jumpsForward: false, drafts: false))
    let picture = try #require(try Material.pictures().first)
    let extraction = try await model.extract(
      image: .file(picture), prompt: Self.prompt, as: Receipt.self)
    #expect(extraction.usage.forcedTokens == 0)
    #expect(extraction.value == (try Receipt.truth(of: picture)))
  }

  @Test("a text that is forced as a whole needs no model")
  func allForced() async throws {
    let model = try await Self.loadText()
    let schema = try Schema(jsonSchema: #"{"const":{"kind":"receipt","version":1}}"#)
    let extraction = try await model.extract(text: "x", prompt: "Go.", schema: schema)
    #expect(extraction.json == #"{"kind":"receipt","version":1}"#)
    #expect(extraction.usage.forcedTokens == extraction.usage.completionTokens)
    // The next request finds a context in order.
    let answers = try await Self.answers(model)
    #expect(try await answers.map(\.json) == Self.answers(Self.loadText(Self.plain)).map(\.json))
  }

  @Test("a limit holds inside guessed tokens", arguments: [1, 3, 8, 20])
  func limits(maxTokens: Int) async throws {
    let messages = [
      Message(.user, "Repeat after me: " + String(repeating: "one two three ", count: 20))
    ]
    let options = ResponseOptions(maxTokens: maxTokens, sampling: SamplingOptions())
    let cut = try await Self.loadText().respond(to: messages, options: options)
    #expect(cut.usage.completionTokens <= maxTokens)
    let plain = try await Self.loadText(Self.plain).respond(to: messages, options: options)
    #expect(cut.text == plain.text)
    #expect(cut.finishReason == plain.finishReason)
  }
}
