import Fovea
import FoveaTestSupport
import Testing

/// Batches that end before their inputs do.
@Suite("Cancelled batches", .timeLimit(.minutes(5)))
struct BatchCancellationTests {
  /// Results for 0, 1, 2 and so on, each made by `work`.
  private func results(
    inFlight: Int, work: @escaping @Sendable (Int) async throws(FoveaError) -> Void
  ) -> BatchResults<Int> {
    BatchResults(of: 0..<1_000_000, inFlight: inFlight) { number in
      do throws(FoveaError) {
        try await work(number)
        return .success(number)
      } catch {
        return .failure(error)
      }
    }
  }

  private static let cancellation = FoveaError(.cancelled, "the task was cancelled")

  struct Answer: StructuredOutput, Equatable {
    let number: Int
  }

  /// A model that answers the text "0" and writes for ever for all others.
  private func model(_ desk: Desk) -> LanguageModel {
    LanguageModel(
      engine: ScriptedEngine { request throws(FoveaError) in
        let number = request.sources.first.flatMap { Int($0) } ?? -1
        await desk.begin(number)
        if number != 0 { await desk.sleep(number) }
        return #"{"number":\#(number)}"#
      })
  }

  private let texts = (0..<1_000).map { "\($0)" }

  @Test("leaving the loop stops what runs")
  func leaves() async throws {
    let desk = Desk()
    var values: [Answer] = []
    for await result in model(desk).predict(
      texts: texts, prompt: "…", as: Answer.self, inFlight: 3)
    {
      values.append(try result.get())
      break
    }
    #expect(values == [Answer(number: 0)])
    await desk.wait { $0.cancelled.count == 2 }
    #expect(await desk.cancelled == [1, 2])
    #expect(await desk.begun.sorted() == [0, 1, 2])
  }

  @Test("a cancelled loop stops what runs and hears of it, once")
  func cancels() async throws {
    let desk = Desk()
    let model = model(desk)
    let texts = texts
    let loop = Task {
      var results: [Result<Answer, FoveaError>] = []
      for await result in model.predict(texts: texts, prompt: "…", as: Answer.self, inFlight: 3) {
        results.append(result)
      }
      return results
    }
    await desk.wait { $0.begun.count == 4 }
    loop.cancel()
    let results = await loop.value
    #expect(results.count == 2)
    #expect(results.first == .success(Answer(number: 0)))
    if case .failure(let error) = results.last { #expect(error.code == .cancelled) }
    await desk.wait { $0.cancelled.count == 3 }
    #expect(await desk.cancelled == [1, 2, 3])
    #expect(await desk.begun.count == 4)
  }

  @Test("what was finished before still comes, in order")
  func keepsFinished() async {
    let desk = Desk()
    let results = results(inFlight: 3) { number throws(FoveaError) in
      await desk.begin(number)
      guard number == 2 else { return }
      await desk.sleep(number)
      throw Self.cancellation
    }
    let loop = Task {
      var values: [Result<Int, FoveaError>] = []
      for await result in results {
        values.append(result)
        await desk.wait { $0.begun.contains(2) }
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return values
    }
    #expect(await loop.value == [.success(0), .success(1), .failure(Self.cancellation)])
    #expect(await desk.begun.sorted() == [0, 1, 2], "no input is read once the loop is cancelled")
  }

  @Test("a loop that is cancelled before it begins reads one input at most")
  func neverBegins() async {
    let desk = Desk()
    let results = results(inFlight: 5) { number throws(FoveaError) in
      await desk.begin(number)
      await desk.sleep(number)
      throw Self.cancellation
    }
    let loop = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var values: [Result<Int, FoveaError>] = []
      for await result in results { values.append(result) }
      return values
    }
    #expect(await loop.value == [.failure(Self.cancellation)])
    #expect(await desk.begun == [0])
  }

  @Test("a failure that concerns all inputs stops what runs")
  func commonFailure() async {
    let desk = Desk()
    let failure = FoveaError(.unsupportedType, "no such type")
    let results = BatchResults<Int>(of: 0..<9, inFlight: 3) { number throws(FoveaError) in
      await desk.begin(number)
      if number == 1 {
        await desk.wait { $0.begun.count == 4 }
        throw failure
      }
      if number > 1 { await desk.sleep(number) }
      return .success(number)
    }
    var values: [Result<Int, FoveaError>] = []
    for await result in results { values.append(result) }
    #expect(values == [.success(0), .failure(failure)])
    await desk.wait { $0.cancelled.count == 2 }
    #expect(await desk.cancelled == [2, 3])
  }
}
