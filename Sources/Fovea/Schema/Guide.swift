import struct Foundation.Decimal

/// What a field's type alone does not say: its meaning, its bounds, its format.
///
/// Guides are composed; each call adds to what was said before.
///
///     .format(.date).describedAs("the day of purchase")
///     .range(0...1)
///     .count(1...50).length(...40)      // of a [String]: 1 to 50 texts of at most 40 characters
///
/// Everything but the description and the examples is enforced while the model writes.
public struct Guide: Sendable, Hashable {
  var description: String?
  var examples: [JSONValue] = []
  var values: [JSONValue]?
  var range: Schema.NumberBounds?
  var length: Span?
  var count: Span?
  var format: Schema.Format?
  var pattern: String?
  var multiple: Decimal?
  var isUnique = false
  /// What makes the guide unusable, told when it is applied.
  var fault: String?

  /// How many characters or items there may be.
  struct Span: Sendable, Hashable {
    var minimum: Int
    var maximum: Int?
  }

  /// A guide that says nothing yet.
  public init() {}

  /// Tells the model what the field means, in a few words.
  public func describedAs(_ text: String) -> Guide {
    with { $0.description = text }
  }

  /// Shows the model texts such as this field may hold. For text.
  public func examples(_ texts: [String]) -> Guide {
    with { $0.examples = texts.map(JSONValue.string) }
  }

  /// Shows the model values such as this field may hold: `.examples(values: [14.90, 20])`.
  public func examples(values: [some Encodable]) -> Guide {
    with { $0.examples = $0.json(values, of: "example") }
  }

  /// Allows only these texts. For text, and to narrow an enum with text raw values.
  public func oneOf(_ texts: [String]) -> Guide {
    with { $0.values = texts.map(JSONValue.string) }
  }

  /// Allows only these values: `.oneOf(values: [7, 19])`. For text and numbers, and to narrow an
  /// enum with raw values.
  public func oneOf(values: [some Encodable]) -> Guide {
    with { $0.values = $0.json(values, of: "allowed value") }
  }

  /// Bounds a number: `0...100`, `0.5...`, `..<10`. Within the bounds that an integer type has
  /// anyway. For numbers, and for the elements of a list of numbers.
  public func range(_ range: some NumberRange) -> Guide {
    with {
      $0.range = range.numberBounds
      if $0.range == nil { $0.fault = "the range \(range) has no exact decimal ends" }
    }
  }

  /// Bounds the length of a text in Unicode code points. For text, and for the elements of a list
  /// of texts.
  public func length(_ range: some RangeExpression<Int>) -> Guide {
    with { $0.length = $0.span(range, of: "length") }
  }

  /// Bounds the number of items. For lists and dictionaries.
  public func count(_ range: some RangeExpression<Int>) -> Guide {
    with { $0.count = $0.span(range, of: "count") }
  }

  /// Asks for a text format. For text, and to have a `Date` written as a day (`.date`).
  public func format(_ format: Schema.Format) -> Guide {
    with { $0.format = format }
  }

  /// Asks that a regular expression (ECMA-262) matches somewhere in the text; `^` and `$` tie it to
  /// the ends. For text.
  public func pattern(_ expression: String) -> Guide {
    with { $0.pattern = expression }
  }

  /// Allows only whole multiples: `.multipleOf(5)`, `.multipleOf(0.05)`. For numbers; above zero.
  public func multipleOf(_ divisor: some Numeric & CustomStringConvertible) -> Guide {
    with {
      let exact = ExactNumber(divisor.description)
      $0.multiple = exact?.decimal
      let isUsable = exact.map { $0.digits.count <= ExactNumber.longestDivisor } ?? false
      if !isUsable || $0.multiple ?? 0 <= 0 {
        $0.fault =
          "\(divisor) is no number above zero of at most \(ExactNumber.longestDivisor) digits"
      }
    }
  }

  /// Asks that no two items are the same value. For lists of texts, numbers and other scalars.
  public func unique() -> Guide {
    with { $0.isUnique = true }
  }

  private func with(_ change: (inout Guide) -> Void) -> Guide {
    var guide = self
    change(&guide)
    return guide
  }

  private mutating func json(_ values: [some Encodable], of name: String) -> [JSONValue] {
    do {
      return try values.map { try JSONValue(parsing: encodedText($0)) }
    } catch {
      fault = "an \(name) cannot be written as JSON: \(error)"
      return []
    }
  }

  private mutating func span(_ range: some RangeExpression<Int>, of name: String) -> Span {
    // A range that is open above comes back with the end of what it is taken relative to.
    let bounds = range.relative(to: 0..<Int.max)
    if bounds.lowerBound < 0 { fault = "the \(name) \(range) begins below zero" }
    if bounds.isEmpty { fault = "the \(name) \(range) is empty" }
    return Span(
      minimum: bounds.lowerBound,
      maximum: bounds.upperBound == Int.max ? nil : bounds.upperBound - 1)
  }
}

/// Each guide can begin with any of its parts.
extension Guide {
  /// Tells the model what the field means, in a few words.
  public static func describedAs(_ text: String) -> Guide { Guide().describedAs(text) }

  /// Shows the model texts such as this field may hold. For text.
  public static func examples(_ texts: [String]) -> Guide { Guide().examples(texts) }

  /// Shows the model values such as this field may hold.
  public static func examples(values: [some Encodable]) -> Guide {
    Guide().examples(values: values)
  }

  /// Allows only these texts. For text, and to narrow an enum with text raw values.
  public static func oneOf(_ texts: [String]) -> Guide { Guide().oneOf(texts) }

  /// Allows only these values. For text and numbers, and to narrow an enum with raw values.
  public static func oneOf(values: [some Encodable]) -> Guide { Guide().oneOf(values: values) }

  /// Bounds a number: `0...100`, `0.5...`, `..<10`.
  public static func range(_ range: some NumberRange) -> Guide { Guide().range(range) }

  /// Bounds the length of a text in Unicode code points.
  public static func length(_ range: some RangeExpression<Int>) -> Guide { Guide().length(range) }

  /// Bounds the number of items of a list or a dictionary.
  public static func count(_ range: some RangeExpression<Int>) -> Guide { Guide().count(range) }

  /// Asks for a text format.
  public static func format(_ format: Schema.Format) -> Guide { Guide().format(format) }

  /// Asks that a regular expression (ECMA-262) matches somewhere in the text.
  public static func pattern(_ expression: String) -> Guide { Guide().pattern(expression) }

  /// Allows only whole multiples.
  public static func multipleOf(_ divisor: some Numeric & CustomStringConvertible) -> Guide {
    Guide().multipleOf(divisor)
  }

  /// Asks that no two items are the same value.
  public static func unique() -> Guide { Guide().unique() }
}
