/// The longest way over digits from a state, in which a loop counts as one state.
struct DigitDepths {
  private let language: DFA
  /// How many states were found to lie on loops.
  private(set) var loopStates = 0
  /// The depth of each state, or -1.
  private var depths: [Int]
  /// The order in which the search found each state, or -1.
  private var found: [Int]
  /// The earliest state in the order that a state's loops lead back to.
  private var lowest: [Int]
  private var count = 0
  /// States whose loop is not closed yet.
  private var open: [Int] = []

  init(_ language: DFA) {
    self.language = language
    depths = [Int](repeating: -1, count: language.stateCount)
    found = depths
    lowest = depths
  }

  /// Tarjan's search for loops, with an explicit stack: the chain of a bound can be long.
  mutating func depth(of state: DFA.State) -> Int {
    if depths[Int(state)] >= 0 { return depths[Int(state)] }
    var stack: [(state: Int, digit: UInt8)] = []
    func targets(_ state: Int, _ digit: UInt8) -> Int {
      Int(language.next(DFA.State(state), UInt8(ascii: "0") + digit))
    }
    enter(Int(state), &stack)
    while let (state, digit) = stack.last {
      if digit < 10 {
        stack[stack.count - 1].digit += 1
        let target = targets(state, digit)
        if target == 0 { continue }
        if found[target] < 0 {
          enter(target, &stack)
        } else if depths[target] < 0 {
          lowest[state] = min(lowest[state], found[target])
        }
        continue
      }
      stack.removeLast()
      if let parent = stack.last?.state { lowest[parent] = min(lowest[parent], lowest[state]) }
      guard lowest[state] == found[state] else { continue }
      // All states of this loop are on top of the open ones.
      let first = open.lastIndex(of: state) ?? 0
      var depth = 0
      for member in open[first...] {
        for digit in 0..<UInt8(10) {
          let target = targets(member, digit)
          if target != 0, depths[target] >= 0 { depth = max(depth, depths[target] + 1) }
        }
      }
      for member in open[first...] { depths[member] = depth }
      let isLoop =
        open.count - first > 1 || (0..<UInt8(10)).contains { targets(state, $0) == state }
      if isLoop { loopStates += open.count - first }
      open.removeSubrange(first...)
    }
    return depths[Int(state)]
  }

  private mutating func enter(_ state: Int, _ stack: inout [(state: Int, digit: UInt8)]) {
    found[state] = count
    lowest[state] = count
    count += 1
    open.append(state)
    stack.append((state, 0))
  }
}
