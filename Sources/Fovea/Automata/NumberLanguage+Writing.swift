extension NumberLanguage {
  /// The most digits of a number without a fraction, if no bound has more.
  private static let wholeDigits = 38
  /// The most digits before the point of a number with a fraction.
  private static let pointedDigits = 20
  /// The most digits after the point.
  private static let fractionDigits = 17
  /// How many states the digits may cost.
  private static let mostWrittenStates = 12_000
  /// A language with more numbers than this keeps all their spellings.
  private static let fewValues = 4_096

  /// What a model should write of a language: whole numbers without a fraction where the language
  /// has nothing else, and one spelling of each number where it has few of them; otherwise all
  /// spellings. In any case a finite language, with the digits that ``NumberLanguage`` tells.
  package static func written(_ language: DFA) throws(AutomatonTooLarge) -> DFA {
    if language == all { return try writtenAll.get() }
    if language == integers { return try writtenIntegers.get() }
    return try limited(language)
  }

  private static let writtenAll = Result { () throws(AutomatonTooLarge) in try limited(all) }
  private static let writtenIntegers = Result { () throws(AutomatonTooLarge) in
    try limited(integers)
  }

  private static func limited(_ language: DFA) throws(AutomatonTooLarge) -> DFA {
    if language.isEmpty { return language }
    let canonical = try canonical(language)
    if canonical.wordCounts(limit: fewValues + 1)[Int(canonical.start)] <= fewValues {
      return canonical
    }
    let need = DigitNeed(canonical: canonical)
    if !need.hasFractions, !need.isEndless { return canonical }
    // Each digit that is counted costs the states of the loops again.
    let affordable = mostWrittenStates / max(1, need.loopStates)
    if affordable < leastLimit { throw AutomatonTooLarge(limit: mostWrittenStates) }
    let notation = try notation(
      whole: max(need.whole, min(wholeDigits, affordable)),
      pointed: max(need.whole, min(pointedDigits, affordable)),
      fraction: need.places ?? max(need.fraction, min(fractionDigits, affordable)))
    return try (need.hasFractions ? language : canonical).intersection(notation)
  }

  /// The texts with at most so many digits.
  private static func notation(
    whole: Int, pointed: Int, fraction: Int
  ) throws(AutomatonTooLarge) -> DFA {
    var table = NumberTable()
    var next = try table.add(accepts: true)
    for count in (0..<fraction).reversed() {
      let state = try table.add(accepts: count > 0)
      table.connect(state, 0...9, to: next)
      next = state
    }
    let point = next
    next = DFA.dead
    for count in (1...whole).reversed() {
      let state = try table.add(accepts: true)
      table.connect(state, 0...9, to: next)
      if count <= pointed { table[state, NumberTable.point] = point }
      next = state
    }
    let zero = try table.add(accepts: true)
    table[zero, NumberTable.point] = point
    let entry = try table.add(accepts: false)
    table.connect(entry, 0...0, to: zero)
    table.connect(entry, 1...9, to: next)
    return table.finish(positive: entry, negative: entry)
  }
}

/// How many digits a language needs, seen from the automaton of its canonical spellings: so many
/// as can be read before only loops are left, in which every further digit leads to what was
/// there before.
///
///     0 … 999    ─▶ ○ ─▶ ○ ─▶ ○            3 digits, then none
///     1000 …     ─▶ ○ ─▶ ○ ─▶ ○ ─▶ ○ ─▶ ◎⟲  5 digits, then any
private struct DigitNeed {
  /// Digits before the point.
  private(set) var whole = 0
  /// Digits after the point.
  private(set) var fraction = 0
  /// The most digits that a fraction can need, if there is such a number and it is not too large:
  /// 2 for prices.
  private(set) var places: Int?
  /// Whether some number is not whole.
  private(set) var hasFractions = false
  /// Whether there is no longest number before the point, or a longer one than is written.
  private(set) var isEndless = false
  /// How many states lie on loops.
  private(set) var loopStates = 0

  init(canonical language: DFA) {
    let start = language.start
    let minus = language.next(start, UInt8(ascii: "-"))
    let points = Set(
      (1..<DFA.State(language.stateCount)).map { language.next($0, UInt8(ascii: ".")) }
    ).subtracting([DFA.dead])
    hasFractions = !points.isEmpty
    var fractions = DigitDepths(language)
    for point in points { fraction = max(fraction, fractions.depth(of: point)) }
    var wholes = DigitDepths(language)
    for state in [start, minus] where state != DFA.dead {
      whole = max(whole, wholes.depth(of: state))
    }
    let most = NumberLanguage.mostExtendedDigits
    isEndless = wholes.loopStates > 0 || whole > most
    loopStates = wholes.loopStates + fractions.loopStates
    if fractions.loopStates == 0, fraction <= most { places = fraction }
    // One more, since what is left after a bound's last digit may be only its zeros.
    fraction += 1
    if whole > most { whole = 0 }
    if fraction > most { fraction = 0 }
    addShortest(language)
  }

  /// The digits of the shortest number, so that there is always something to write.
  private mutating func addShortest(_ language: DFA) {
    let lengths = language.shortestCompletions
    var state = language.start
    var digits = [0, 0]
    var part = 0
    while lengths[Int(state)] > 0 {
      let byte = "0123456789.-".utf8.first { byte in
        let next = language.next(state, byte)
        return next != DFA.dead && lengths[Int(next)] < lengths[Int(state)]
      }
      guard let byte else { break }
      state = language.next(state, byte)
      if byte == UInt8(ascii: ".") { part = 1 }
      if byte >= UInt8(ascii: "0") { digits[part] += 1 }
    }
    whole = max(whole, digits[0])
    fraction = max(fraction, digits[1])
  }
}
