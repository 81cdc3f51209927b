/// The bounds of a string's length, and what they mean for the states of its automaton.
///
/// A string is alive at a state while some continuation has a length that is still wanted. Which
/// lengths a state's continuations have is found by going backwards from the end, one character
/// at a time:
///
///     characters left   0: the states before the closing quote
///                       1: the states one character before those
///                       2: …            until a round finds the same states as the one before
///
/// so neither memory nor time depends on the bound, only on the language.
struct TextLimits: Sendable {
  static let unlimited = UInt32.max

  /// How many entries the table of one string may have.
  private static let mostEntries = 4_000_000
  /// How many rounds are made, at least, to find out whether a language is upward.
  private static let mostRounds = 256
  private static let none = UInt32.max

  let minimum: UInt32
  let maximum: UInt32
  /// The first state of the automaton.
  let first: UInt32
  /// `bytes[k * stateCount + state]`: the least number of bytes, closing quote included, of a
  /// continuation with k characters; none where there is no such continuation.
  private let bytes: [UInt32]
  private let stateCount: Int
  /// How many rounds there are; the last one stands for all that follow.
  private let rounds: Int
  /// For each state the least number of characters of a continuation.
  private let least: [UInt32]
  /// Whether every state has continuations of all lengths from its least one up.
  let isUpward: Bool
  /// Whether from some round on nothing changes, so that the last round stands for the rest.
  private let isSettled: Bool

  /// Looks at the last automaton of a table. Nil when it is too large.
  init?(
    minimum: Int, maximum: Int, first: UInt32, classCount: Int, of table: MachineTable
  ) {
    self.minimum = UInt32(clamping: minimum)
    self.maximum = maximum == .max ? Self.unlimited : UInt32(clamping: maximum)
    self.first = first
    let count = table.states.count - Int(first)
    stateCount = count
    var targets: [[UInt32]] = []
    for local in 0..<count {
      let row = Int(table.states[Int(first) + local].row)
      targets.append(Array(Set(table.transitions[row..<row + classCount])).sorted())
    }
    let isBoundary = (0..<count).map { table.states[Int(first) + $0].isBoundary }
    // Within one character the states lie in layers, so going over them in order of their
    // distance to the next boundary settles each at once.
    let inner = (0..<count).filter { !isBoundary[$0] }
    var order: [Int] = []
    var isPlaced = isBoundary
    while order.count < inner.count {
      let ready = inner.filter { local in
        !isPlaced[local]
          && targets[local].allSatisfy { $0 < first || isPlaced[Int($0 - first)] }
      }
      if ready.isEmpty { return nil }
      for local in ready { isPlaced[local] = true }
      order += ready
    }
    order += (0..<count).filter { isBoundary[$0] }

    /// The table's next row.
    func row(after previous: [UInt32], isFirst: Bool) -> [UInt32] {
      var current = [UInt32](repeating: Self.none, count: count)
      for local in order {
        var least = Self.none
        for target in targets[local] {
          if target == MachineTable.Place.end {
            if isFirst { least = min(least, 1) }
          } else if target >= first {
            let next = Int(target - first)
            let rest = isBoundary[next] ? previous[next] : current[next]
            if rest != Self.none { least = min(least, rest + 1) }
          }
        }
        current[local] = least
      }
      return current
    }

    // There is a round for each character up to the minimum.
    if minimum > Self.mostEntries / max(1, count) { return nil }
    var all: [UInt32] = []
    var previous = [UInt32](repeating: Self.none, count: count)
    var round = 0
    var settled = false
    var latest: [Bool] = []
    var seen: Set<[Bool]> = []
    while true {
      let current = row(after: previous, isFirst: round == 0)
      all += current
      if all.count > Self.mostEntries { return nil }
      if round > minimum {
        let reached = current.map { $0 != Self.none }
        settled = reached == latest
        // The lengths of a language come back after a while, as the even ones do; without a
        // maximum that is enough to know.
        if maximum == .max, !seen.insert(reached).inserted { settled = true }
        latest = reached
      } else if round == minimum {
        latest = current.map { $0 != Self.none }
        seen.insert(latest)
      }
      previous = current
      round += 1
      if settled || round > maximum { break }
    }
    // Once two rounds reach the same states all later ones do. Most languages get there at once,
    // whatever the bounds are.
    var least = [UInt32](repeating: Self.none, count: count)
    var upward = true
    var isConstant = false
    var k = 0
    previous = []
    while upward, !isConstant {
      if k >= round, k > Self.mostRounds { upward = false }
      let current =
        k < round
        ? Array(all[k * count..<(k + 1) * count]) : row(after: previous, isFirst: k == 0)
      isConstant = k > 0
      for local in 0..<count {
        let isReached = current[local] != Self.none
        if isReached, least[local] == Self.none {
          least[local] = UInt32(k)
          isConstant = false
        }
        if !isReached, least[local] != Self.none { upward = false }
      }
      previous = current
      k += 1
    }
    self.least = least
    isUpward = upward
    bytes = all
    rounds = round
    isSettled = settled
  }

  /// Bounds for the strings of any characters, for which no table is needed.
  init(free minimum: Int, _ maximum: Int) {
    self.minimum = UInt32(clamping: minimum)
    self.maximum = maximum == .max ? Self.unlimited : UInt32(clamping: maximum)
    first = 0
    bytes = []
    stateCount = 0
    rounds = 0
    isSettled = true
    least = []
    isUpward = true
  }

  /// The least number of characters that a string in this state still needs.
  func leastCharacters(_ state: UInt32) -> UInt32 { least[Int(state - first)] }

  /// Whether these are bounds of strings of any characters.
  var isFree: Bool { stateCount == 0 }

  /// Whether a string in this state can still get a length that is wanted.
  func allows(_ state: UInt32, count: UInt32, isBoundary: Bool) -> Bool {
    if isFree {
      return isBoundary ? count <= maximum : count < maximum
    }
    let low = minimum > count ? Int(minimum - count) : 0
    if maximum != Self.unlimited, count > maximum { return false }
    let high = maximum == Self.unlimited ? rounds - 1 : Int(maximum - count)
    var index = low * stateCount + Int(state - first)
    let last = min(high, rounds - 1) * stateCount + Int(state - first)
    while index <= last {
      if bytes[index] != Self.none { return true }
      index += stateCount
    }
    return false
  }

  /// The least number of bytes that complete a string; for free ones beyond `shortest`, which the
  /// state itself needs.
  func shortest(_ state: UInt32, count: UInt32, isBoundary: Bool, own: UInt32) -> Int {
    if isFree {
      let begun: UInt32 = isBoundary ? 0 : 1
      let missing = minimum > count + begun ? minimum - count - begun : 0
      return Int(own) + Int(missing)
    }
    let least = least(state, count: count)
    return least == Self.none ? Cost.infinite.base : Int(least)
  }

  private func least(_ state: UInt32, count: UInt32) -> UInt32 {
    let low = minimum > count ? Int(minimum - count) : 0
    let high: Int
    if maximum == Self.unlimited {
      high = rounds - 1
    } else if count > maximum {
      return Self.none
    } else {
      high = Int(maximum - count)
    }
    let local = Int(state - first)
    var result = Self.none
    var round = low
    while round <= min(high, rounds - 1) {
      result = min(result, bytes[round * stateCount + local])
      round += 1
    }
    return result
  }

  /// The count after one more character: beyond the minimum it matters only with a maximum.
  func advanced(_ count: UInt32) -> UInt32 {
    maximum == Self.unlimited ? min(count + 1, minimum) : count + 1
  }

  /// A count from which any `reach` bytes are allowed or forbidden exactly as from `count`.
  func canonical(_ count: UInt32, reach: Int) -> UInt32 {
    let span = reach + 2 + rounds
    if maximum != Self.unlimited, Int(maximum) - Int(count) <= span { return count }
    if count >= minimum { return minimum }
    return Int(minimum) - Int(count) >= span && isFree ? 0 : count
  }
}
