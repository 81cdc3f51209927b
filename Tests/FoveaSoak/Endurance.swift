internal import Foundation
internal import Fovea
internal import FoveaImages
internal import FoveaLlama
internal import FoveaTestSupport

/// One loaded model through cancels at random moments, many different pictures and many sessions: each
/// answer must be right, and memory must not grow.
struct Endurance {
  private static let prompt = "Extract the receipt as JSON."
  /// Memory is compared with what it is after this share of the rounds, when all caches are full.
  private static let warmUp = 0.3
  private static let mostGrowth = 0.02

  private let model: String
  private let projector: String
  private let folder: String
  private let rounds: Int

  /// Nil where the arguments ask for something else.
  init?(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 5, arguments[0] == "--endure", let rounds = Int(arguments[4]) else {
      return nil
    }
    (model, projector, folder) = (arguments[1], arguments[2], arguments[3])
    self.rounds = rounds
  }

  /// Runs it all, and throws at the first thing that is wrong.
  func run() async throws {
    let engine = try await LlamaEngine.load(.gguf(model, projector: projector))
    let model = LanguageModel(engine: engine)
    let pictures = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") }
      .map { try model.fit(.file("\(folder)/\($0)")) }
    var expected: [String] = []
    for picture in pictures { expected.append(try await answer(model, picture)) }
    try await cancel(model, pictures, expected)
    try await lookAtMany(model, pictures)
    try await talkMuch(engine)
  }

  // MARK: Cancels

  private func cancel(
    _ model: LanguageModel, _ pictures: [PixelImage], _ expected: [String]
  ) async throws {
    var generator = SeededGenerator(seed: 5)
    let clock = ContinuousClock()
    let usual = try await clock.measure { _ = try await answer(model, pictures[0]) }
    var cancelled = 0
    for round in 0..<rounds {
      let picture = pictures[Int.random(in: pictures.indices, using: &generator)]
      let task = Task { try await answer(model, picture) }
      try await Task.sleep(for: usual * Double.random(in: 0...1.1, using: &generator))
      task.cancel()
      do {
        _ = try await task.value
      } catch let error as FoveaError where error.code == .cancelled {
        cancelled += 1
      }
      let next = Int.random(in: pictures.indices, using: &generator)
      guard try await answer(model, pictures[next]) == expected[next] else {
        throw Main.Failure(description: "a wrong answer after cancel \(round)")
      }
    }
    guard cancelled > rounds / 4 else {
      throw Main.Failure(
        description: "only \(cancelled) of \(rounds) requests were cancelled in time")
    }
    print("cancels: \(cancelled) of \(rounds) in time, every next answer right")
  }

  private func answer(_ model: LanguageModel, _ picture: PixelImage) async throws -> String {
    try await model.respond(
      to: [Message(.user, [.image(picture), .text(Self.prompt)])],
      constraint: nil, options: ResponseOptions(maxTokens: 400, sampling: SamplingOptions())
    ).text
  }

  // MARK: Memory

  private func lookAtMany(_ model: LanguageModel, _ pictures: [PixelImage]) async throws {
    try await watchMemory("different pictures") { round in
      let picture = pictures[round % pictures.count]
      var rgb = picture.rgb
      // A picture that nobody has seen: one pixel tells them apart.
      withUnsafeBytes(of: round) { for index in 0..<3 { rgb[index] = $0[index] } }
      let seen = PixelImage(width: picture.width, height: picture.height, rgb: rgb)
      _ = try await answer(model, seen)
    }
  }

  private func talkMuch(_ engine: LlamaEngine) async throws {
    try await watchMemory("sessions") { round in
      let model = LanguageModel(engine: engine)
      let messages = [Message(.user, "Session \(round)."), Message(.assistant, "Yes?")]
      let options = ResponseOptions(maxTokens: 20, sampling: SamplingOptions())
      for text in ["One.", "Two."] {
        _ = try await model.respond(
          to: messages + [Message(.user, text)], constraint: .choice(["yes", "no"]),
          options: options)
      }
    }
  }

  private func watchMemory(
    _ what: String, round: (Int) async throws -> Void
  ) async throws {
    var before: Int?
    for number in 0..<rounds {
      if number == Int(Double(rounds) * Self.warmUp) { before = Self.residentBytes() }
      try await round(number)
    }
    guard let before, let after = Self.residentBytes() else {
      print("\(what): \(rounds) rounds; this system does not tell the memory in use")
      return
    }
    let growth = Double(after - before) / Double(before)
    print("\(what): \(rounds) rounds, \(before >> 10) kB, at the end \(after >> 10) kB")
    guard growth <= Self.mostGrowth else {
      throw Main.Failure(description: "memory grew by \(Int(growth * 100)) % over \(what)")
    }
  }

  private static func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil  // not Linux
    }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * 4_096 } : nil
  }
}
