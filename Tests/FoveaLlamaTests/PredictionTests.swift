import Foundation
import Fovea
import FoveaImages
import FoveaLlama
import FoveaTestSupport
import Testing

/// The whole way with the real llama.cpp, the embedded model and the example receipts.
@Suite("Prediction with the embedded model", .serialized)
struct PredictionTests {
  private static let prompt = "Extract the receipt as JSON."

  private func load(_ options: LlamaOptions = LlamaOptions()) async throws -> LanguageModel {
    try await LanguageModel.load(
      .gguf(Material.model, projector: Material.projector), options: options)
  }

  private func picture(_ index: Int = 0) throws -> URL {
    try #require(try Material.pictures().dropFirst(index).first)
  }

  @Test("at least 11 of the 12 example receipts come out exactly right")
  func examples() async throws {
    let model = try await load()
    var wrong: [String] = []
    let pictures = try Material.pictures()
    #expect(pictures.count == 12)
    for picture in pictures {
      let receipt = try await model.predict(
        image: .file(picture), prompt: Self.prompt, as: Receipt.self)
      if receipt != (try Receipt.truth(of: picture)) {
        wrong.append("\(picture.lastPathComponent): \(receipt)")
      }
    }
    #expect(wrong.count <= 1, "\(wrong)")
  }

  @Test("a batch gives each picture's value or failure, in order")
  func batch() async throws {
    let model = try await load(LlamaOptions(parallelRequests: 3))
    var files = try Material.pictures().map(\.path)
    files.insert("/nowhere.png", at: 4)
    var receipts: [Receipt?] = []
    for await result in model.predict(
      images: files.map { .file($0) }, prompt: Self.prompt, as: Receipt.self)
    {
      if case .failure(let error) = result { #expect(error.code == .fileNotReadable) }
      // The failure was looked at; here it only marks its place.
      receipts.append(try? result.get())
    }
    #expect(receipts.count == files.count)
    for (file, receipt) in zip(files, receipts) {
      guard file != "/nowhere.png" else {
        #expect(receipt == nil)
        continue
      }
      let alone = try await model.predict(
        image: .file(file), prompt: Self.prompt, as: Receipt.self)
      #expect(receipt == alone, "\(file)")
    }
  }

  @Test("what the file says about itself")
  func description() async throws {
    let description = try await load().description
    #expect(description.supportsImages)
    #expect(description.speaksChatML)
    #expect(description.promptStyle == .instruction)
    #expect(description.imageRequirements.alignment == 16)
    #expect(description.imageRequirements.shrinksByWholeFactor)
    #expect(description.contextSize == 2_048)
  }

  @Test("callers share one loaded model: each gets the answer to its own picture")
  func concurrentCallers() async throws {
    let model = try await load()
    let pictures = Array(try Material.pictures().prefix(4))
    let answers = try await withThrowingTaskGroup(of: (URL, Receipt).self) { group in
      for picture in pictures + pictures {
        group.addTask {
          let receipt = try await model.predict(
            image: .file(picture), prompt: Self.prompt, as: Receipt.self)
          return (picture, receipt)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 8)
    for (picture, receipt) in answers { #expect(receipt == (try Receipt.truth(of: picture))) }
  }

  @Test("unconstrained and greedy, the model writes the same JSON by itself")
  func unconstrained() async throws {
    let model = try await load()
    let image = try model.fit(.file(picture()))
    let messages = [Message(.user, [.image(image), .text(Self.prompt)])]
    let options = ResponseOptions(maxTokens: 300, sampling: SamplingOptions())
    let free = try await model.respond(to: messages, options: options)
    #expect(free.finishReason == .endOfText)
    let bound = try await model.extract(
      image: .file(picture()), prompt: Self.prompt, as: Receipt.self)
    #expect(free.text == bound.json)
    #expect(bound.finishReason == .complete)
    #expect(bound.usage.imageTokens > 100)
    #expect(bound.usage.promptTokens == free.usage.promptTokens)
  }

  @Test("the number of threads does not change the text")
  func threads() async throws {
    var texts: Set<String> = []
    for count in 1...2 {
      let model = try await load(LlamaOptions(threadCount: count))
      texts.insert(
        try await model.extract(
          image: .file(picture()), prompt: Self.prompt, as: Receipt.self
        ).json)
    }
    #expect(texts.count == 1)
  }

  @Test("a limit closes the JSON early, and the next answer is whole again")
  func tokenLimit() async throws {
    let model = try await load()
    func extract(_ limit: Int) async throws -> Extraction<Receipt> {
      try await model.extract(
        image: .file(picture()), prompt: Self.prompt, as: Receipt.self,
        options: ExtractionOptions(maxTokens: limit))
    }
    let whole = try await extract(1_000)
    #expect(!whole.isTruncatedByBudget)
    #expect(whole.value == (try Receipt.truth(of: picture())))
    let enough = #"{"vendor":"","date":"2024-01-01","items":[],"total":0}"#.utf8.count
    for limit in [enough, enough + 1, enough + 10, whole.usage.completionTokens - 1] {
      let early = try await extract(limit)
      #expect(early.finishReason == .complete)
      #expect(early.usage.completionTokens <= limit)
      if early.json != whole.json { #expect(early.isTruncatedByBudget) }
    }
    let exact = try await extract(whole.usage.completionTokens)
    #expect(exact.finishReason == .complete)
    let again = try await extract(1_000)
    #expect(again.json == whole.json)
    #expect(!again.isTruncatedByBudget)
  }

  @Test("a limit that is too low for any answer is an error with what was written")
  func tooLowLimit() async throws {
    let model = try await load()
    let error = await #expect(throws: FoveaError.self) {
      try await model.predict(
        image: .file(picture()), prompt: Self.prompt, as: Receipt.self,
        options: ExtractionOptions(maxTokens: 5))
    }
    #expect(error?.code == .tokenLimitReached)
    #expect(error?.fix?.contains("tokens are always enough") == true)
  }

  @Test("a full context is an error too")
  func contextFull() async throws {
    // More text is demanded than any context of this size holds.
    let schema = try Schema(jsonSchema: #"{"type":"string","minLength":5000}"#)
    let model = try await load(LlamaOptions(contextSize: 512))
    #expect(model.description.contextSize == 512)
    let full = await #expect(throws: FoveaError.self) {
      try await model.extract(image: .file(picture()), prompt: Self.prompt, schema: schema)
    }
    #expect(full?.code == .tokenLimitReached)
    #expect(full?.message.contains("context of 512 tokens is full") == true)
    #expect(full?.partialText?.hasPrefix("\"") == true)
    // A text that may end is brought to an end.
    let text = try Schema(jsonSchema: #"{"type":"string","minLength":300}"#)
    let closed = try await model.extract(
      image: .file(picture()), prompt: Self.prompt, schema: text)
    #expect(closed.usage.promptTokens + closed.usage.completionTokens <= 513)
    let small = try await load(LlamaOptions(contextSize: 32))
    let error = await #expect(throws: FoveaError.self) {
      try await small.predict(
        text: String(repeating: "long ", count: 500), prompt: Self.prompt, as: Receipt.self)
    }
    #expect(error?.code == .promptTooLong)
  }

  @Test("a stream's pieces make up the JSON, its partial values grow, its end is the value")
  func stream() async throws {
    let model = try await load()
    var text = ""
    var partialCount = 0
    var final: Extraction<Receipt>?
    for try await event in model.stream(
      image: .file(try picture()), prompt: Self.prompt, as: Receipt.self)
    {
      switch event {
      case .thinking: Issue.record("nobody asked for a thought")
      case .text(let piece): text += piece
      case .partial: partialCount += 1
      case .finished(let extraction): final = extraction
      }
    }
    #expect(final?.json == text)
    #expect(final?.value == (try Receipt.truth(of: picture())))
    #expect(partialCount > 10)
  }

  @Test("cancelled in the middle: the text so far, and the model stays usable")
  func cancellation() async throws {
    let model = try await load()
    let image = try picture()
    let task = Task {
      var count = 0
      for try await event in model.stream(
        image: .file(image), prompt: Self.prompt, as: Receipt.self)
      {
        if case .text = event { count += 1 }
        if count == 3 { return count }
      }
      return count
    }
    #expect(try await task.value == 3)
    let early = Task {
      try await model.predict(image: .file(image), prompt: Self.prompt, as: Receipt.self)
    }
    early.cancel()
    let error = await #expect(throws: FoveaError.self) { try await early.value }
    #expect(error?.code == .cancelled)
    let receipt = try await model.predict(
      image: .file(image), prompt: Self.prompt, as: Receipt.self)
    #expect(receipt == (try Receipt.truth(of: image)))
  }

  @Test("equal seeds give equal texts, other seeds others")
  func seeds() async throws {
    let model = try await load()
    func write(_ seed: UInt32) async throws -> String {
      let sampling = SamplingOptions(temperature: 3, seed: seed)
      return try await model.respond(
        to: [Message(.user, "Hello")], options: ResponseOptions(maxTokens: 40, sampling: sampling)
      ).text
    }
    let first = try await write(1)
    #expect(try await write(1) == first)
    #expect(try await write(2) != first)
  }

  @Test("a hot model still writes what matches the type")
  func hotSampling() async throws {
    let model = try await load()
    for seed in 1...5 {
      let options = ExtractionOptions(
        maxTokens: 1_500,
        sampling: SamplingOptions(
          temperature: 2, topK: 50, topP: 0.95, minP: 0.01, repeatPenalty: 1.2, seed: UInt32(seed)))
      do throws(FoveaError) {
        _ = try await model.predict(
          text: "poem", prompt: "Write a poem, no JSON.", as: Receipt.self, options: options)
      } catch {
        #expect(error.code == .tokenLimitReached, "\(error)")  // never an answer of another shape
      }
    }
  }

  @Test("requests that make no sense are refused")
  func refusals() async throws {
    let model = try await load()
    let zero = await #expect(throws: FoveaError.self) {
      try await model.respond(
        to: [Message(.user, "Hi")], options: ResponseOptions(maxTokens: 0))
    }
    #expect(zero?.code == .invalidArgument)
    let cold = await #expect(throws: FoveaError.self) {
      try await model.respond(
        to: [Message(.user, "Hi")],
        options: ResponseOptions(sampling: SamplingOptions(temperature: -1)))
    }
    #expect(cold?.code == .invalidArgument)
    let threads = await #expect(throws: FoveaError.self) {
      try await load(LlamaOptions(threadCount: 0))
    }
    #expect(threads?.code == .invalidArgument)
  }
}
