public import struct Foundation.Decimal

/// The shape that an answer must have: a tree of JSON types with their bounds.
///
/// A schema comes from a Swift type (``init(of:)``) or from a JSON Schema (``init(jsonSchema:)-(String)``).
/// Every bound in it is enforced by the grammar while the model writes; what cannot be enforced
/// is refused by name when the schema is made, never dropped.
public struct Schema: Sendable, Hashable {
  /// What kind of JSON value is allowed here.
  public var kind: Kind
  /// Told to the model, not enforced.
  public var title: String?
  /// Told to the model, not enforced.
  public var description: String?
  /// Values to show to the model, not enforced.
  public var examples: [JSONValue] = []

  /// Makes a schema.
  public init(_ kind: Kind, title: String? = nil, description: String? = nil) {
    self.kind = kind
    self.title = title
    self.description = description
  }

  /// The JSON types and their bounds.
  public indirect enum Kind: Sendable, Hashable {
    /// Only `null`.
    case null
    /// `true` or `false`.
    case boolean
    /// A whole number in plain digits.
    case integer(NumberBounds)
    /// A decimal number in plain digits, without an exponent.
    case number(NumberBounds)
    /// Text.
    case string(StringRule)
    /// One of these values: strings, numbers, booleans or `null`.
    case enumeration([JSONValue])
    /// A list of equal items. `maxItems` nil: as many as the model writes.
    case array(items: Schema, minItems: Int, maxItems: Int?)
    /// An object with these properties and no others, in this order.
    case object([Property])
    /// One of these, which differ in the first byte of their JSON (for example text or `null`).
    case anyOf([Schema])
  }

  /// A property of an object.
  public struct Property: Sendable, Hashable {
    /// The key, as in the JSON.
    public var name: String
    /// What its value must be.
    public var schema: Schema
    /// Whether the key must be there. Swift types' properties always are; an optional is written
    /// as `null`.
    public var isRequired: Bool

    /// Makes a property.
    public init(_ name: String, _ schema: Schema, isRequired: Bool = true) {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  /// Bounds of a number; nil means no bound.
  public struct NumberBounds: Sendable, Hashable {
    /// The smallest value allowed.
    public var minimum: Decimal?
    /// Whether ``minimum`` itself is excluded.
    public var isMinimumExclusive: Bool
    /// The largest value allowed.
    public var maximum: Decimal?
    /// Whether ``maximum`` itself is excluded.
    public var isMaximumExclusive: Bool

    /// Makes bounds.
    public init(
      minimum: Decimal? = nil, isMinimumExclusive: Bool = false, maximum: Decimal? = nil,
      isMaximumExclusive: Bool = false
    ) {
      self.minimum = minimum
      self.isMinimumExclusive = isMinimumExclusive
      self.maximum = maximum
      self.isMaximumExclusive = isMaximumExclusive
    }
  }

  /// What text is allowed.
  public struct StringRule: Sendable, Hashable {
    /// The least number of Unicode code points.
    public var minLength: Int
    /// The greatest number of Unicode code points; nil: no limit.
    public var maxLength: Int?
    /// A format that the text must have.
    public var format: Format?

    /// Makes a rule.
    public init(minLength: Int = 0, maxLength: Int? = nil, format: Format? = nil) {
      self.minLength = minLength
      self.maxLength = maxLength
      self.format = format
    }
  }

  /// Text formats that the grammar enforces.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A calendar date, `2026-11-30`; only days that exist.
    case date
    /// A date and time with zone, `2026-11-30T09:41:00Z` or with an offset such as `+02:00`.
    case dateTime = "date-time"
    /// A time of day with zone, `09:41:00Z`.
    case time
  }
}
