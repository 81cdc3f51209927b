/// What makes two JSON scalars the same value: numbers by value (`1.0` is `1`), text by code
/// points (not by Swift's canonical equivalence).
enum ScalarKey: Hashable {
  case null
  case boolean(Bool)
  case number(ExactNumber)
  case digits(String)
  case text([UInt8])

  /// Nil for lists and objects.
  init?(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let text):
      // A number too large for exact comparison is equal only to the same digits.
      self = ExactNumber(text).map(ScalarKey.number) ?? .digits(text)
    case .string(let text): self = .text(Array(text.utf8))
    case .array, .object: return nil
    }
  }
}
