internal import Foundation

/// The decimal digits of a bound's magnitude, exactly as `Decimal` holds them.
struct DigitText {
  /// Digits before the point, no leading zeros, at least one.
  var whole: [UInt8]
  /// Digits after the point, no zeros at the end.
  var fraction: [UInt8]

  static let zero = DigitText(whole: [0], fraction: [])

  init(whole: [UInt8], fraction: [UInt8]) {
    self.whole = whole
    self.fraction = fraction
  }

  init(magnitudeOf value: Decimal) {
    // A Decimal's description has no exponent and no grouping, whatever the locale.
    let parts = value.magnitude.description.split(separator: ".")
    whole = parts.first.map { $0.utf8.map { $0 - 0x30 } } ?? [0]
    fraction = parts.count > 1 ? parts[1].utf8.map { $0 - 0x30 } : []
    while fraction.last == 0 { fraction.removeLast() }
  }
}

/// An interval of magnitudes, compared with a number digit by digit while it is written.
///
///     bound   1 2 . 5          digits so far   1 2 .     equal so far: 5 or more may follow
///             ▲                                1 3       greater, if the number ends at two digits
///             first digits compared first;     1 2 0     longer than the bound: greater
///
/// Until the point it is open how many digits come before it, so the comparison of the first
/// digits counts only when the number turns out to be as long as the bound.
struct MagnitudeInterval {
  struct Bound {
    var digits: DigitText
    var isExclusive: Bool
  }

  var lower: Bound
  var upper: Bound?
}

/// What is known about a number that is being written.
private struct NumberProgress {
  /// What decides the rest of a number, in one word; valid for one interval.
  typealias Key = UInt64

  var interval: MagnitudeInterval
  /// The bounds no longer matter.
  var isFree = false
  /// Digits before the point and after it that are still allowed.
  var wholeLimit: Int
  var fractionLimit: Int
  /// How many digits there are before the point, or after it.
  var position = 0
  var isFraction = false
  var startsWithZero = false
  /// The digits so far against those of the bounds: -1, 0 or 1.
  var againstLower = 0
  var againstUpper = 0

  var key: Key {
    let flags = (isFraction ? 1 : 0) | (startsWithZero ? 2 : 0) | (isFree ? 4 : 0)
    return UInt64(position << 8 | (againstLower + 1) << 5 | (againstUpper + 1) << 3 | flags)
  }
}

extension GrammarBuilder {
  /// The most digits of an integer for which no bound says how long it may be: what `Decimal`
  /// holds.
  static let integerDigits = 38
  /// The most digits before the point of such a number.
  static let wholeDigits = 20
  /// The most digits after the point; together with ``wholeDigits`` exact in `Decimal`, and
  /// enough for every `Double` that is written plainly.
  static let fractionDigits = 17

  /// A state that reads a number within the bounds, or nil when there is none.
  ///
  /// The notation is plain: no exponent, no leading zeros, no plus sign, no minus before zero.
  /// Bounds with more digits than the documented most extend it.
  mutating func number(_ bounds: Schema.NumberBounds, isInteger: Bool) -> UInt32? {
    let minimum = bounds.minimum
    let maximum = bounds.maximum
    let zero = MagnitudeInterval.Bound(digits: .zero, isExclusive: false)

    func start(_ interval: MagnitudeInterval, _ builder: inout GrammarBuilder) -> UInt32? {
      let lower = interval.lower.digits
      let plain = isInteger ? Self.integerDigits : Self.wholeDigits
      let fractions = [lower.fraction.count, interval.upper?.digits.fraction.count ?? 0]
      let progress = NumberProgress(
        interval: interval,
        wholeLimit: interval.upper?.digits.whole.count ?? max(plain, lower.whole.count + 1),
        fractionLimit: isInteger ? 0 : max(Self.fractionDigits, (fractions.max() ?? 0) + 1))
      var memo: [NumberProgress.Key: UInt32?] = [:]
      return builder.number(progress, &memo)
    }

    var edges: [GrammarEdge] = []
    // Zero and above.
    if maximum.map({ $0 > 0 || ($0 == 0 && !bounds.isMaximumExclusive) }) ?? true {
      var lower = zero
      if let minimum, minimum >= 0 {
        lower = .init(
          digits: DigitText(magnitudeOf: minimum), isExclusive: bounds.isMinimumExclusive)
      }
      let upper = maximum.map {
        MagnitudeInterval.Bound(
          digits: DigitText(magnitudeOf: $0), isExclusive: bounds.isMaximumExclusive)
      }
      if let state = start(MagnitudeInterval(lower: lower, upper: upper), &self) {
        edges += drafts[Int(state)].edges
      }
    }
    // Below zero: the bounds change places.
    if minimum.map({ $0 < 0 }) ?? true {
      var lower = MagnitudeInterval.Bound(digits: .zero, isExclusive: true)
      if let maximum, maximum < 0 {
        lower = .init(
          digits: DigitText(magnitudeOf: maximum), isExclusive: bounds.isMaximumExclusive)
      }
      let upper = minimum.map {
        MagnitudeInterval.Bound(
          digits: DigitText(magnitudeOf: $0), isExclusive: bounds.isMinimumExclusive)
      }
      if let state = start(MagnitudeInterval(lower: lower, upper: upper), &self) {
        edges.append(GrammarEdge(0x2D, state))
      }
    }
    return state(edges)
  }

  private mutating func number(
    _ progress: NumberProgress, _ memo: inout [NumberProgress.Key: UInt32?]
  ) -> UInt32? {
    let key = progress.key
    if let state = memo[key] { return state }
    let resolved = progress.resolved
    var edges: [GrammarEdge] = []
    var before: UInt32?
    for digit in progress.nextDigits {
      // Between the digits of the bounds all digits lead to the same.
      let isLikeBefore = digit > 0 && !progress.isSpecial(digit) && !progress.isSpecial(digit - 1)
      let target = isLikeBefore ? before : number(progress.appending(digit), &memo)
      if let target { edges.append(GrammarEdge(0x30 + digit, target)) }
      before = target
    }
    if !progress.isFraction, progress.position > 0, progress.fractionLimit > 0, let resolved,
      let target = number(resolved, &memo)
    {
      edges.append(GrammarEdge(0x2E, target))
    }
    let result = state(edges, isFinal: progress.position > 0 && (resolved?.isWithin ?? false))
    memo[key] = result
    return result
  }
}

extension NumberProgress {
  /// The digits that the notation allows next.
  var nextDigits: Range<UInt8> {
    let limit = isFraction ? fractionLimit : startsWithZero ? 1 : wholeLimit
    return position < limit ? 0..<10 : 0..<0
  }

  /// Whether this digit may lead elsewhere than its neighbours: a first zero, or the digit that
  /// a bound has here while it is still equal.
  func isSpecial(_ digit: UInt8) -> Bool {
    if !isFraction, position == 0, digit == 0 { return true }
    func isNext(_ sign: Int, in bound: DigitText) -> Bool {
      let digits = isFraction ? bound.fraction : bound.whole
      return sign == 0 && digit == (position < digits.count ? digits[position] : 0)
    }
    if isNext(againstLower, in: interval.lower.digits) { return true }
    return interval.upper.map { isNext(againstUpper, in: $0.digits) } ?? false
  }

  func appending(_ digit: UInt8) -> NumberProgress {
    var next = self
    next.againstLower = compared(againstLower, digit, with: interval.lower.digits)
    if let upper = interval.upper {
      next.againstUpper = compared(againstUpper, digit, with: upper.digits)
    }
    if !isFraction, position == 0, digit == 0 { next.startsWithZero = true }
    next.position += 1
    // Where the bounds no longer matter, numbers of any digits go on alike.
    if isFraction, next.againstLower > 0, next.againstUpper < 0 || interval.upper == nil {
      next.interval.upper = nil
      next.againstUpper = 0
      next.isFree = true
    }
    return next
  }

  /// The same number at its point, its whole digits compared; nil when they lie outside.
  var resolved: NumberProgress? {
    if isFraction { return self }
    var next = self
    let lower = interval.lower.digits.whole.count
    next.againstLower = position == lower ? againstLower : position < lower ? -1 : 1
    if let upper = interval.upper?.digits.whole.count {
      next.againstUpper = position == upper ? againstUpper : position < upper ? -1 : 1
    }
    if next.againstLower < 0 || next.againstUpper > 0 { return nil }
    next.isFraction = true
    next.position = 0
    return next
  }

  /// Whether a number that ends here lies within the bounds. Only after ``resolved``.
  var isWithin: Bool {
    if againstLower < 0 || againstUpper > 0 { return false }
    if againstLower == 0 {
      let isBelow = interval.lower.digits.fraction.count > position
      if isBelow || interval.lower.isExclusive { return false }
    }
    if againstUpper == 0, let upper = interval.upper {
      return upper.digits.fraction.count > position || !upper.isExclusive
    }
    return true
  }

  private func compared(_ sign: Int, _ digit: UInt8, with bound: DigitText) -> Int {
    let digits = isFraction ? bound.fraction : bound.whole
    // More whole digits than the bound has are settled by their number.
    if sign != 0 || (!isFraction && position >= digits.count) { return sign }
    let other = position < digits.count ? digits[position] : 0
    return digit == other ? 0 : digit < other ? -1 : 1
  }
}
