extension NumberLanguage {
  /// The most states that the multiples of a number may need. Steps with factors of 2 and 5 need
  /// far fewer than their value: 10 for 1,000, and 165 for 1,024.
  private static let mostRemainders = 10_000

  /// The multiples of a number, zero among them.
  ///
  /// The step is `factor · 10^exponent`, where the factor ends in no zero. An automaton reads a
  /// number's digits and keeps the remainder by the factor, so powers of ten cost next to nothing.
  ///
  /// - Throws: when the factor is beyond some thousands, for example for 0.123456789.
  package static func multiples(of divisor: ExactNumber) throws(AutomatonTooLarge) -> DFA {
    if divisor.digits.isEmpty { return try values([divisor]) }
    var factor = 0
    for digit in divisor.digits {
      factor = factor * 10 + Int(digit)
      if factor > mostRemainders { throw AutomatonTooLarge(limit: mostRemainders) }
    }
    let exponent = divisor.scale - divisor.digits.count
    if abs(exponent) > mostDigits { throw AutomatonTooLarge(limit: mostDigits) }
    if factor == 1, exponent == 0 { return integers }
    return exponent >= 0
      ? try wholeMultiples(factor, zeros: exponent)
      : try decimalMultiples(factor, places: -exponent)
  }

  /// The multiples of `factor · 10^zeros`.
  ///
  /// A number is one when its digits are a multiple of the factor and so many zeros. States:
  /// the remainders but 0, and for the remainder 0 how many zeros followed since.
  private static func wholeMultiples(
    _ factor: Int, zeros: Int
  ) throws(AutomatonTooLarge) -> DFA {
    var table = NumberTable()
    let fraction = try table.add(accepts: true)
    table.connect(fraction, 0...0, to: fraction)
    let point = try table.add(accepts: false)
    table.connect(point, 0...0, to: fraction)
    var remainders: [DFA.State] = []
    var run: [DFA.State] = []
    for count in 0...zeros { run.append(try table.add(accepts: count == zeros)) }
    remainders.append(run[0])
    for _ in 1..<max(1, factor) { remainders.append(try table.add(accepts: false)) }
    table[run[zeros], NumberTable.point] = point
    for remainder in 1..<max(1, factor) {
      for digit in 0..<10 {
        table[remainders[remainder], NumberTable.zero + digit] =
          remainders[(remainder * 10 + digit) % factor]
      }
    }
    let entry = try table.add(accepts: false)
    for digit in 1..<10 {
      let next = remainders[digit % factor]
      table[entry, NumberTable.zero + digit] = next
      for state in run { table[state, NumberTable.zero + digit] = next }
    }
    for count in 0...zeros {
      table.connect(run[count], 0...0, to: run[min(zeros, count + 1)])
    }
    let zero = try table.add(accepts: true)
    table[zero, NumberTable.point] = point
    table.connect(entry, 0...0, to: zero)
    return table.finish(positive: entry, negative: entry)
  }

  /// The multiples of `factor / 10^places`.
  ///
  /// A number is one when its digits, with as many after the point as there are places, are a
  /// multiple of the factor. States: the place and the remainder of the digits so far.
  private static func decimalMultiples(
    _ factor: Int, places: Int
  ) throws(AutomatonTooLarge) -> DFA {
    if factor * (places + 1) > mostRemainders { throw AutomatonTooLarge(limit: mostRemainders) }
    var table = NumberTable()
    // From the last place to the first, since each leads to the next.
    let zeros = try table.add(accepts: true)
    table.connect(zeros, 0...0, to: zeros)
    var next: [DFA.State] = []
    var points: [DFA.State] = []
    // What the digits weigh when no more follow: 10^(places still to come).
    var weight = 1 % factor
    for place in (0...places).reversed() {
      var states: [DFA.State] = []
      for remainder in 0..<factor {
        let isMultiple = remainder * weight % factor == 0
        let state = try table.add(accepts: isMultiple && place > 0)
        if place == places {
          if isMultiple { table[state, NumberTable.zero] = zeros }
        } else {
          for digit in 0..<10 {
            table[state, NumberTable.zero + digit] = next[(remainder * 10 + digit) % factor]
          }
        }
        states.append(state)
      }
      next = states
      if place == 0 { points = states } else { weight = weight * 10 % factor }
    }
    var wholes: [DFA.State] = []
    for remainder in 0..<factor {
      let state = try table.add(accepts: remainder * weight % factor == 0)
      table[state, NumberTable.point] = points[remainder]
      wholes.append(state)
    }
    for remainder in 0..<factor {
      for digit in 0..<10 {
        table[wholes[remainder], NumberTable.zero + digit] =
          wholes[(remainder * 10 + digit) % factor]
      }
    }
    let entry = try table.add(accepts: false)
    for digit in 1..<10 { table[entry, NumberTable.zero + digit] = wholes[digit % factor] }
    let zero = try table.add(accepts: true)
    table[zero, NumberTable.point] = points[0]
    table.connect(entry, 0...0, to: zero)
    return table.finish(positive: entry, negative: entry)
  }
}
