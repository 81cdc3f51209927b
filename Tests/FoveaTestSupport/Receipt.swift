package import Foundation
package import Fovea

/// The type that the embedded model reads.
package struct Receipt: StructuredOutput, Equatable {
  /// A line of the receipt.
  package struct Item: Codable, Sendable, Equatable {
    package let name: String
    package let quantity: Int
    package let price: Decimal
  }

  package let vendor: String
  package let date: String
  package let items: [Item]
  package let total: Decimal

  package static var guides: [String: Guide] { ["date": .format(.date)] }

  /// The truth beside an example picture.
  package static func truth(of picture: URL) throws -> Receipt {
    let url = picture.deletingPathExtension().appendingPathExtension("json")
    return try decodeOutput(Receipt.self, from: String(contentsOf: url, encoding: .utf8))
  }
}
