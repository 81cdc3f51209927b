import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// What a limit of tokens does to an answer, with an engine that writes one byte a token: there
/// the bytes of the shortest answer are exactly the tokens that it takes.
@Suite("Token limit of a session")
struct TokenLimitTests {
  private struct Purchase: StructuredOutput, Equatable {
    let vendor: String
    let items: [String]
    let total: Decimal
  }

  private static let json = #"{"vendor":"CAFÉ 東京","items":["tea","a \"cake\""],"total":12.50}"#
  private static let shortest = #"{"vendor":"","items":[],"total":0}"#.utf8.count

  private func extract(_ limit: Int, script: String = json) async throws -> Extraction<Purchase> {
    try await LanguageModel(engine: ScriptedEngine(script)).extract(
      text: "…", prompt: "Read it.", as: Purchase.self, options: ExtractionOptions(maxTokens: limit)
    )
  }

  @Test("every limit from the shortest answer on gives a value")
  func closes() async throws {
    let whole = Self.json.utf8.count
    for limit in [0, 1, 2, 3, 7, 15].map({ Self.shortest + $0 }) + Array(whole - 2...whole + 1) {
      let extraction = try await extract(limit)
      #expect(extraction.finishReason == .complete)
      #expect(extraction.usage.completionTokens <= limit)
      if limit < whole { #expect(extraction.isTruncatedByBudget, "\(limit)") }
      if limit >= whole { #expect(extraction.json == Self.json, "\(limit)") }
    }
    #expect(try await extract(whole + 40).isTruncatedByBudget == false)
    #expect(try await extract(4_096).isTruncatedByBudget == false)
    let half = try await extract(Self.shortest + 15)
    #expect(half.value.vendor.hasPrefix("CAFÉ"))
    #expect(half.value != (try await extract(whole)).value)
  }

  @Test("a model that would never end is brought to an end")
  func endless() async throws {
    let extraction = try await extract(
      300, script: #"{"vendor":""# + String(repeating: "é", count: 10_000))
    #expect(extraction.usage.completionTokens <= 300)
    #expect(extraction.value.vendor.count > 100)
    #expect(extraction.isTruncatedByBudget)
  }

  @Test("below the shortest answer nothing is computed, and the error says how many are enough")
  func refuses() async throws {
    for limit in 1..<Self.shortest {
      let model = LanguageModel(
        engine: ScriptedEngine(Self.json) { _ in Issue.record("a token was computed") })
      let error = await #expect(throws: FoveaError.self) {
        try await model.predict(
          text: "…", prompt: "Read it.", as: Purchase.self,
          options: ExtractionOptions(maxTokens: limit))
      }
      #expect(error?.code == .tokenLimitReached)
      #expect(error?.message.contains("at least \(Self.shortest) tokens") == true)
      #expect(error?.fix?.contains("\(Self.shortest) tokens are always enough") == true)
      #expect(error?.partialText == nil)
    }
  }

  @Test("a stream is closed the same way, and its pieces make up the JSON")
  func streams() async throws {
    var text = ""
    var final: Extraction<Purchase>?
    let model = LanguageModel(engine: ScriptedEngine(Self.json))
    for try await event in model.stream(
      text: "…", prompt: "Read it.", as: Purchase.self,
      options: ExtractionOptions(maxTokens: Self.shortest + 5))
    {
      switch event {
      case .thinking: Issue.record("nobody asked for a thought")
      case .text(let piece): text += piece
      case .partial: break
      case .finished(let extraction): final = extraction
      }
    }
    #expect(final?.json == text)
    #expect(final?.isTruncatedByBudget == true)
    #expect(final?.value.vendor == "CAFÉ")
  }

  @Test("a bare number that is whole at the limit is an answer")
  func bareNumber() async throws {
    let schema = try Schema(jsonSchema: #"{"type":"integer"}"#)
    let model = LanguageModel(engine: ScriptedEngine("12345"))
    for limit in 1...8 {
      let extraction = try await model.extract(
        text: "…", prompt: "Read it.", schema: schema, options: ExtractionOptions(maxTokens: limit))
      #expect(extraction.value == .number(String("12345".prefix(limit))))
      #expect(!extraction.finishReason.isTruncated)
      // With five tokens nobody asked whether a sixth digit would have come.
      #expect(extraction.isTruncatedByBudget == (limit <= 5))
    }
  }

  @Test("answers that are no JSON are closed too")
  func constraints() async throws {
    let model = LanguageModel(engine: ScriptedEngine("abcdefgh."))
    func respond(_ limit: Int) async throws -> GenerationResult {
      try await model.respond(
        to: [Message(.user, "Hi")], constraint: .regex("[a-z]{3,}[.]"),
        options: ResponseOptions(maxTokens: limit))
    }
    #expect(try await respond(100).text == "abcdefgh.")
    #expect(try await respond(100).isTruncatedByBudget == false)
    #expect(try await respond(6).text == "abcde.")
    #expect(try await respond(6).isTruncatedByBudget)
    #expect(try await respond(6).finishReason == .complete)
    let error = await #expect(throws: FoveaError.self) { try await respond(3) }
    #expect(error?.code == .tokenLimitReached)
  }
}
