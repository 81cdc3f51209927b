import Foundation

extension Schema.NumberBounds {
  /// The numbers that both allow. Only one of them may ask for multiples.
  func intersection(_ other: Self) -> Self {
    var result = self
    result.multipleOf = multipleOf ?? other.multipleOf
    if let minimum = other.minimum, !(self.minimum.map { $0 > minimum } ?? false) {
      let isSame = self.minimum == minimum
      result.minimum = minimum
      result.isMinimumExclusive =
        other.isMinimumExclusive || (isSame && isMinimumExclusive)
    }
    if let maximum = other.maximum, !(self.maximum.map { $0 < maximum } ?? false) {
      let isSame = self.maximum == maximum
      result.maximum = maximum
      result.isMaximumExclusive =
        other.isMaximumExclusive || (isSame && isMaximumExclusive)
    }
    return result
  }

  /// Whether no number, or no whole number, is within the bounds.
  func isEmpty(wholeNumbers: Bool) -> Bool {
    guard var lowest = minimum, var highest = maximum else { return false }
    if wholeNumbers {
      lowest = Self.rounded(lowest, .up)
      highest = Self.rounded(highest, .down)
      if isMinimumExclusive, lowest == minimum { lowest += 1 }
      if isMaximumExclusive, highest == maximum { highest -= 1 }
      return lowest > highest
    }
    return lowest > highest || (lowest == highest && (isMinimumExclusive || isMaximumExclusive))
  }

  private static func rounded(_ number: Decimal, _ mode: NSDecimalNumber.RoundingMode) -> Decimal {
    var number = number
    var result = Decimal()
    NSDecimalRound(&result, &number, 0, mode)
    return result
  }

  /// Which bound the number breaks; nil when none.
  func violation(of number: ExactNumber) -> String? {
    if let multipleOf, let divisor = ExactNumber(multipleOf), !number.isMultiple(of: divisor) {
      return "is not a multiple of \(multipleOf)"
    }
    if let minimum, let bound = ExactNumber(minimum) {
      if number < bound { return "is less than \(minimum)" }
      if isMinimumExclusive, number == bound { return "is not greater than \(minimum)" }
    }
    if let maximum, let bound = ExactNumber(maximum) {
      if number > bound { return "is greater than \(maximum)" }
      if isMaximumExclusive, number == bound { return "is not less than \(maximum)" }
    }
    return nil
  }
}

extension ExactNumber {
  /// Whether it is a whole multiple of a number with at most ``longestDivisor`` digits.
  func isMultiple(of divisor: ExactNumber) -> Bool {
    guard !digits.isEmpty else { return true }
    guard let modulus = divisor.mantissa, modulus > 0 else { return false }
    // Both as whole numbers times a power of ten: V × 10^v is a multiple of D × 10^d.
    let power = (scale - digits.count) - (divisor.scale - divisor.digits.count)
    // V does not end with a zero, so that it cannot make up for missing tens.
    if power < 0 { return false }
    let remainder = digits.reduce(UInt64(0)) { ($0 * 10 + UInt64($1)) % modulus }
    return Self.product(remainder, Self.tens(power, modulo: modulus), modulo: modulus) == 0
  }

  /// Divisors with more digits are refused.
  static let longestDivisor = 18

  private var mantissa: UInt64? {
    guard digits.count <= Self.longestDivisor else { return nil }
    return digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
  }

  private static func product(_ left: UInt64, _ right: UInt64, modulo modulus: UInt64) -> UInt64 {
    modulus.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
  }

  private static func tens(_ power: Int, modulo modulus: UInt64) -> UInt64 {
    var result = 1 % modulus
    var factor = 10 % modulus
    var power = power
    while power > 0 {
      if power % 2 == 1 { result = product(result, factor, modulo: modulus) }
      factor = product(factor, factor, modulo: modulus)
      power /= 2
    }
    return result
  }
}
