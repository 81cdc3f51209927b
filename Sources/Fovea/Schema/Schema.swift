public import struct Foundation.Decimal

/// The shape that an answer must have: a tree of JSON types with their bounds.
///
/// A schema comes from a Swift type (``init(of:)``) or from a JSON Schema (``init(jsonSchema:)-(String)``).
/// Every bound in it is enforced by the grammar while the model writes; what cannot be enforced
/// is refused by name when the schema is made, never dropped.
///
///     schema ─ kind ─ object ┬ "name"     : schema ─ kind ─ string
///            │               └ "children" : schema ─ kind ─ array of ─ kind ─ reference "Node"
///            └ definitions ─ "Node" : schema …                        (recursion is by name)
public struct Schema: Sendable, Hashable {
  /// What kind of JSON value is allowed here.
  public var kind: Kind
  /// Told to the model, not enforced.
  public var title: String?
  /// Told to the model, not enforced.
  public var description: String?
  /// Values to show to the model, not enforced.
  public var examples: [JSONValue] = []
  /// What the references in this schema stand for. Those of all schemas inside count together, so
  /// that a schema can be put into another with its definitions.
  public var definitions: [Definition] = []
  /// How a ``Kind/document(_:)`` is read.
  public var options = SchemaOptions()

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
    /// One of these, for example text or `null`.
    case anyOf([Schema])
    /// Any JSON value.
    case any
    /// A list of equal items, no two of which are the same value.
    case set(items: Schema, minItems: Int, maxItems: Int?)
    /// A list of exactly these items.
    case tuple([Schema])
    /// An object whose keys are the model's choice. `keys` nil: any text. `maxProperties` nil: as
    /// many as the model writes.
    case dictionary(values: Schema, keys: StringRule?, minProperties: Int, maxProperties: Int?)
    /// What the definition of this name allows: how a type contains itself.
    case reference(String)
    /// A JSON Schema document as it is, with its own `$schema` and `$defs`. Only as the whole
    /// schema, never inside another.
    case document(JSONValue)
  }

  /// A schema with a name, for ``Kind/reference(_:)``.
  public struct Definition: Sendable, Hashable {
    /// The name that references use.
    public var name: String
    /// What it stands for.
    public var schema: Schema

    /// Makes a definition.
    public init(_ name: String, _ schema: Schema) {
      self.name = name
      self.schema = schema
    }
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
    /// What the number is a whole multiple of, for example `0.05`; above zero.
    public var multipleOf: Decimal?

    /// Makes bounds.
    public init(
      minimum: Decimal? = nil, isMinimumExclusive: Bool = false, maximum: Decimal? = nil,
      isMaximumExclusive: Bool = false, multipleOf: Decimal? = nil
    ) {
      self.minimum = minimum
      self.isMinimumExclusive = isMinimumExclusive
      self.maximum = maximum
      self.isMaximumExclusive = isMaximumExclusive
      self.multipleOf = multipleOf
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
    /// A regular expression (ECMA-262) that must match somewhere in the text; `^` and `$` tie it
    /// to the ends.
    public var pattern: String?

    /// Makes a rule.
    public init(
      minLength: Int = 0, maxLength: Int? = nil, format: Format? = nil, pattern: String? = nil
    ) {
      self.minLength = minLength
      self.maxLength = maxLength
      self.format = format
      self.pattern = pattern
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
    /// A span of time, `P1DT12H`.
    case duration
    /// A universally unique identifier, `e621e1f8-c36c-495a-93fc-0c247a3e6e5f`.
    case uuid
    /// An absolute address, `https://example.com/a?b#c`.
    case uri
    /// An e-mail address.
    case email
    /// The name of a host, `www.example.com`.
    case hostname
    /// An address such as `192.0.2.1`.
    case ipv4
    /// An address such as `2001:db8::1`.
    case ipv6
    /// Bytes in base64 with padding, `AQID`: what `Data` reads. Written into JSON Schema as a
    /// pattern, which it is.
    case base64
  }
}
