extension GrammarBuilder {
  /// A state that reads text of this format, quotes included. Nothing in it may be escaped.
  ///
  /// - `date`: years 0001 to 9999 of the Gregorian calendar, only days that exist.
  /// - `time`: hours 00 to 23, seconds 00 to 59 (no leap second, which few readers accept),
  ///   a fraction of one to nine digits if any, then `Z` or an offset up to ±23:59.
  /// - `date-time`: a date, `T`, and such a time.
  mutating func format(_ format: Schema.Format) -> UInt32 {
    let quote = literal([0x22], then: GrammarState.end)
    let inside =
      switch format {
      case .date: date(then: quote)
      case .time: time(then: quote)
      case .dateTime: date(then: literal([0x54], then: time(then: quote)))
      }
    return literal([0x22], then: inside)
  }

  private mutating func date(then next: UInt32) -> UInt32 {
    let common = monthAndDay(isLeap: false, then: next)
    let leap = monthAndDay(isLeap: true, then: next)
    // The last two digits decide, except that 00 leaves it to the first two.
    let oddTens = digits(of: 0...9) { $0 % 4 == 2 ? leap : common }
    let evenTens = digits(of: 0...9) { $0 % 4 == 0 ? leap : common }
    func lastTwo(century: UInt32?) -> (inout GrammarBuilder) -> UInt32 {
      { builder in
        let zeroTens = builder.digits(of: 0...9) { digit in
          digit == 0 ? century : digit % 4 == 0 ? leap : common
        }
        return builder.digits(of: 0...9) { $0 == 0 ? zeroTens : $0 % 2 == 0 ? evenTens : oddTens }
      }
    }
    let afterCommonCentury = lastTwo(century: common)(&self)
    let afterLeapCentury = lastTwo(century: leap)(&self)
    let afterZeroCentury = lastTwo(century: nil)(&self)
    func second(_ builder: inout GrammarBuilder, tens: Int) -> UInt32 {
      builder.digits(of: 0...9) { ones in
        let century = tens * 10 + ones
        if century == 0 { return afterZeroCentury }
        return century % 4 == 0 ? afterLeapCentury : afterCommonCentury
      }
    }
    // Of the first digit only zero and the parity matter.
    let byTens = [0, 1, 2].map { second(&self, tens: $0) }
    return digits(of: 0...9) { $0 == 0 ? byTens[0] : byTens[$0 % 2 == 0 ? 2 : 1] }
  }

  private mutating func monthAndDay(isLeap: Bool, then next: UInt32) -> UInt32 {
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // Months of equal length are one automaton; making it once is enough.
    var byLength: [Int: UInt32] = [:]
    for length in Set(lengths).sorted() {
      byLength[length] = literal([0x2D], then: twoDigits(1...length, then: next))
    }
    let low = digits(of: 1...9) { byLength[lengths[$0 - 1]] }
    let high = digits(of: 0...2) { byLength[lengths[$0 + 9]] }
    return literal([0x2D], then: digits(of: 0...1) { $0 == 0 ? low : high })
  }

  private mutating func time(then next: UInt32) -> UInt32 {
    let colon: [UInt8] = [0x3A]
    let offset = twoDigits(0...23, then: literal(colon, then: twoDigits(0...59, then: next)))
    let zone = [GrammarEdge(0x5A, next), GrammarEdge(0x2B, offset), GrammarEdge(0x2D, offset)]
    var fraction = add(Draft(edges: zone))
    for _ in 0..<8 { fraction = add(Draft(edges: zone + [GrammarEdge(0x30, 0x39, fraction)])) }
    let firstOfFraction = digits(of: 0...9) { _ in fraction }
    let afterSeconds = add(Draft(edges: zone + [GrammarEdge(0x2E, firstOfFraction)]))
    let seconds = literal(colon, then: twoDigits(0...59, then: afterSeconds))
    let minutes = literal(colon, then: twoDigits(0...59, then: seconds))
    return twoDigits(0...23, then: minutes)
  }

  /// Two digits whose number lies in `range`.
  private mutating func twoDigits(_ range: ClosedRange<Int>, then next: UInt32) -> UInt32 {
    let ones = (0...9).map { tens -> UInt32? in
      let low = max(range.lowerBound, tens * 10)
      let high = min(range.upperBound, tens * 10 + 9)
      return low > high ? nil : digits(of: low % 10...high % 10) { _ in next }
    }
    return digits(of: 0...9) { ones[$0] }
  }

  /// One digit of `range`; nil forbids it. At least one digit must be allowed.
  private mutating func digits(
    of range: ClosedRange<Int>, _ target: (Int) -> UInt32?
  ) -> UInt32 {
    add(
      Draft(
        edges: range.compactMap { digit in
          target(digit).map { GrammarEdge(0x30 + UInt8(digit), $0) }
        }))
  }
}
