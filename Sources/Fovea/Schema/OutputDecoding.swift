import Foundation

/// Decodes a complete answer as a type, with the forms that the type's schema asks for: dates as
/// its ``StructuredOutput/dateStrategy`` says (with `.iso8601`, a date and time with zone, or a
/// plain date, which is its midnight UTC); a `Decimal` keeps its digits.
///
/// - Throws: ``FoveaError/Code/decodingFailed`` with the path of the field, and the text.
package func decodeOutput<T: Decodable>(
  _ type: T.Type, from text: String
) throws(FoveaError) -> T {
  let decoder = JSONDecoder()
  decoder.dateDecodingStrategy = dates(of: type).decodingStrategy
  do {
    return try decoder.decode(type, from: Data(text.utf8))
  } catch {
    let place = (error as? DecodingError)?.place ?? ""
    throw FoveaError(
      .decodingFailed, "the answer does not decode as \(type)\(place)",
      fix: "let the type accept all that its schema allows, or add guides that narrow the schema",
      cause: violation(of: type, in: text) ?? (error as? DecodingError)?.reason ?? "\(error)",
      partialText: text)
  }
}

/// Encodes a value in the forms that the type's schema asks for: what ``decodeOutput(_:from:)``
/// reads. Keys stand in no particular order, and optionals that are nil are left out.
package func encodedText<T: Encodable>(_ value: T) throws -> String {
  let encoder = JSONEncoder()
  encoder.dateEncodingStrategy = dates(of: T.self).encodingStrategy
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

private func dates(of type: Any.Type) -> DateStrategy {
  (type as? any StructuredOutput.Type)?.dateStrategy ?? .iso8601
}

/// Where the text breaks the type's schema. Foundation does not say where a number is too large
/// for its type.
private func violation(of type: any Decodable.Type, in text: String) -> String? {
  // A type without a schema, or a text that is not JSON: the decoder's own words must do.
  guard let schema = try? Schema(probing: type), let value = try? JSONValue(parsing: text) else {
    return nil
  }
  return schema.violation(of: value)
}

extension DecodingError {
  private var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }

  fileprivate var reason: String { context?.debugDescription ?? "\(self)" }

  /// For example ` at items[2].price`.
  fileprivate var place: String {
    var keys = context?.codingPath ?? []
    if case .keyNotFound(let key, _) = self { keys.append(key) }
    var place = ""
    for key in keys {
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += (place.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return place.isEmpty ? "" : " at \(place)"
  }
}
