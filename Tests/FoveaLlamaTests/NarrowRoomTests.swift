import Foundation
import Fovea
import FoveaImages
import FoveaLlama
import FoveaTestSupport
import Testing

/// Batches and contexts that are too small for what is asked, over every kind of memory: where llama.cpp
/// alone ends the process, or is wrong for the rest of it.
@Suite("Little room", .serialized)
struct NarrowRoomTests {
  private static func load(
    _ kind: TinyModelTests.Kind, context: Int = 2_048, batch: Int = 512
  ) async throws -> LanguageModel {
    try await .load(
      .gguf(
        TinyModelTests.file(kind.model),
        projector: TinyModelTests.file("mmproj-\(kind.projector)")),
      options: LlamaOptions(contextSize: context, batchSize: batch))
  }

  private static let options = ResponseOptions(maxTokens: 20, sampling: SamplingOptions())

  private static func write(_ model: LanguageModel, _ text: String) async throws -> String {
    try await model.respond(to: [Message(.user, text)], options: options).text
  }

  private static func look(
    _ model: LanguageModel, _ picture: URL, times: Int = 1
  ) async throws -> GenerationResult {
    let image = try model.fit(.file(picture))
    let images = [Message.Part](repeating: .image(image), count: times)
    return try await model.respond(
      to: [Message(.user, images + [.text("Total?")])], options: options)
  }

  @Test(
    "a picture with more tokens than a batch is seen as in a large one",
    arguments: TinyModelTests.kinds)
  func pictureBeyondTheBatch(kind: TinyModelTests.Kind) async throws {
    let small = try await Self.load(kind, batch: 8)
    let large = try await Self.load(kind)
    for picture in try Material.pictures().prefix(2) {
      let expected = try await Self.look(large, picture)
      let got = try await Self.look(small, picture)
      #expect(expected.usage.imageTokens > 8)
      #expect(got.text == expected.text)
    }
  }

  @Test(
    "pictures with more tokens than the context are refused, and the model goes on",
    arguments: TinyModelTests.kinds)
  func picturesBeyondTheContext(kind: TinyModelTests.Kind) async throws {
    let model = try await Self.load(kind, context: 32)
    let picture = try #require(try Material.pictures().first)
    // llama.cpp rounds a context up, and the smallest picture here has 16 tokens.
    let count = model.description.contextSize / 16 + 1
    for _ in 0..<2 {
      let error = await #expect(throws: FoveaError.self) {
        try await Self.look(model, picture, times: count)
      }
      #expect(error?.code == .promptTooLong)
      #expect(error?.fix != nil)
    }
    let fresh = try await Self.load(kind, context: 32)
    #expect(try await Self.write(model, "a") == (try await Self.write(fresh, "a")))
  }

  @Test(
    "many requests without a pause in a context that holds one of them",
    arguments: TinyModelTests.kinds)
  func manyRequests(kind: TinyModelTests.Kind) async throws {
    let model = try await Self.load(kind, context: 128)
    let tooLong = String(repeating: "milk 1.10; ", count: 40)
    for round in 0..<20 {
      let text = String(repeating: "\(round) ", count: 12)
      let got = try await Self.write(model, text)
      if round % 5 == 0 {
        let error = await #expect(throws: FoveaError.self) {
          try await Self.write(model, tooLong)
        }
        #expect(error?.code == .promptTooLong)
        #expect(try await Self.write(model, text) == got, "round \(round)")
        let fresh = try await Self.load(kind, context: 128)
        #expect(try await Self.write(fresh, text) == got, "round \(round)")
      }
    }
  }
}
