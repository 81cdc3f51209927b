internal import Foundation
internal import Fovea

/// What `--type receipt` extracts. Texts and lists are bounded, so that a model that repeats itself
/// comes to an end.
struct Receipt: StructuredOutput {
  /// A line of the receipt.
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
    [
      "vendor": .length(...80).describedAs("name of the shop, as printed at the top"),
      "date": .format(.date).describedAs("day of purchase"),
      "items": .count(...60).describedAs("the articles, in the order printed"),
      "items.name": .length(...80).describedAs("as printed"),
      "items.quantity": .range(1...9_999),
      "items.price": .describedAs("as printed on the article's line"),
      "total": .describedAs("the amount to pay"),
    ]
  }
}

/// The types that `--type` knows.
enum BuiltInType: String, CaseIterable {
  case receipt

  func schema() throws(FoveaError) -> Schema {
    switch self {
    case .receipt: try Schema(of: Receipt.self)
    }
  }
}
