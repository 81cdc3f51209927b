internal import Foundation
internal import Fovea
internal import FoveaImages
internal import FoveaLlama

/// Loads, predicts, cancels and tears down again and again: `scripts/check-memory` runs it under
/// AddressSanitizer.
@main
struct Main {
  struct Receipt: StructuredOutput {
    struct Item: Codable, Sendable {
      let name: String
      let quantity: Int
      let price: Decimal
    }
    let vendor: String
    let date: String
    let items: [Item]
    let total: Decimal
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let rounds = Int(arguments[4]) else {
      print("usage: fovea-soak MODEL PROJECTOR FOLDER ROUNDS")
      exit(2)
    }
    let pictures = try FileManager.default.contentsOfDirectory(atPath: arguments[3]).sorted()
      .filter { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") }.map { "\(arguments[3])/\($0)" }
    var values = 0
    var cancellations = 0
    for round in 0..<rounds {
      let model = try await LanguageModel.load(.gguf(arguments[1], projector: arguments[2]))
      let picture = ImageInput.file(pictures[round % pictures.count])
      let receipt = try await model.predict(
        image: picture, prompt: "Extract the receipt as JSON.", as: Receipt.self)
      values += receipt.vendor.isEmpty ? 0 : 1
      if try await isCancelledBeforeItStarts(model, picture) { cancellations += 1 }
      try await leaveStream(of: model, picture, afterPieces: 1 + round % 5)
      // A model that failed to load must be freed as well.
      _ = try? await LanguageModel.load(.gguf(arguments[1], projector: arguments[1]))  // refused
    }
    print("\(rounds) rounds: \(values) values, \(cancellations) cancellations")
    guard values == rounds, cancellations == rounds else { exit(1) }
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
