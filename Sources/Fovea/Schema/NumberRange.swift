import Foundation

/// A range of numbers that can bound a field: `0...100`, `0.5...`, `...10`, `..<1`.
///
/// The ranges of the standard library conform, over integers, `Double` and `Decimal`. A literal
/// such as `0.1` stands for that decimal, not for the binary fraction nearest to it.
public protocol NumberRange {
  /// The range as bounds of a schema; nil when an end of it is not a finite number, or has more
  /// than 38 digits.
  var numberBounds: Schema.NumberBounds? { get }
}

/// Both ends are allowed.
extension ClosedRange: NumberRange where Bound: Numeric & CustomStringConvertible {
  /// Both ends are allowed.
  public var numberBounds: Schema.NumberBounds? {
    guard let minimum = exactDecimal(lowerBound), let maximum = exactDecimal(upperBound) else {
      return nil
    }
    return Schema.NumberBounds(minimum: minimum, maximum: maximum)
  }
}

/// The upper end is not allowed.
extension Range: NumberRange where Bound: Numeric & CustomStringConvertible {
  /// The upper end is not allowed.
  public var numberBounds: Schema.NumberBounds? {
    guard let minimum = exactDecimal(lowerBound), let maximum = exactDecimal(upperBound) else {
      return nil
    }
    return Schema.NumberBounds(minimum: minimum, maximum: maximum, isMaximumExclusive: true)
  }
}

/// The end is allowed.
extension PartialRangeFrom: NumberRange where Bound: Numeric & CustomStringConvertible {
  /// The end is allowed.
  public var numberBounds: Schema.NumberBounds? {
    exactDecimal(lowerBound).map { Schema.NumberBounds(minimum: $0) }
  }
}

/// The end is allowed.
extension PartialRangeThrough: NumberRange where Bound: Numeric & CustomStringConvertible {
  /// The end is allowed.
  public var numberBounds: Schema.NumberBounds? {
    exactDecimal(upperBound).map { Schema.NumberBounds(maximum: $0) }
  }
}

/// The end is not allowed.
extension PartialRangeUpTo: NumberRange where Bound: Numeric & CustomStringConvertible {
  /// The end is not allowed.
  public var numberBounds: Schema.NumberBounds? {
    exactDecimal(upperBound).map { Schema.NumberBounds(maximum: $0, isMaximumExclusive: true) }
  }
}

/// The decimal that a number prints as: for a `Double` the shortest that reads back the same.
private func exactDecimal(_ number: some CustomStringConvertible) -> Decimal? {
  ExactNumber(number.description)?.decimal
}
