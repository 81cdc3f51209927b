package import Foundation

/// A decimal number of any length, compared exactly: neither `Double` nor `Decimal` can hold all
/// that JSON can write.
///
/// The value is `0.d₁d₂d₃… × 10^scale`, with no zero at either end of the digits, so that equal
/// numbers have equal parts: `14.50`, `14.5` and `1450e-2` are all `0.145 × 10²`.
package struct ExactNumber: Sendable, Hashable {
  /// Whether it is below zero.
  let isNegative: Bool
  /// The digits 0...9, the most significant first; empty for zero.
  let digits: [UInt8]
  /// The power of ten; 0 for zero.
  let scale: Int

  /// Exponents beyond this are refused, so that a scale never overflows.
  private static let exponentLimit = 1_000_000_000

  /// Reads the text of a JSON number; nil when it is none, or its exponent is beyond a thousand
  /// million.
  package init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    let whole = Self.digits(&rest)
    guard whole.count == 1 || (whole.first ?? 0) != 0 else { return nil }
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = Self.digits(&rest)
      if fraction.isEmpty { return nil }
    }
    var exponent = 0
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      let sign = rest.first
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
      let digits = Self.digits(&rest)
      if digits.isEmpty { return nil }
      for digit in digits {
        exponent = exponent * 10 + Int(digit)
        if exponent > Self.exponentLimit { return nil }
      }
      if sign == UInt8(ascii: "-") { exponent = -exponent }
    }
    guard rest.isEmpty else { return nil }
    let plain = ExactNumber(isNegative: isNegative, whole: whole, fraction: fraction)
    self.digits = plain.digits
    self.scale = plain.digits.isEmpty ? 0 : plain.scale + exponent
    self.isNegative = plain.isNegative
  }

  init(isNegative: Bool, digits: [UInt8], scale: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.scale = scale
  }

  /// The number on the other side of zero.
  static prefix func - (number: ExactNumber) -> ExactNumber {
    ExactNumber(
      isNegative: !number.isNegative && !number.digits.isEmpty, digits: number.digits,
      scale: number.scale)
  }

  /// The value of a decimal; nil for "not a number".
  package init?(_ decimal: Decimal) {
    self.init(decimal.description)
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest[digits.endIndex...]
    return digits.map { $0 - UInt8(ascii: "0") }
  }

  /// Whether it has no fraction.
  package var isInteger: Bool { scale >= digits.count }

  /// The same value as a `Decimal`; nil when that cannot hold it exactly (more than 38 digits, or
  /// an exponent beyond its range).
  package var decimal: Decimal? {
    guard digits.count <= 38, (-128...166).contains(scale) else { return nil }
    let text = (isNegative ? "-" : "") + digitText + "e\(scale - digits.count)"
    guard let decimal = Decimal(string: text), ExactNumber(decimal) == self else { return nil }
    return decimal
  }

  /// The same value as an `Int`; nil when it has a fraction or does not fit.
  package var int: Int? {
    guard isInteger, scale <= 19 else { return nil }
    let text = digitText + String(repeating: "0", count: scale - digits.count)
    return Int((isNegative ? "-" : "") + text)
  }

  private var digitText: String {
    digits.isEmpty ? "0" : String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }
}

extension ExactNumber: Comparable {
  package static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative
      ? isSmaller(right, left) : isSmaller(left, right)
  }

  /// Whether `left` is nearer to zero than `right`.
  private static func isSmaller(_ left: ExactNumber, _ right: ExactNumber) -> Bool {
    if left.digits.isEmpty || right.digits.isEmpty {
      return !right.digits.isEmpty && left.digits.isEmpty
    }
    if left.scale != right.scale { return left.scale < right.scale }
    return left.digits.lexicographicallyPrecedes(right.digits)
  }
}
