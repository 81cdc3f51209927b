/// A Swift type that a model can fill in.
///
/// Any `Codable` type will do; there is no macro and nothing else to write. ``Schema/init(of:)``
/// finds the fields, their order and their types by running the type's own `init(from:)`, so that
/// renamed keys and custom decoders count too.
///
///     struct Receipt: StructuredOutput {
///       let vendor: String
///       let date: Date
///       let total: Decimal
///       let items: [Item]
///       let note: String?            // the model writes text or null
///
///       struct Item: Codable { let name: String; let price: Decimal }
///
///       static var guides: [String: Guide] {
///         [
///           "date": .format(.date).describedAs("the day of purchase"),
///           "total": .range(0...),
///           "items.price": .range(0...).describedAs("for all pieces together"),
///         ]
///       }
///     }
///
/// Fields may be `String`, `Bool`, the integers, `Float`, `Double`, `Decimal`, `Date`, enums with
/// text or whole-number raw values that are `CaseIterable`, other such types, and optionals and
/// arrays of all these.
public protocol StructuredOutput: Codable, Sendable {
  /// What the types alone do not say, by coding-key path: `"vendor"`, or `"items.price"` for the
  /// price in each of the items. Optionals and list elements need no mark of their own; the empty
  /// path is the whole value.
  ///
  /// A guide for a field that does not exist, or of a kind that does not fit the field, makes
  /// ``Schema/init(of:)`` throw.
  static var guides: [String: Guide] { get }
}

extension StructuredOutput {
  /// No guides.
  public static var guides: [String: Guide] { [:] }
}

/// A list of structured values is one itself: `as: [Item].self`.
extension Array: StructuredOutput where Element: StructuredOutput {}
