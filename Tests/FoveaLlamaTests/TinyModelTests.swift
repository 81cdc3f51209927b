import Foundation
import Fovea
import FoveaImages
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// Models with random weights of every kind of memory that llama.cpp has, in the real llama.cpp.
@Suite("Tiny models of every kind", .serialized)
struct TinyModelTests {
  /// A model and the projector that turns pictures into tokens for it.
  struct Kind: Sendable, CustomTestStringConvertible {
    var model: String
    var projector: String
    var memory: String
    var testDescription: String { "\(model): \(memory)" }
  }

  static let kinds = [
    Kind(model: "llama", projector: "pixtral", memory: "attention"),
    Kind(model: "lfm2", projector: "lfm2", memory: "short convolutions and attention"),
    Kind(model: "qwen35", projector: "qwen3vl_merger", memory: "delta nets and attention"),
    Kind(model: "mamba", projector: "pixtral", memory: "a recurrent state"),
    Kind(model: "gemma3", projector: "gemma3", memory: "sliding windows"),
    Kind(model: "qwen2vl", projector: "qwen2vl_merger", memory: "attention, positions in 3D"),
  ]

  static func file(_ name: String) throws -> String {
    let folder = try #require(
      Material.tinyModels,
      "set FOVEA_TINY_MODELS to what `scripts/make-tiny-models` prints; `make test` does")
    return folder.appendingPathComponent("\(name).gguf").path
  }

  private func load(_ kind: Kind, batchSize: Int = 512) async throws -> LanguageModel {
    try await LanguageModel.load(
      .gguf(Self.file(kind.model), projector: Self.file("mmproj-\(kind.projector)")),
      options: LlamaOptions(contextSize: 2_048, batchSize: batchSize))
  }

  private func write(_ model: LanguageModel, _ text: String) async throws -> String {
    let options = ResponseOptions(maxTokens: 60, sampling: SamplingOptions())
    return try await model.respond(to: [Message(.user, text)], options: options).text
  }

  static let texts = [
    "What is the total?", String(repeating: "Bread 2.40, milk 1.10; ", count: 12),
  ]

  @Test("greedy, each writes the same text again and another for another prompt", arguments: kinds)
  func greedy(kind: Kind) async throws {
    let model = try await load(kind)
    #expect(model.description.architecture == kind.model)
    #expect(model.description.speaksChatML)
    var written: [String] = []
    for text in Self.texts {
      let first = try await write(model, text)
      #expect(first.utf8.count > 30, "\(first)")
      #expect(try await write(model, text) == first)
      written.append(first)
    }
    #expect(Set(written).count == written.count)
    let other = try await load(kind)
    for (text, first) in zip(Self.texts, written) {
      #expect(try await write(other, text) == first, "also when loaded again")
    }
  }

  @Test("answers about texts and pictures match the type", arguments: kinds)
  func extraction(kind: Kind) async throws {
    let model = try await load(kind)
    let schema = try Schema(of: Receipt.self)
    let options = ExtractionOptions(maxTokens: 120)
    func check(_ found: Extraction<Receipt>) throws {
      #expect(found.finishReason == .complete)
      #expect(found.usage.completionTokens <= 120)
      #expect(schema.violation(of: try JSONValue(parsing: found.json)) == nil)
    }
    for text in Self.texts {
      try check(try await model.extract(text: text, prompt: "", as: Receipt.self, options: options))
    }
    var answers: [String] = []
    for picture in try Material.pictures().prefix(2) {
      let image = ImageInput.file(picture)
      let found = try await model.extract(
        image: image, prompt: "", as: Receipt.self, options: options)
      try check(found)
      #expect((16...1_000).contains(found.usage.imageTokens))
      let again = try await model.extract(
        image: image, prompt: "", as: Receipt.self, options: options)
      #expect(again.json == found.json)
      answers.append(found.json)
    }
    #expect(Set(answers).count == 2, "what the model sees matters: \(answers)")
  }

  @Test("how the prompt is cut into batches does not change the text", arguments: kinds)
  func batches(kind: Kind) async throws {
    let whole = try await load(kind)
    let cut = try await load(kind, batchSize: 48)
    for text in Self.texts {
      #expect(try await write(cut, text) == (try await write(whole, text)))
    }
  }

  // MARK: Weights of one bit

  static let bitTexts = [
    "The total of the receipt is 12.50 and the date is the third of May.",
    String(repeating: "milk 1.10; bread 2.40; ", count: 8), "\u{1F9FE} Größe – 日本語",
  ]

  @Test("weights of one bit say what the numbers say that they stand for", arguments: bitTexts)
  func bits(text: String) throws {
    let names = ["bits", "bits-f32"]
    let rows = try names.map { name in
      let model = try ModelHandle.load(path: Self.file(name), gpuLayers: 0)
      return try #require(try TeacherForcedLogits(text, model: model)).rows
    }
    #expect(rows[0].count == rows[1].count && rows[0].count > 10)
    var squares: (difference: Double, size: Double) = (0, 0)
    var agreed = 0
    for (bits, numbers) in zip(rows[0], rows[1]) {
      for (bit, number) in zip(bits, numbers) {
        squares.difference += Double((bit - number) * (bit - number))
        squares.size += Double(number * number)
      }
      if bits.firstIndex(of: bits.max() ?? 0) == numbers.firstIndex(of: numbers.max() ?? 0) {
        agreed += 1
      }
    }
    // Beside weights of one bit llama.cpp rounds what they are multiplied by to 8 bits, which changes
    // these logits by 1 %; weights read in a wrong way would change them by more than 100 %.
    #expect((squares.difference / squares.size).squareRoot() < 0.02)
    #expect(Double(agreed) >= 0.95 * Double(rows[0].count), "\(agreed) of \(rows[0].count)")
  }

  @Test("a model with weights of one bit writes JSON of a type")
  func bitsWrite() async throws {
    let model = try await LanguageModel.load(.gguf(Self.file("bits")))
    let options = ExtractionOptions(maxTokens: 120)
    let first = try await model.extract(
      text: Self.bitTexts[0], prompt: "", as: Receipt.self, options: options)
    let again = try await model.extract(
      text: Self.bitTexts[0], prompt: "", as: Receipt.self, options: options)
    #expect(first.json == again.json)
    #expect(first.finishReason == .complete)
  }
}
