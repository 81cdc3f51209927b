import Foundation

extension Schema.NumberBounds {
  /// The numbers that both allow.
  func intersection(_ other: Self) -> Self {
    var result = self
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
