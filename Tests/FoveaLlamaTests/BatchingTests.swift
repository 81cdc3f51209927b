import Foundation
import Fovea
import FoveaImages
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// Requests that are evaluated together, in one context or in several side by side: each must get what
/// it would get alone.
@Suite("Batching", .serialized)
struct BatchingTests {
  private static let prompt = "Extract the receipt as JSON."

  private static func options(
    together count: Int, apart: Bool, contextSize: Int? = nil
  ) -> LlamaOptions {
    var options = LlamaOptions(
      contextSize: contextSize, threadCount: 1, parallelRequests: count)
    options.evaluatesApart = apart
    return options
  }

  private static func receipts(together count: Int, apart: Bool = false) async throws
    -> LanguageModel
  {
    try await .load(
      .gguf(Material.model, projector: Material.projector),
      options: options(together: count, apart: apart))
  }

  private static func texts(together count: Int, apart: Bool = false) async throws
    -> LanguageModel
  {
    try await .load(
      .gguf(try #require(Material.smolLM2)),
      options: options(together: count, apart: apart, contextSize: 1_024))
  }

  /// Asks all at once; the answers are in the order of the questions.
  private static func all<Question: Sendable, Answer: Sendable>(
    _ questions: [Question], _ ask: @escaping @Sendable (Question) async throws -> Answer
  ) async throws -> [Answer] {
    try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
      for (index, question) in questions.enumerated() {
        group.addTask { (index, try await ask(question)) }
      }
      var answers: [Int: Answer] = [:]
      for try await (index, answer) in group { answers[index] = answer }
      return questions.indices.compactMap { answers[$0] }
    }
  }

  @Test("pictures, all at once, are read as one by one", arguments: [2, 4, 5], [false, true])
  func pictures(together count: Int, apart: Bool) async throws {
    let pictures = try Material.pictures()
    let alone = try await Self.receipts(together: 1)
    let model = try await Self.receipts(together: count, apart: apart)
    #expect((model.engine as? LlamaEngine)?.parallelRequests == count)
    var expected: [String] = []
    for picture in pictures {
      expected.append(
        try await alone.extract(image: .file(picture), prompt: Self.prompt, as: Receipt.self).json)
    }
    for _ in 0..<2 {
      let got = try await Self.all(pictures) {
        try await model.extract(image: .file($0), prompt: Self.prompt, as: Receipt.self).json
      }
      #expect(got == expected)
    }
  }

  private struct Purchase: StructuredOutput {
    let vendor: String
    let total: Decimal
  }

  private static let documents = (0..<6).map { number in
    """
    SHOP NUMBER \(number), \(["Dublin", "Cork", "Galway"][number % 3])
    \(number + 1) Tea      \(number + 2).40
    \(number + 3) Scones   \(number + 1).75
    Total      \(2 * number + 4).15
    """
  }

  @Test(
    "texts of a language model, greedy and by seeds, are those it writes alone",
    arguments: [0, 0.8] as [Float], [false, true])
  func languageModel(temperature: Float, apart: Bool) async throws {
    let alone = try await Self.texts(together: 1)
    let model = try await Self.texts(together: 3, apart: apart)
    @Sendable func ask(_ model: LanguageModel, _ text: String) async throws -> String {
      try await model.extract(
        text: text, prompt: "Extract the purchase.", as: Purchase.self,
        options: ExtractionOptions(
          maxTokens: 60, sampling: SamplingOptions(temperature: temperature, seed: 11))
      ).json
    }
    var expected: [String] = []
    for document in Self.documents { expected.append(try await ask(alone, document)) }
    #expect(Set(expected).count > 3)
    #expect(try await Self.all(Self.documents) { try await ask(model, $0) } == expected)
  }

  @Test(
    "every kind of memory keeps its sequences apart", arguments: TinyModelTests.kinds,
    [false, true])
  func kinds(kind: TinyModelTests.Kind, apart: Bool) async throws {
    func load(_ count: Int) async throws -> LanguageModel {
      try await .load(
        .gguf(
          TinyModelTests.file(kind.model),
          projector: TinyModelTests.file("mmproj-\(kind.projector)")),
        options: Self.options(together: count, apart: apart, contextSize: 1_024))
    }
    let alone = try await load(1)
    let model = try await load(3)
    let pictures = try Material.pictures().prefix(3).map { try model.fit(.file($0)) }
    let rules = Message(.system, String(repeating: "Answer with one short line. ", count: 6))
    var conversations: [[Message]] = []
    for (index, picture) in pictures.enumerated() {
      conversations.append([rules, Message(.user, [.image(picture), .text("Total \(index)?")])])
      conversations.append([rules, Message(.user, "Who wrote line \(index)?")])
    }
    let options = ResponseOptions(maxTokens: 30, sampling: SamplingOptions())
    var expected: [String] = []
    for messages in conversations {
      expected.append(try await alone.respond(to: messages, options: options).text)
    }
    let got = try await Self.all(conversations) {
      try await model.respond(to: $0, options: options).text
    }
    #expect(got == expected)
  }

  @Test("what several prompts begin with is evaluated once")
  func sharedBeginning() async throws {
    let model = try await Self.texts(together: 3)
    let rules = Message(.system, String(repeating: "Answer with one short line. ", count: 20))
    let options = ResponseOptions(maxTokens: 8, sampling: SamplingOptions())
    let usages = try await Self.all(["Red?", "Green?", "Blue?"]) { question in
      try await model.respond(to: [rules, Message(.user, question)], options: options).usage
    }
    // Whichever came first evaluated it.
    let reused = usages.map(\.reusedTokens).sorted()
    #expect(reused[0] == 0)
    #expect(reused[1] > 100 && reused[2] > 100, "\(reused)")
  }

  @Test(
    "a picture that several requests look at is encoded once, also at the same time",
    arguments: [false, true])
  func onePicture(apart: Bool) async throws {
    let model = try await Self.receipts(together: 3, apart: apart)
    let picture = try #require(try Material.pictures().first)
    let extractions = try await Self.all(["vendor", "date", "total"]) { field in
      try await model.extract(
        image: .file(picture), prompt: "Extract the \(field) as JSON.", as: Receipt.self)
    }
    #expect(extractions.map(\.usage.encodedImages).reduce(0, +) == 1)
    // One whose task is cancelled while it encodes leaves it to the others.
    let other = try #require(try Material.pictures().last)
    let tasks = (0..<3).map { _ in
      Task {
        try await model.predict(image: .file(other), prompt: Self.prompt, as: Receipt.self)
      }
    }
    try await Task.sleep(for: .milliseconds(10))
    tasks[0].cancel()
    let expected = try Receipt.truth(of: other)
    for task in tasks.dropFirst() { #expect(try await task.value == expected) }
  }

  /// When texts came, in the order of all of them.
  private actor Log {
    private(set) var entries: [Int] = []
    func note(_ entry: Int) { entries.append(entry) }
  }

  @Test(
    "texts of requests that are evaluated together come side by side", arguments: [false, true])
  func sideBySide(apart: Bool) async throws {
    let model = try await Self.texts(together: 2, apart: apart)
    let log = Log()
    _ = try await Self.all([0, 1]) { number in
      let events = model.stream(
        text: Self.documents[number], prompt: "Extract the purchase.", as: Purchase.self)
      for try await event in events {
        if case .text = event { await log.note(number) }
      }
    }
    let entries = await log.entries
    let first = try #require(entries.first)
    let lastOfFirst = try #require(entries.lastIndex(of: first))
    let firstOfOther = try #require(entries.firstIndex { $0 != first })
    #expect(firstOfOther < lastOfFirst)
  }

  @Test(
    "one that is cancelled, waiting or writing, leaves the others alone", arguments: [false, true])
  func cancellation(apart: Bool) async throws {
    let model = try await Self.receipts(together: 2, apart: apart)
    let pictures = try Material.pictures()
    let expected = try pictures.map { try Receipt.truth(of: $0) }
    for round in 0..<12 {
      let tasks = pictures.map { picture in
        Task {
          try await model.predict(image: .file(picture), prompt: Self.prompt, as: Receipt.self)
        }
      }
      try await Task.sleep(for: .milliseconds(round * 20))
      for index in tasks.indices where (index + round) % 3 == 0 { tasks[index].cancel() }
      for (index, task) in tasks.enumerated() {
        do {
          #expect(try await task.value == expected[index])
        } catch let error as FoveaError {
          #expect(error.code == .cancelled)
          #expect((index + round) % 3 == 0, "only those that were cancelled")
        }
      }
    }
  }

  @Test("a request that fails does not disturb the others", arguments: [false, true])
  func failure(apart: Bool) async throws {
    let model = try await Self.texts(together: 3, apart: apart)
    let long = String(repeating: "word ", count: 2_000)
    let documents = Self.documents.prefix(2) + [long] + Self.documents.dropFirst(2)
    let results = try await Self.all(Array(documents)) { document in
      await Result {
        () async throws(FoveaError) in
        try await model.predict(
          text: document, prompt: "Extract the purchase.", as: Purchase.self,
          options: ExtractionOptions(maxTokens: 60))
      }
    }
    for (index, result) in results.enumerated() {
      if case .failure(let error) = result {
        #expect(index == 2)
        #expect(error.code == .promptTooLong)
      }
    }
    #expect(results.filter { (try? $0.get()) == nil }.count == 1)
  }

  @Test("who wants the model alone waits for requests, and they for it", arguments: [false, true])
  func alone(apart: Bool) async throws {
    let engine = try await LlamaEngine.load(
      .gguf(Material.model, projector: Material.projector),
      options: Self.options(together: 2, apart: apart))
    let model = LanguageModel(engine: engine)
    let pictures = try Material.pictures().prefix(4)
    let expected = try pictures.map { try Receipt.truth(of: $0) }
    for _ in 0..<3 {
      async let receipts = Self.all(Array(pictures)) {
        try await model.predict(image: .file($0), prompt: Self.prompt, as: Receipt.self)
      }
      let working = try await Self.all(Array(0..<4)) { number in
        try await Task.sleep(for: .milliseconds(number * 30))
        return try await engine.withNative { native, _ throws(FoveaError) in
          native.scheduler.workingCount
        }
      }
      #expect(working == [0, 0, 0, 0])
      #expect(try await receipts == expected)
    }
  }

  @Test("a conversation stays in the lane that holds it")
  func affinity() async throws {
    let model = try await Self.texts(together: 3, apart: true)
    let options = ResponseOptions(maxTokens: 8, sampling: SamplingOptions())
    var conversations = ["Red", "Green", "Blue"].map { colour in
      [
        Message(.system, String(repeating: "\(colour) is what you like best. ", count: 5)),
        Message(.user, "Which colour?"),
      ]
    }
    for round in 0..<3 {
      for index in [2, 0, 1] {
        let response = try await model.respond(to: conversations[index], options: options)
        if round > 0 { #expect(response.usage.reusedTokens > 20, "\(round), \(index)") }
        conversations[index] += [Message(.assistant, response.text), Message(.user, "Again.")]
      }
    }
  }

  @Test("counts of parallel requests that make no sense are refused", arguments: [0, -1, 65])
  func refusals(count: Int) async throws {
    let error = await #expect(throws: FoveaError.self) { try await Self.receipts(together: count) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("parallelRequests is \(count)") == true)
  }
}

extension Result where Failure == FoveaError, Success: Sendable {
  /// What an asynchronous function returns or throws.
  fileprivate init(_ body: () async throws(FoveaError) -> Success) async {
    do throws(FoveaError) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
