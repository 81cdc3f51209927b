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
/// Fields may be:
/// - `String`, `Bool`, the integers, `Float`, `Double`, `Decimal`, `Date`, `URL` (absolute), `UUID`,
///   `Data` (base64);
/// - optionals, arrays and sets of all these, and dictionaries whose keys are `String`, `Int` or
///   `CodingKeyRepresentable`;
/// - enums with text or whole-number raw values that are `CaseIterable`;
/// - enums with associated values, as Swift writes them (`{"circle":{"radius":1}}`). Swift does not
///   tell a decoder the names of their cases, so they declare them, which the compiler checks:
///   `enum CodingKeys: CodingKey, CaseIterable { case circle, square }`. An enum without any
///   associated value may itself be `CaseIterable` instead;
/// - other such structs, enums and classes, also ones that contain themselves.
public protocol StructuredOutput: Codable, Sendable {
  /// What the types alone do not say, by coding-key path: `"vendor"`, or `"items.price"` for the
  /// price in each of the items. Optionals, list elements and a dictionary's values need no mark
  /// of their own; items of a tuple are numbered from 0; the empty path is the whole value.
  ///
  /// A guide for a field that does not exist, or of a kind that does not fit the field, makes
  /// ``Schema/init(of:)`` throw. A type that contains itself is guided by its own guides only, and
  /// they count at every depth.
  static var guides: [String: Guide] { get }

  /// How dates are written, in this type and in all types inside it.
  static var dateStrategy: DateStrategy { get }
}

extension StructuredOutput {
  /// No guides.
  public static var guides: [String: Guide] { [:] }
  /// A date and time with zone, such as `2026-11-30T09:41:00Z`.
  public static var dateStrategy: DateStrategy { .iso8601 }
}

/// A list of structured values is one itself: `as: [Item].self`.
extension Array: StructuredOutput where Element: StructuredOutput {
  /// That of the elements.
  public static var dateStrategy: DateStrategy { Element.dateStrategy }
}
