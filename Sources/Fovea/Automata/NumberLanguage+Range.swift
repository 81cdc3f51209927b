extension NumberLanguage {
  /// The numbers between two bounds; nil: no bound.
  ///
  /// - Throws: when a bound has more than ``mostDigits`` digits.
  package static func range(
    minimum: Bound?, maximum: Bound?
  ) throws(AutomatonTooLarge) -> DFA {
    if minimum == nil, maximum == nil { return all }
    for (ends, language) in usual where ends.low == minimum?.value && ends.high == maximum?.value {
      if minimum?.isExclusive == false, maximum?.isExclusive == false { return try language.get() }
    }
    return try range(from: minimum, to: maximum)
  }

  /// The ranges of Swift's wide integers, which many types ask for.
  private static let usual: [(ends: Ends, language: Result<DFA, AutomatonTooLarge>)] = [
    Ends("-9223372036854775808", "9223372036854775807"), Ends("0", "18446744073709551615"),
    Ends("-2147483648", "2147483647"), Ends("0", "4294967295"),
  ].map { ends in
    let language = Result { () throws(AutomatonTooLarge) in
      try range(from: ends.low.map { Bound($0) }, to: ends.high.map { Bound($0) })
    }
    return (ends, language)
  }

  private struct Ends {
    let low: ExactNumber?
    let high: ExactNumber?

    init(_ low: String, _ high: String) {
      self.low = ExactNumber(low)
      self.high = ExactNumber(high)
    }
  }

  private static func range(
    from minimum: Bound?, to maximum: Bound?
  ) throws(AutomatonTooLarge) -> DFA {
    if let minimum, let maximum {
      if maximum.value < minimum.value { return .empty }
      let isOpen = minimum.isExclusive || maximum.isExclusive
      if maximum.value == minimum.value, isOpen { return .empty }
    }
    var table = NumberTable()
    // Zero has both signs, so both sides of zero may reach to it.
    let positive = try side(from: minimum, to: maximum, &table)
    let negative = try side(
      from: maximum.map { Bound(-$0.value, isExclusive: $0.isExclusive) },
      to: minimum.map { Bound(-$0.value, isExclusive: $0.isExclusive) }, &table)
    return table.finish(positive: positive, negative: negative)
  }

  /// The state in which the magnitude of a number from zero on begins; dead when there is none.
  private static func side(
    from minimum: Bound?, to maximum: Bound?, _ table: inout NumberTable
  ) throws(AutomatonTooLarge) -> DFA.State {
    if let maximum, maximum.value.isNegative { return DFA.dead }
    var lower = MagnitudeBound.zero
    if let minimum, !minimum.value.isNegative { lower = try MagnitudeBound(minimum) }
    let upper = try maximum.map { bound throws(AutomatonTooLarge) in try MagnitudeBound(bound) }
    var interval = DigitInterval(lower: lower, upper: upper)
    return try interval.build(&table)
  }
}

/// The digits of a bound's magnitude.
private struct MagnitudeBound {
  /// Digits before the point, no leading zeros, at least one.
  var whole: [UInt8]
  /// Digits after the point, no zeros at the end.
  var fraction: [UInt8]
  var isExclusive: Bool

  static let zero = MagnitudeBound(whole: [0], fraction: [], isExclusive: false)

  init(whole: [UInt8], fraction: [UInt8], isExclusive: Bool) {
    self.whole = whole
    self.fraction = fraction
    self.isExclusive = isExclusive
  }

  init(_ bound: NumberLanguage.Bound) throws(AutomatonTooLarge) {
    (whole, fraction) = try bound.value.plainDigits(limit: NumberLanguage.mostDigits)
    isExclusive = bound.isExclusive
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
private struct DigitInterval {
  let lower: MagnitudeBound
  let upper: MagnitudeBound?
  /// From so many digits on the position no longer matters, before the point and after it.
  private let wholeLimit: Int
  private let fractionLimit: Int
  /// The table's states by ``Progress/index``; 0 while there is none.
  private var known: [DFA.State] = []
  private var pending: [Progress] = []

  /// What is known about a number that is being written.
  private struct Progress {
    /// How many digits there are before the point, or after it.
    var position = 0
    var isFraction = false
    /// The digits so far against those of the bounds: -1, 0 or 1.
    var againstLower = 0
    var againstUpper = 0
    /// A first zero, which no other digit may follow.
    var isZero = false

    var index: Int {
      let signs = (againstLower + 1) * 3 + againstUpper + 1
      return ((position * 2 + (isFraction ? 1 : 0)) * 2 + (isZero ? 1 : 0)) * 9 + signs
    }
  }

  init(lower: MagnitudeBound, upper: MagnitudeBound?) {
    self.lower = lower
    self.upper = upper
    wholeLimit = max(lower.whole.count, upper?.whole.count ?? 0) + 1
    fractionLimit = max(1, lower.fraction.count, upper?.fraction.count ?? 0)
    let most = Progress(
      position: max(wholeLimit, fractionLimit), isFraction: true, againstLower: 1, againstUpper: 1,
      isZero: true)
    known = [DFA.State](repeating: 0, count: most.index + 1)
  }

  /// The state in which the magnitudes begin.
  mutating func build(_ table: inout NumberTable) throws(AutomatonTooLarge) -> DFA.State {
    let entry = try state(Progress(), &table)
    while let progress = pending.popLast() {
      let here = known[progress.index]
      if progress.isFraction || !progress.isZero {
        var before = DFA.dead
        for digit in 0..<UInt8(10) {
          // Between the digits of the bounds all digits lead to the same.
          let isLikeBefore =
            digit > 0 && !isSpecial(digit, after: progress)
            && !isSpecial(digit - 1, after: progress)
          if !isLikeBefore {
            let next = appending(digit, to: progress)
            before = if let next { try state(next, &table) } else { DFA.dead }
          }
          table[here, NumberTable.zero + Int(digit)] = before
        }
      }
      if !progress.isFraction, progress.position > 0, let resolved = resolved(progress) {
        table[here, NumberTable.point] = try state(resolved, &table)
      }
    }
    return entry
  }

  private mutating func state(
    _ progress: Progress, _ table: inout NumberTable
  ) throws(AutomatonTooLarge) -> DFA.State {
    let index = progress.index
    if known[index] != 0 { return known[index] }
    let accepts = progress.position > 0 && (resolved(progress).map(isWithin) ?? false)
    let fresh = try table.add(accepts: accepts)
    known[index] = fresh
    pending.append(progress)
    return fresh
  }

  /// Whether this digit may lead elsewhere than its neighbours: a first zero, or the digit that
  /// a bound has here while it is still equal.
  private func isSpecial(_ digit: UInt8, after progress: Progress) -> Bool {
    if !progress.isFraction, progress.position == 0, digit == 0 { return true }
    func isNext(_ sign: Int, in bound: MagnitudeBound) -> Bool {
      let digits = progress.isFraction ? bound.fraction : bound.whole
      return sign == 0
        && digit == (progress.position < digits.count ? digits[progress.position] : 0)
    }
    if isNext(progress.againstLower, in: lower) { return true }
    return upper.map { isNext(progress.againstUpper, in: $0) } ?? false
  }

  /// What is known after one more digit; nil when the number has left the interval for good.
  private func appending(_ digit: UInt8, to progress: Progress) -> Progress? {
    var next = progress
    func compared(_ sign: Int, with bound: MagnitudeBound) -> Int {
      let digits = progress.isFraction ? bound.fraction : bound.whole
      // More whole digits than the bound has are settled by their number.
      if sign != 0 || (!progress.isFraction && progress.position >= digits.count) { return sign }
      let other = progress.position < digits.count ? digits[progress.position] : 0
      return digit == other ? 0 : digit < other ? -1 : 1
    }
    next.againstLower = compared(progress.againstLower, with: lower)
    if let upper { next.againstUpper = compared(progress.againstUpper, with: upper) }
    next.position = min(
      progress.position + 1, progress.isFraction ? fractionLimit : wholeLimit)
    if progress.isFraction {
      if next.againstLower < 0 || next.againstUpper > 0 { return nil }
      // Where both bounds are settled, numbers of any digits go on alike.
      if next.againstLower > 0, next.againstUpper < 0 || upper == nil {
        next.position = fractionLimit
      }
    } else {
      if let upper, next.position > upper.whole.count { return nil }
      if next.position > lower.whole.count { next.againstLower = 1 }
      if progress.position == 0, digit == 0 { next.isZero = true }
    }
    return next
  }

  /// The same number at its point, its whole digits compared; nil when they lie outside.
  private func resolved(_ progress: Progress) -> Progress? {
    if progress.isFraction { return progress }
    func settled(_ sign: Int, by bound: MagnitudeBound) -> Int {
      let count = bound.whole.count
      return progress.position == count ? sign : progress.position < count ? -1 : 1
    }
    var next = Progress()
    next.isFraction = true
    next.againstLower = settled(progress.againstLower, by: lower)
    if let upper { next.againstUpper = settled(progress.againstUpper, by: upper) }
    return next.againstLower < 0 || next.againstUpper > 0 ? nil : next
  }

  /// Whether a number that ends here lies within the bounds. Only after ``resolved(_:)``.
  private func isWithin(_ progress: Progress) -> Bool {
    if progress.againstLower == 0 {
      // A position at its limit stands for all later ones, and the bounds end before them.
      if lower.fraction.count > progress.position || lower.isExclusive { return false }
    }
    if progress.againstUpper == 0, let upper {
      return upper.fraction.count > progress.position || !upper.isExclusive
    }
    return true
  }
}
