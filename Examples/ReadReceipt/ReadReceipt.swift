import Foundation
import Fovea
import FoveaImages
import FoveaLlama

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

  static var guides: [String: Guide] {
    ["date": .format(.date).describedAs("the day of purchase")]
  }
}

@main
struct ReadReceipt {
  static func main() async throws {
    let model = try await LanguageModel.load(
      .gguf(
        "Models/tiny-receipt/fovea-tiny-f16.gguf",
        projector: "Models/tiny-receipt/mmproj-fovea-tiny-f16.gguf"))

    let receipt = try await model.predict(
      image: .file("Examples/receipts/01-plain.png"),
      prompt: "Extract the receipt as JSON.",
      as: Receipt.self)

    print("\(receipt.vendor), \(receipt.date): \(receipt.total)")
    for item in receipt.items { print("  \(item.quantity) x \(item.name) \(item.price)") }
  }
}
