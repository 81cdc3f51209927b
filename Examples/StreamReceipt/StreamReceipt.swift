import Foundation
import Fovea
import FoveaImages
import FoveaLlama

struct Purchase: StructuredOutput {
  let vendor: String
  let date: String
}

@main
struct StreamReceipt {
  static func main() async {
    do {
      let model = try await LanguageModel.load(
        .gguf(
          "Models/tiny-receipt/fovea-tiny-f16.gguf",
          projector: "Models/tiny-receipt/mmproj-fovea-tiny-f16.gguf"))

      let events = model.stream(
        image: .file("Examples/receipts/02-two-items.png"),
        prompt: "Extract vendor and date.",
        as: Purchase.self)

      for try await event in events {
        switch event {
        case .thinking: break  // the model's thought, when it was asked to think
        case .text: break  // the JSON text, piece by piece
        case .partial(let value): print(value.text)  // the value so far
        case .finished(let extraction):
          print("\(extraction.value), \(extraction.usage.completionTokens) tokens")
        }
      }
    } catch let error as FoveaError where error.code == .tokenLimitReached {
      print("cut: \(error.partialText ?? "")")
    } catch {
      print("\(error)")
    }
  }
}
