extension DFA {
  /// Runs two automata side by side; `label` decides from both labels what a pair accepts. A text
  /// that one of them has left for good counts with label 0 there. Pairs of two dead states accept
  /// nothing, so `label(0, 0)` must be 0 to be of use.
  package func product(
    _ other: DFA, label: (UInt32, UInt32) -> UInt32
  ) throws(AutomatonTooLarge) -> DFA {
    // Classes of the product: the pairs that some byte has.
    var classes = [UInt8](repeating: 0, count: 256)
    var pairs: [(Int, Int)] = []
    var known: [Int: UInt8] = [:]
    for byte in 0..<256 {
      let pair = (Int(self.classes[byte]), Int(other.classes[byte]))
      let key = pair.0 << 8 | pair.1
      if let index = known[key] {
        classes[byte] = index
      } else {
        classes[byte] = UInt8(pairs.count)
        known[key] = UInt8(pairs.count)
        pairs.append(pair)
      }
    }
    // What both sides' dead states lead to depends on the label only.
    let leftMatters = label(1, 0) != 0
    let rightMatters = label(0, 1) != 0
    var numbers: [UInt64: State] = [0: 0]
    var states: [(State, State)] = [(0, 0)]
    var table = [State](repeating: 0, count: pairs.count)
    var labels: [UInt32] = [0]
    func pair(_ left: State, _ right: State) -> (State, State) {
      if left == 0, !rightMatters { return (0, 0) }
      if right == 0, !leftMatters { return (0, 0) }
      return (left, right)
    }
    func number(_ pair: (State, State)) -> State {
      let key = UInt64(pair.0) << 32 | UInt64(pair.1)
      if let known = numbers[key] { return known }
      let fresh = State(states.count)
      numbers[key] = fresh
      states.append(pair)
      return fresh
    }
    let first = number(pair(start, other.start))
    var position = 1
    while position < states.count {
      if states.count > Self.mostStates { throw AutomatonTooLarge(limit: Self.mostStates) }
      let (left, right) = states[position]
      labels.append(label(self.labels[Int(left)], other.labels[Int(right)]))
      for (leftClass, rightClass) in pairs {
        table.append(
          number(
            pair(
              transitions[Int(left) * classCount + leftClass],
              other.transitions[Int(right) * other.classCount + rightClass])))
      }
      position += 1
    }
    let raw = Raw(
      table: table, classes: classes, classCount: pairs.count, labels: labels, start: first)
    return raw.minimized()
  }

  /// The texts that are in both languages; labels are this one's.
  package func intersection(_ other: DFA) throws(AutomatonTooLarge) -> DFA {
    if self == other || other.isEmpty { return other.isEmpty ? other : self }
    return try product(other) { $1 == 0 ? 0 : $0 }
  }

  /// The texts of either language; where both have a text, the label is this one's.
  package func union(_ other: DFA) throws(AutomatonTooLarge) -> DFA {
    if self == other || other.isEmpty { return self }
    if isEmpty { return other }
    return try product(other) { $0 != 0 ? $0 : $1 }
  }

  /// The texts of this language that the other does not have; labels are this one's.
  package func subtracting(_ other: DFA) throws(AutomatonTooLarge) -> DFA {
    if other.isEmpty || isEmpty { return self }
    return try product(other) { $1 == 0 ? $0 : 0 }
  }
}
