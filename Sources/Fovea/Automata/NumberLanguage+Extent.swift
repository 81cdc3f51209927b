extension NumberLanguage {
  /// The least number of a language, for messages: an exclusive bound where there is no least one,
  /// and nil where nothing bounds the numbers below, or there are none.
  package static func least(_ language: DFA) throws(AutomatonTooLarge) -> Bound? {
    let walk = ExtentWalk(canonical: try canonical(language))
    return walk.negative == DFA.dead ? walk.nearest() : walk.farthest(isNegative: true)
  }

  /// The greatest number of a language, as ``least(_:)``.
  package static func greatest(_ language: DFA) throws(AutomatonTooLarge) -> Bound? {
    let walk = ExtentWalk(canonical: try canonical(language))
    return walk.positive == DFA.dead ? walk.nearest() : walk.farthest(isNegative: false)
  }
}

/// Finds the ends of a language by a walk over its canonical spellings.
///
///     farthest from zero   as many digits before the point as there can be, always the greatest
///     nearest to zero      as few as there can be, always the least
///
/// A walk that comes back to where it was goes on like this for ever: after `1.4` with nines
/// towards 1.5, which is no number of the language.
private struct ExtentWalk {
  private let language: DFA
  /// The states in which numbers of each sign begin; dead when there are none.
  let positive: DFA.State
  let negative: DFA.State

  init(canonical language: DFA) {
    self.language = language
    negative = language.next(language.start, UInt8(ascii: "-"))
    let hasPositive = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains {
      language.next(language.start, $0) != DFA.dead
    }
    positive = hasPositive ? language.start : DFA.dead
  }

  /// The end of one side of zero that lies away from it; nil when there is none.
  func farthest(isNegative: Bool) -> NumberLanguage.Bound? {
    var depths = DigitDepths(language)
    var state = isNegative ? negative : positive
    var left = depths.depth(of: state)
    if depths.loopStates > 0 { return nil }
    var whole: [UInt8] = []
    while left > 0 {
      left -= 1
      let next = steps(from: state).last { depths.depth(of: $0.state) == left }
      guard let next else { return nil }
      whole.append(next.digit)
      state = next.state
    }
    var fraction: [UInt8] = []
    var seen: [DFA.State: Int] = [:]
    state = language.next(state, UInt8(ascii: "."))
    while let next = steps(from: state).last {
      if let first = seen.updateValue(fraction.count, forKey: state) {
        guard fraction[first...].allSatisfy({ $0 == 9 }) else { return nil }
        fraction.removeSubrange(first...)
        Self.increment(&whole, &fraction)
        return bound(whole, fraction, isNegative: isNegative, isExclusive: true)
      }
      fraction.append(next.digit)
      state = next.state
    }
    return bound(whole, fraction, isNegative: isNegative, isExclusive: false)
  }

  /// The end next to zero of the one side that there is.
  func nearest() -> NumberLanguage.Bound? {
    let isNegative = positive == DFA.dead
    let entry = isNegative ? negative : positive
    if entry == DFA.dead { return nil }
    // Breadth first and least digits first, so the first number to end is the smallest.
    var queue: [(state: DFA.State, whole: [UInt8])] = [(entry, [])]
    var seen: Set<DFA.State> = []
    var position = 0
    while position < queue.count {
      let (state, whole) = queue[position]
      position += 1
      if !whole.isEmpty {
        if language.labels[Int(state)] != 0 {
          return bound(whole, [], isNegative: isNegative, isExclusive: false)
        }
        let point = language.next(state, UInt8(ascii: "."))
        if point != DFA.dead { return nearest(whole, point, isNegative: isNegative) }
      }
      for next in steps(from: state) where seen.insert(next.state).inserted {
        queue.append((next.state, whole + [next.digit]))
      }
    }
    return nil
  }

  private func nearest(
    _ whole: [UInt8], _ point: DFA.State, isNegative: Bool
  ) -> NumberLanguage.Bound? {
    var state = point
    var fraction: [UInt8] = []
    var seen: [DFA.State: Int] = [:]
    while language.labels[Int(state)] == 0, let next = steps(from: state).first {
      if let first = seen.updateValue(fraction.count, forKey: state) {
        guard fraction[first...].allSatisfy({ $0 == 0 }) else { return nil }
        return bound(whole, fraction, isNegative: isNegative, isExclusive: true)
      }
      fraction.append(next.digit)
      state = next.state
    }
    return bound(whole, fraction, isNegative: isNegative, isExclusive: false)
  }

  /// The digits that may follow, in ascending order.
  private func steps(from state: DFA.State) -> [(digit: UInt8, state: DFA.State)] {
    (0..<UInt8(10)).compactMap { digit in
      let next = language.next(state, UInt8(ascii: "0") + digit)
      return next == DFA.dead ? nil : (digit, next)
    }
  }

  private func bound(
    _ whole: [UInt8], _ fraction: [UInt8], isNegative: Bool, isExclusive: Bool
  ) -> NumberLanguage.Bound {
    NumberLanguage.Bound(
      ExactNumber(isNegative: isNegative, whole: whole, fraction: fraction),
      isExclusive: isExclusive)
  }

  /// Adds one to the last digit.
  private static func increment(_ whole: inout [UInt8], _ fraction: inout [UInt8]) {
    for index in fraction.indices.reversed() {
      fraction[index] = (fraction[index] + 1) % 10
      if fraction[index] != 0 { return }
    }
    for index in whole.indices.reversed() {
      whole[index] = (whole[index] + 1) % 10
      if whole[index] != 0 { return }
    }
    whole.insert(1, at: 0)
  }
}
