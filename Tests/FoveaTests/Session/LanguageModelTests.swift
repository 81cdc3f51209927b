import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// The session, with an engine that follows a script instead of a model.
@Suite("Language model")
struct LanguageModelTests {
  struct Purchase: StructuredOutput, Equatable {
    let vendor: String
    let total: Decimal
    let note: String?
  }

  private static let json = #"{"vendor":"CAFÉ 東京","total":12.50,"note":null}"#
  private static let value = Purchase(
    vendor: "CAFÉ 東京", total: Decimal(string: "12.50") ?? 0, note: nil)

  private func model(_ script: String) -> LanguageModel {
    LanguageModel(engine: ScriptedEngine(script))
  }

  @Test("what the model writes becomes the value")
  func predicts() async throws {
    let value = try await model(Self.json).predict(
      text: "…", prompt: "Read it.", as: Purchase.self)
    #expect(value == Self.value)
  }

  @Test("extract reports JSON, counts and the finish reason")
  func extracts() async throws {
    let extraction = try await model(Self.json).extract(
      text: "…", prompt: "Read it.", as: Purchase.self)
    #expect(extraction.value == Self.value)
    #expect(extraction.json == Self.json)
    #expect(extraction.finishReason == .complete)
    #expect(extraction.usage.completionTokens == Self.json.utf8.count)
  }

  struct Badge: StructuredOutput {
    let name: String
    let level: Int
    static var guides: [String: Guide] { ["name": .length(2...5), "level": .range(1...99)] }
  }

  @Test("a model that writes prose still gives JSON that matches the type")
  func stubbornModel() async throws {
    let extraction = try await model("Sure! Here is your JSON:").extract(
      text: "…", prompt: "Read it.", as: Badge.self)
    #expect((2...5).contains(extraction.value.name.unicodeScalars.count))
    #expect((1...99).contains(extraction.value.level))
  }

  @Test("a stream gives the text, values that grow, and the same value at its end")
  func streams() async throws {
    var text = ""
    var partials: [JSONValue] = []
    var final: Purchase?
    for try await event in model(Self.json).stream(
      text: "…", prompt: "Read it.", as: Purchase.self)
    {
      switch event {
      case .thinking: Issue.record("nobody asked for a thought")
      case .text(let piece): text += piece
      case .partial(let value): partials.append(value)
      case .finished(let extraction): final = extraction.value
      }
    }
    #expect(text == Self.json)
    #expect(final == Self.value)
    #expect(partials.last == (try JSONValue(parsing: Self.json)))
    #expect(partials.contains(.object([.init("vendor", .string("CAF"))])))
  }

  @Test("leaving a stream stops the model")
  func leavesStream() async throws {
    let model = model(#"{"vendor":""# + String(repeating: "x", count: 1_000_000))
    for try await _ in model.stream(
      text: "…", prompt: "Read it.", as: Purchase.self,
      options: ExtractionOptions(maxTokens: 1 << 30))
    { break }
    // The engine serves the next caller: nothing is stuck.
    let error = await #expect(throws: FoveaError.self) {
      try await model.predict(
        text: "…", prompt: "Read it.", as: Purchase.self, options: ExtractionOptions(maxTokens: 5))
    }
    #expect(error?.code == .tokenLimitReached)
  }

  @Test("a cancelled task ends as cancelled")
  func cancels() async throws {
    let (written, feed) = AsyncStream.makeStream(of: Int.self)
    let model = LanguageModel(
      engine: ScriptedEngine(#"{"vendor":""# + String(repeating: "x", count: 10_000_000)) {
        if $0 == 20 { feed.yield($0) }
      })
    let task = Task {
      try await model.predict(
        text: "…", prompt: "Read it.", as: Purchase.self,
        options: ExtractionOptions(maxTokens: 1 << 30))
    }
    for await _ in written { break }  // it is in the middle of the text now
    task.cancel()
    let error = await #expect(throws: FoveaError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(error?.partialText?.hasPrefix(#"{"vendor":"x"#) == true)
  }

  @Test("an image for a model without eyes is refused before anything runs")
  func blindModel() async throws {
    let model = LanguageModel(engine: ScriptedEngine("", supportsImages: false))
    let picture = ImageInput(name: "dot") { _ throws(FoveaError) in
      PixelImage(width: 1, height: 1, rgb: [0, 0, 0])
    }
    let error = await #expect(throws: FoveaError.self) {
      try await model.predict(image: picture, prompt: "Read it.", as: Purchase.self)
    }
    #expect(error?.code == .unsupportedByModel)
  }

  @Test("a schema is enough: the value is JSON")
  func schemaOnly() async throws {
    let schema = try Schema(
      jsonSchema: #"{"type":"array","items":{"type":"integer"},"maxItems":3}"#)
    let extraction = try await model("[1,22,333]").extract(
      text: "…", prompt: "Read it.", schema: schema)
    #expect(extraction.value == .array([.number("1"), .number("22"), .number("333")]))
  }

  @Test("an answer may go on after the message limit, but says that it was cut")
  func responds() async throws {
    let whole = try await model("Hello 😸!").respond(to: [Message(.user, "Hi")])
    #expect(whole.text == "Hello 😸!")
    #expect(whole.finishReason == .endOfText)
    let cut = try await model("Hello 😸!").respond(
      to: [Message(.user, "Hi")], options: ResponseOptions(maxTokens: 3))
    #expect(cut.text == "Hel")
    #expect(cut.finishReason == .tokenLimit)
  }

  @Test("a constraint that cannot be enforced is refused before the model writes")
  func badConstraints() async throws {
    let bad: [(OutputConstraint, FoveaError.Code)] = [
      (.choice([]), .invalidArgument), (.gbnf("root ::= item"), .invalidSchema),
      (.gbnf("root ::= root \"a\" | \"b\""), .unsupportedSchema),
      (.gbnf("root ::= \"a\"{1,1000000}"), .schemaTooComplex),
    ]
    for (constraint, code) in bad {
      let checked = #expect(throws: FoveaError.self) { try constraint.check() }
      let error = await #expect(throws: FoveaError.self) {
        try await model("Hi").respond(to: [Message(.user, "Hi")], constraint: constraint)
      }
      #expect(error?.code == code)
      #expect(error == checked)
    }
  }

  @Test("constraints are told apart by bytes")
  func constraintEquality() {
    #expect(OutputConstraint.choice(["é"]) != .choice(["e\u{301}"]))
    #expect(OutputConstraint.choice(["a", "b"]) == .choice(["a", "b"]))
    #expect(OutputConstraint.regex("a") != .gbnf("a"))
  }
}
