import Fovea
import FoveaTestSupport
import Testing

/// Many documents through one model: order, bounds, failures, and how a batch ends early.
@Suite("Batches", .timeLimit(.minutes(5)))
struct BatchTests {
  struct Answer: StructuredOutput, Equatable {
    let number: Int
  }

  /// A model that answers the text "7" with 7, once `work` is done with it.
  private func model(
    parallelRequests: Int = 1,
    work: @escaping @Sendable (Int) async throws(FoveaError) -> Void = { _ in }
  ) -> LanguageModel {
    LanguageModel(
      engine: ScriptedEngine(parallelRequests: parallelRequests) { request throws(FoveaError) in
        let number = request.sources.first.flatMap { Int($0) } ?? -1
        try await work(number)
        return #"{"number":\#(number)}"#
      })
  }

  private func texts(_ count: Int) -> [String] { (0..<count).map { "\($0)" } }

  private func numbers(
    _ results: BatchResults<Answer>
  ) async -> [Result<Int, FoveaError>] {
    var numbers: [Result<Int, FoveaError>] = []
    for await result in results { numbers.append(result.map(\.number)) }
    return numbers
  }

  // MARK: Order and bounds

  @Test("results come in the order of the inputs, whichever is ready first")
  func order() async {
    let desk = Desk()
    let model = model { number in
      // Of each pair in the window, the second is done first.
      if number.isMultiple(of: 2) { await desk.wait { $0.finished.contains(number + 1) } }
      await desk.finish(number)
    }
    let results = await numbers(
      model.predict(texts: texts(8), prompt: "Read it.", as: Answer.self, inFlight: 2))
    #expect(results == (0..<8).map { .success($0) })
    #expect(await desk.finished == [1, 0, 3, 2, 5, 4, 7, 6])
  }

  @Test("as many at once as asked for, and never more", arguments: [1, 2, 5])
  func window(size: Int) async {
    let desk = Desk()
    let model = model { number in
      await desk.begin(number)
      // The first ones wait for each other: so many do run at the same time.
      if number < size { await desk.wait { $0.begun.count >= size } }
      for _ in 0..<number % 7 { await Task.yield() }
      await desk.finish(number)
    }
    let results = await numbers(
      model.predict(texts: texts(40), prompt: "Read it.", as: Answer.self, inFlight: size))
    #expect(results == (0..<40).map { .success($0) })
    #expect(await desk.peak == size)
  }

  @Test("unasked, one more is in flight than the engine evaluates together")
  func standardWindow() async {
    let desk = Desk()
    let model = model(parallelRequests: 3) { number in
      await desk.begin(number)
      if number < 4 { await desk.wait { $0.begun.count >= 4 } }
      await desk.finish(number)
    }
    let results = await numbers(
      model.predict(texts: texts(20), prompt: "Read it.", as: Answer.self))
    #expect(results.count == 20)
    #expect(await desk.peak == 4)
    #expect(LanguageModel(engine: Plain()).engine.parallelRequests == 1)
  }

  /// An engine that says nothing about how many requests it takes.
  struct Plain: InferenceEngine {
    let model = ScriptedEngine("").model
    let vocabulary = ScriptedEngine("").vocabulary

    func generate(
      _ request: GenerationRequest, onEvent: @Sendable (GenerationEvent) -> Void
    ) async throws(FoveaError) -> GenerationResult {
      throw FoveaError(.engineFailed, "it writes nothing")
    }
  }

  /// Texts without end, which tells of each that is read.
  struct Endless: Sequence, Sendable {
    let log: AsyncStream<Int>.Continuation

    func makeIterator() -> some IteratorProtocol<String> {
      sequence(first: 0) { $0 + 1 }.lazy
        .map { number in
          log.yield(number)
          return "\(number)"
        }
        .makeIterator()
    }
  }

  @Test("inputs are read, and values made, only as far as the window reaches")
  func laziness() async throws {
    let desk = Desk()
    let model = model { await desk.begin($0) }
    let (reads, log) = AsyncStream.makeStream(of: Int.self)
    let results = model.predict(
      texts: Endless(log: log), prompt: "Read it.", as: Answer.self, inFlight: 4)
    #expect(await desk.begun.isEmpty)
    var iterator = results.makeAsyncIterator()
    for number in 0..<3 {
      let answer = try await iterator.next()?.get()
      #expect(answer == Answer(number: number))
    }
    await desk.wait { $0.begun.count == 6 }
    log.finish()
    var read: [Int] = []
    for await number in reads { read.append(number) }
    #expect(read == Array(0..<6))
    #expect(await desk.begun.sorted() == Array(0..<6))
  }

  @Test("no inputs, no results; fewer than one in flight is one")
  func smallest() async {
    let none = await numbers(model().predict(texts: [], prompt: "…", as: Answer.self))
    #expect(none.isEmpty)
    let one = model().predict(texts: texts(3), prompt: "…", as: Answer.self, inFlight: 0)
    #expect(await numbers(one) == [.success(0), .success(1), .success(2)])
    #expect(await numbers(one).count == 3, "each loop evaluates anew")
  }

  @Test("a loop on the main actor")
  @MainActor func mainActor() async throws {
    var values: [Int] = []
    for await result in model().extract(texts: texts(5), prompt: "…", as: Answer.self) {
      values.append(try result.get().value.number)
    }
    #expect(values == [0, 1, 2, 3, 4])
  }

  // MARK: Failures

  private static func picture(_ number: Int) -> ImageInput {
    ImageInput(name: "\(number).png") { _ throws(FoveaError) in
      guard number != 2 else {
        throw FoveaError(.invalidImage, "'2.png' is damaged")
      }
      return PixelImage(
        width: number + 1, height: 1, rgb: [UInt8](repeating: 0, count: 3 * (number + 1)))
    }
  }

  /// A model that answers a picture with its width.
  private func sightedModel() -> LanguageModel {
    LanguageModel(
      engine: ScriptedEngine(parallelRequests: 2) { request throws(FoveaError) in
        for case .image(let image) in request.prompt { return #"{"number":\#(image.width)}"# }
        throw FoveaError(.engineFailed, "no picture")
      })
  }

  @Test("a damaged picture is one failure, and nothing else is lost")
  func damagedPicture() async throws {
    let numbers = Array(0..<6)
    var values: [Int?] = []
    for await result in sightedModel().predict(
      images: numbers.map { Self.picture($0) }, prompt: "Read it.", as: Answer.self)
    {
      switch result {
      case .success(let answer): values.append(answer.number)
      case .failure(let error):
        #expect(error.code == .invalidImage)
        values.append(nil)
      }
    }
    #expect(values == [1, 2, nil, 4, 5, 6])
  }

  @Test("pictures and texts with a schema: JSON, counts and the reason of each end")
  func schemas() async throws {
    let schema = try Schema(of: Answer.self)
    let expected = (0..<4).map { JSONValue.object([.init("number", .number("\($0)"))]) }
    var values: [JSONValue] = []
    for await result in model().extract(texts: texts(4), prompt: "…", schema: schema) {
      let extraction = try result.get()
      #expect(extraction.finishReason == .complete && extraction.usage.completionTokens > 0)
      values.append(extraction.value)
    }
    #expect(values == expected)
    var widths: [String] = []
    for await result in sightedModel().extract(
      images: [3, 0].map { Self.picture($0) }, prompt: "…", schema: schema)
    {
      widths.append(try result.get().json)
    }
    #expect(widths == [#"{"number":4}"#, #"{"number":1}"#])
  }

  @Test("an engine that fails for one input serves the others")
  func failure() async {
    let model = model { number throws(FoveaError) in
      if number == 3 { throw FoveaError(.engineFailed, "it failed") }
    }
    let results = await numbers(
      model.predict(texts: texts(9), prompt: "Read it.", as: Answer.self, inFlight: 3))
    #expect(results.count == 9)
    for (number, result) in results.enumerated() {
      let expected: Result<Int, FoveaError> =
        number == 3 ? .failure(FoveaError(.engineFailed, "it failed")) : .success(number)
      #expect(result == expected)
    }
  }

  struct Unmappable: StructuredOutput {
    /// Nothing tells which cases there are.
    enum Payment: Codable, Sendable { case cash, card }
    let payment: Payment
  }

  private func codes<Value>(_ results: BatchResults<Value>) async -> [FoveaError.Code?] {
    var codes: [FoveaError.Code?] = []
    for await result in results {
      switch result {
      case .success: codes.append(nil)
      case .failure(let error): codes.append(error.code)
      }
    }
    return codes
  }

  @Test("what would fail for every input is told once")
  func common() async {
    let model = model { _ in Issue.record("something was evaluated") }
    let type = model.predict(texts: texts(9), prompt: "…", as: Unmappable.self)
    #expect(await codes(type) == [.unsupportedType])
    let impossible = Schema(.array(items: Schema(.null), minItems: 2, maxItems: 1))
    let schema = model.extract(texts: texts(9), prompt: "…", schema: impossible)
    #expect(await codes(schema) == [.invalidSchema])
    let limit = model.predict(
      texts: texts(9), prompt: "…", as: Answer.self, options: ExtractionOptions(maxTokens: 1))
    #expect(await codes(limit) == [.tokenLimitReached])
    let blind = LanguageModel(engine: ScriptedEngine("{}", supportsImages: false))
    let pictures = blind.predict(
      images: (0..<9).map { Self.picture($0) }, prompt: "…", as: Answer.self)
    #expect(await codes(pictures) == [.unsupportedByModel])
    let none = model.predict(texts: [], prompt: "…", as: Unmappable.self)
    #expect(await codes(none).isEmpty)
  }
}
