extension DFA {
  /// The least number of bytes from each state to an accepting one; 0 for the dead state too,
  /// which has no such number.
  package var shortestCompletions: [Int] {
    var result = [Int](repeating: -1, count: stateCount)
    let sources = self.sources
    var order: [Int] = []
    for state in 0..<stateCount where labels[state] != 0 {
      result[state] = 0
      order.append(state)
    }
    var position = 0
    while position < order.count {
      let state = order[position]
      position += 1
      for source in sources[state] where result[Int(source)] < 0 {
        result[Int(source)] = result[state] + 1
        order.append(Int(source))
      }
    }
    result[0] = 0
    return result
  }

  /// How many texts with a label that counts each state can still complete, at most `limit`.
  package func wordCounts(
    limit: Int, counting isCounted: (UInt32) -> Bool = { $0 != 0 }
  ) -> [Int] {
    let isUseful = states { isCounted(labels[$0]) }
    // Depth first with an explicit stack; a state met again while it is open lies on a loop.
    var counts = [Int](repeating: 0, count: stateCount)
    if !isUseful[Int(start)] { return counts }
    var isSeen = [Bool](repeating: false, count: stateCount)
    var isOpen = isSeen
    var isLooping = isSeen
    var order: [Int] = []
    var stack = [(state: Int(start), column: 0)]
    isSeen[Int(start)] = true
    isOpen[Int(start)] = true
    while let (state, column) = stack.last {
      if column == classCount {
        stack.removeLast()
        isOpen[state] = false
        order.append(state)
        continue
      }
      stack[stack.count - 1].column += 1
      let target = Int(transitions[state * classCount + column])
      if !isUseful[target] { continue }
      if isOpen[target] {
        isLooping[target] = true
      } else if !isSeen[target] {
        isSeen[target] = true
        isOpen[target] = true
        stack.append((target, 0))
      }
    }
    let isEndless = states { isLooping[$0] }
    var widths = [Int](repeating: 0, count: classCount)
    for byte in 0..<256 { widths[Int(classes[byte])] += 1 }
    for state in order {
      if isEndless[state] {
        counts[state] = limit
        continue
      }
      var total = isCounted(labels[state]) ? 1 : 0
      for column in 0..<classCount {
        let target = Int(transitions[state * classCount + column])
        if isUseful[target] {
          total = min(limit, total + min(limit, widths[column] * counts[target]))
        }
      }
      counts[state] = min(limit, total)
    }
    return counts
  }

  /// The states from which a byte leads to each state; none for the dead one.
  private var sources: [[State]] {
    var sources = [[State]](repeating: [], count: stateCount)
    for state in 1..<max(1, stateCount) {
      var previous: State = 0
      for column in 0..<classCount {
        let target = transitions[state * classCount + column]
        if target != 0, target != previous { sources[Int(target)].append(State(state)) }
        previous = target
      }
    }
    return sources
  }

  /// Which states are among these or lead to one of them.
  private func states(leadingTo isWanted: (Int) -> Bool) -> [Bool] {
    let sources = self.sources
    var result = [Bool](repeating: false, count: stateCount)
    var pending = (1..<max(1, stateCount)).filter(isWanted)
    for state in pending { result[state] = true }
    while let state = pending.popLast() {
      for source in sources[state] where !result[Int(source)] {
        result[Int(source)] = true
        pending.append(Int(source))
      }
    }
    return result
  }

  /// All texts of the language, if there are at most `limit`, with their labels.
  package func allWords(limit: Int) -> [(text: [UInt8], label: UInt32)]? {
    if isEmpty { return [] }
    if wordCounts(limit: limit + 1)[Int(start)] > limit { return nil }
    var result: [(text: [UInt8], label: UInt32)] = []
    var pending: [(state: State, text: [UInt8])] = [(start, [])]
    while let (state, text) = pending.popLast() {
      if labels[Int(state)] != 0 { result.append((text, labels[Int(state)])) }
      for byte in (0...255).reversed() {
        let target = next(state, UInt8(byte))
        if target != 0 { pending.append((target, text + [UInt8(byte)])) }
      }
    }
    return result
  }
}
