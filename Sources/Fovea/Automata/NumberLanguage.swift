/// Languages of numbers, as automata over their JSON text.
///
/// The notation: `-?(0|[1-9][0-9]*)(\.[0-9]+)?`, without exponent. A language is always a set of
/// *values*: it has either all spellings of a number in this notation (`1.5`, `1.50`, `1.500` …;
/// `0`, `-0`, `0.0`) or none. Therefore intersection, union and difference of such automata are
/// those of the values:
///
///     let prices = try NumberLanguage.multiples(of: cent)
///       .intersection(NumberLanguage.range(minimum: .init(zero), maximum: nil))
///
/// How many digits a number has is not limited here: a limit would make "not a whole number" a
/// set that has the long whole numbers. What a model writes must end, so ``written(_:)`` limits
/// the digits, as the last step:
/// - 38 digits when there is no fraction, or 20 before the point and 17 after it: what `Decimal`
///   holds exactly, and enough for every `Double` that is written plainly;
/// - where a bound or a step has more digits, but not more than ``mostExtendedDigits``, as many;
/// - after the point not more than any number of the language needs: 2 for multiples of 0.01;
/// - fewer, but at least ``leastLimit``, where a step of several hundreds would make the automaton
///   large; then throws, for steps of several thousands;
/// - at any rate as many as the shortest number of the language needs.
///
/// Bounds, steps and values with more than ``mostDigits`` digits before the point or after it
/// are refused. `1e308` and `1e-400` have fewer.
package enum NumberLanguage {
  /// A bound of a range.
  package struct Bound: Sendable, Hashable {
    /// The value.
    package var value: ExactNumber
    /// Whether the value itself is left out.
    package var isExclusive: Bool

    /// Makes a bound.
    package init(_ value: ExactNumber, isExclusive: Bool = false) {
      self.value = value
      self.isExclusive = isExclusive
    }
  }

  /// The most digits before the point, or after it, of a number that a language is made of.
  package static let mostDigits = 1_024

  /// The most digits to which a bound extends what a model may write.
  package static let mostExtendedDigits = 64

  /// The least to which the digits before the point are limited.
  package static let leastLimit = 12

  /// All numbers.
  package static let all = simple { table throws(AutomatonTooLarge) in
    let fraction = try table.add(accepts: true)
    table.connect(fraction, 0...9, to: fraction)
    return fraction
  }

  /// All whole numbers, `1.0` included.
  package static let integers = simple { table throws(AutomatonTooLarge) in
    let zeros = try table.add(accepts: true)
    table.connect(zeros, 0...0, to: zeros)
    return zeros
  }

  /// One spelling of each number: no zeros at the end of a fraction, no `-0`.
  package static func canonical(_ language: DFA) throws(AutomatonTooLarge) -> DFA {
    try language.intersection(canonicalNotation)
  }

  /// Whether a language has a number, whatever its notation. This is exact for every number,
  /// also for `1e1000000000`, whose zeros are counted instead of read.
  package static func contains(_ language: DFA, _ value: ExactNumber) -> Bool {
    var state = language.start
    if value.isNegative { state = language.next(state, UInt8(ascii: "-")) }
    func read(_ digits: some Sequence<UInt8>) {
      for digit in digits { state = language.next(state, UInt8(ascii: "0") + digit) }
    }
    if value.scale <= 0 {
      read(CollectionOfOne(0))
    } else {
      read(value.digits.prefix(value.scale))
      skipZeros(value.scale - value.digits.count, from: &state, in: language)
    }
    if !value.isInteger {
      state = language.next(state, UInt8(ascii: "."))
      skipZeros(-value.scale, from: &state, in: language)
      read(value.digits.dropFirst(max(0, value.scale)))
    }
    return language.labels[Int(state)] != 0
  }

  /// Reads so many zeros; none when the count is negative.
  private static func skipZeros(_ count: Int, from state: inout DFA.State, in language: DFA) {
    var rest = count
    // Within as many steps as there are states the walk is in a loop, if it is ever to be.
    var steps = min(rest, language.stateCount)
    while steps > 0 {
      state = language.next(state, UInt8(ascii: "0"))
      steps -= 1
      rest -= 1
    }
    if rest <= 0 { return }
    let first = state
    var length = 0
    repeat {
      state = language.next(state, UInt8(ascii: "0"))
      length += 1
    } while state != first
    for _ in 0..<rest % length { state = language.next(state, UInt8(ascii: "0")) }
  }

  /// A language in which only the fraction is special: `fraction` makes the states that read what
  /// follows the point and returns the first digit's.
  private static func simple(
    _ fraction: (inout NumberTable) throws(AutomatonTooLarge) -> DFA.State
  ) -> DFA {
    do throws(AutomatonTooLarge) {
      var table = NumberTable()
      let first = try fraction(&table)
      let point = try table.add(accepts: false)
      for column in NumberTable.zero..<NumberTable.width {
        table[point, column] = table[first, column]
      }
      let whole = try table.add(accepts: true)
      table.connect(whole, 0...9, to: whole)
      table[whole, NumberTable.point] = point
      let zero = try table.add(accepts: true)
      table[zero, NumberTable.point] = point
      let entry = try table.add(accepts: false)
      table.connect(entry, 0...0, to: zero)
      table.connect(entry, 1...9, to: whole)
      return table.finish(positive: entry, negative: entry)
    } catch {
      // A handful of states is never too many.
      return .empty
    }
  }

  private static let canonicalNotation: DFA = {
    do throws(AutomatonTooLarge) {
      var table = NumberTable()
      let digits = try table.add(accepts: true)
      let zeros = try table.add(accepts: false)
      for state in [digits, zeros] {
        table.connect(state, 0...0, to: zeros)
        table.connect(state, 1...9, to: digits)
      }
      let whole = try table.add(accepts: true)
      table.connect(whole, 0...9, to: whole)
      table[whole, NumberTable.point] = zeros
      let positive = try table.add(accepts: false)
      let negative = try table.add(accepts: false)
      for (entry, acceptsZero) in [(positive, true), (negative, false)] {
        let zero = try table.add(accepts: acceptsZero)
        table[zero, NumberTable.point] = zeros
        table.connect(entry, 0...0, to: zero)
        table.connect(entry, 1...9, to: whole)
      }
      return table.finish(positive: positive, negative: negative)
    } catch {
      return .empty
    }
  }()
}
