internal import Foundation
internal import Fovea
internal import FoveaImages
internal import FoveaLlama
internal import FoveaTestSupport

/// Loads, predicts, cancels and tears down again and again: `scripts/check-memory` runs it under
/// AddressSanitizer.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if let endurance = Endurance(arguments.dropFirst()) {
      do {
        return try await endurance.run()
      } catch {
        print("failed: \(error)")
        exit(1)
      }
    }
    guard arguments.count == 5, let rounds = Int(arguments[4]) else {
      print("usage: fovea-soak [--endure] MODEL PROJECTOR FOLDER ROUNDS")
      exit(2)
    }
    let pictures = try FileManager.default.contentsOfDirectory(atPath: arguments[3]).sorted()
      .filter { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") }.map { "\(arguments[3])/\($0)" }
    for round in 0..<rounds {
      let model = try await oneRound(
        arguments[1], arguments[2], picture: .file(pictures[round % pictures.count]),
        pieces: 1 + round % 5)
      try await waitUntilFreed(model)
    }
    print("\(rounds) rounds: loaded, predicted, cancelled and freed")
  }

  /// What this program finds wrong.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Holds a model without keeping it.
  struct Weak {
    weak var model: LanguageModel?
  }

  private static func oneRound(
    _ model: String, _ projector: String, picture: ImageInput, pieces: Int
  ) async throws -> Weak {
    let loaded = try await LanguageModel.load(.gguf(model, projector: projector))
    let receipt = try await loaded.predict(
      image: picture, prompt: "Extract the receipt as JSON.", as: Receipt.self)
    guard !receipt.vendor.isEmpty else { throw Failure(description: "an empty vendor") }
    guard try await isCancelledBeforeItStarts(loaded, picture) else {
      throw Failure(description: "a cancelled prediction gave a value")
    }
    try await leaveStream(of: loaded, picture, afterPieces: pieces)
    // What fails to load must be freed as well; that it is refused is tested elsewhere.
    _ = try? await LanguageModel.load(.gguf(model, projector: model))
    return Weak(model: loaded)
  }

  /// The stream that was left stops at its next token and lets go of the model.
  private static func waitUntilFreed(_ reference: Weak) async throws {
    for _ in 0..<1_000 {
      if reference.model == nil { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Failure(description: "the model was not freed")
  }

  private static func isCancelledBeforeItStarts(
    _ model: LanguageModel, _ picture: ImageInput
  ) async throws -> Bool {
    let task = Task {
      try await model.predict(
        image: picture, prompt: "Extract the receipt as JSON.", as: Receipt.self)
    }
    task.cancel()
    do {
      _ = try await task.value
      return false
    } catch let error as FoveaError {
      return error.code == .cancelled
    }
  }

  /// Leaving the loop stops the model in the middle of a value.
  private static func leaveStream(
    of model: LanguageModel, _ picture: ImageInput, afterPieces count: Int
  ) async throws {
    var pieces = 0
    for try await event in model.stream(
      image: picture, prompt: "Extract the receipt as JSON.", as: Receipt.self)
    {
      if case .text = event { pieces += 1 }
      if pieces == count { return }
    }
  }
}
