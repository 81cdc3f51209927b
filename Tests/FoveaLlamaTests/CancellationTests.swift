import Foundation
import Fovea
import FoveaImages
import FoveaLlama
import FoveaTestSupport
import Testing

/// What a request leaves behind that was given up: nothing that another one could notice, over every
/// kind of memory.
@Suite("Cancels over every kind of memory", .serialized)
struct CancellationTests {
  private static func load(_ kind: TinyModelTests.Kind) async throws -> LanguageModel {
    try await .load(
      .gguf(
        TinyModelTests.file(kind.model),
        projector: TinyModelTests.file("mmproj-\(kind.projector)")),
      options: LlamaOptions(contextSize: 2_048))
  }

  private static let rules = Message(
    .system, String(repeating: "Answer with one short line. ", count: 8))
  private static let options = ResponseOptions(maxTokens: 40, sampling: SamplingOptions())

  /// Leaves an answer after its first pieces.
  private static func leave(
    _ model: LanguageModel, _ messages: [Message], after count: Int
  ) async throws -> Int {
    let options = ResponseOptions(maxTokens: 1_000, sampling: SamplingOptions())
    var seen = 0
    for try await event in model.streamResponse(to: messages, options: options) {
      if case .text = event { seen += 1 }
      if seen == count { break }
    }
    return seen
  }

  @Test(
    "the next answers are those of a model that nobody left", arguments: TinyModelTests.kinds,
    [1, 5])
  func leftInTheMiddle(kind: TinyModelTests.Kind, count: Int) async throws {
    let model = try await Self.load(kind)
    let fresh = try await Self.load(kind)
    let picture = try model.fit(.file(try #require(try Material.pictures().first)))
    let questions: [[Message]] = [
      [Self.rules, Message(.user, "Bread 2.40, milk 1.10. What is the total?")],
      [Self.rules, Message(.user, [.image(picture), .text("Total?")])],
    ]
    for question in questions {
      #expect(try await Self.leave(model, question, after: count) == count)
      let other = [Self.rules, Message(.user, "Who wrote this?")]
      for messages in [question, other, question] {
        let got = try await model.respond(to: messages, options: Self.options)
        let expected = try await fresh.respond(to: messages, options: Self.options)
        #expect(got.text == expected.text)
      }
    }
  }

  @Test("who waits for another's answer can be cancelled", arguments: TinyModelTests.kinds)
  func cancelledWhileWaiting(kind: TinyModelTests.Kind) async throws {
    let model = try await Self.load(kind)
    let messages = [Self.rules, Message(.user, "Bread 2.40. What is the total?")]
    let expected = try await model.respond(to: messages, options: Self.options).text
    let first = Task { try await model.respond(to: messages, options: Self.options).text }
    let waiting = (0..<4).map { _ in
      Task { try await model.respond(to: messages, options: Self.options).text }
    }
    for task in waiting { task.cancel() }
    for task in waiting {
      // Whoever was done before the cancel came has the right answer.
      switch await task.result {
      case .success(let text): #expect(text == expected)
      case .failure(let error): #expect((error as? FoveaError)?.code == .cancelled)
      }
    }
    #expect(try await first.value == expected)
    #expect(try await model.respond(to: messages, options: Self.options).text == expected)
  }
}
