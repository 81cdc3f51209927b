extension DFA {
  /// Whether no text is in both languages.
  package func isDisjoint(with other: DFA) -> Bool {
    if isEmpty || other.isEmpty { return true }
    // Pairs of classes that some byte has.
    var known: Set<Int> = []
    var pairs: [(Int, Int)] = []
    for byte in 0..<256 {
      let pair = (Int(classes[byte]), Int(other.classes[byte]))
      if known.insert(pair.0 << 8 | pair.1).inserted { pairs.append(pair) }
    }
    var seen: Set<UInt64> = [UInt64(start) << 32 | UInt64(other.start)]
    var pending: [(State, State)] = [(start, other.start)]
    while let (left, right) = pending.popLast() {
      if labels[Int(left)] != 0, other.labels[Int(right)] != 0 { return false }
      for (leftClass, rightClass) in pairs {
        let leftNext = transitions[Int(left) * classCount + leftClass]
        if leftNext == 0 { continue }
        let rightNext = other.transitions[Int(right) * other.classCount + rightClass]
        if rightNext == 0 { continue }
        if seen.insert(UInt64(leftNext) << 32 | UInt64(rightNext)).inserted {
          pending.append((leftNext, rightNext))
        }
      }
    }
    return true
  }

  /// The least and the greatest length of a text in code points, for a language of valid UTF-8
  /// that has one; `longest` is nil when there is no greatest.
  package var textLengths: (shortest: Int, longest: Int?) {
    // Bytes that continue a character cost nothing; one of a class stands for all, since no state
    // of such a language goes on with both kinds.
    let cost = classCosts
    var shortest = [Int](repeating: .max, count: stateCount)
    shortest[Int(start)] = 0
    var current = [Int(start)]
    var result = Int.max
    var length = 0
    search: while !current.isEmpty {
      var next: [Int] = []
      var pending = current
      while let state = pending.popLast() {
        if shortest[state] < length { continue }
        if labels[state] != 0 {
          result = length
          break search
        }
        for column in 0..<classCount {
          let target = Int(transitions[state * classCount + column])
          if target == 0 || shortest[target] <= length + cost[column] { continue }
          shortest[target] = length + cost[column]
          if cost[column] == 0 { pending.append(target) } else { next.append(target) }
        }
      }
      current = next
      length += 1
    }
    return (result, longestText(cost))
  }

  private var classCosts: [Int] {
    var cost = [Int](repeating: 1, count: classCount)
    for byte in 0x80..<0xC0 { cost[Int(classes[byte])] = 0 }
    return cost
  }

  private func longestText(_ cost: [Int]) -> Int? {
    // Depth first with an explicit stack; a loop makes the texts endless, since every state can
    // be reached and can reach an accepting one.
    var longest = [Int](repeating: -1, count: stateCount)
    var isOpen = [Bool](repeating: false, count: stateCount)
    var stack: [(state: Int, column: Int)] = [(Int(start), 0)]
    isOpen[Int(start)] = true
    while let (state, column) = stack.last {
      if column == classCount {
        var best = 0
        for column in 0..<classCount {
          let target = Int(transitions[state * classCount + column])
          if target != 0 { best = max(best, longest[target] + cost[column]) }
        }
        longest[state] = best
        isOpen[state] = false
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].column += 1
      let target = Int(transitions[state * classCount + column])
      if target == 0 { continue }
      if isOpen[target] { return nil }
      if longest[target] < 0 {
        isOpen[target] = true
        stack.append((target, 0))
      }
    }
    return longest[Int(start)]
  }

  /// Whether a language of valid UTF-8 has a text with so many code points; nil when that would
  /// take too long to find out.
  package func hasText(minLength: Int, maxLength: Int) -> Bool? {
    if isEmpty || minLength > maxLength { return false }
    let (shortest, longest) = textLengths
    if shortest > maxLength || longest ?? .max < minLength { return false }
    if shortest >= minLength { return true }
    // Which states can be reached by one character more, again and again; once the same set of
    // states comes back, all later ones are known.
    let cost = classCosts
    var current: Set<Int> = [Int(start)]
    var seen: Set<Set<Int>> = []
    var early: [Set<Int>: Int]? = [:]
    var work = 0
    var length = 0
    while length <= maxLength, !current.isEmpty {
      if length >= minLength {
        if current.contains(where: { labels[$0] != 0 }) { return true }
        if !seen.insert(current).inserted { return false }
      } else if let before = early?.updateValue(length, forKey: current) {
        // The same rounds come again and again: all of them up to the minimum at once.
        let period = length - before
        length += (minLength - length) / period * period
        early = nil
        continue
      }
      var next: Set<Int> = []
      var pending = current.map { ($0, true) }
      while let (state, isBoundary) = pending.popLast() {
        for column in 0..<classCount where (cost[column] == 1) == isBoundary {
          let target = Int(transitions[state * classCount + column])
          if target == 0 { continue }
          if isInsideCharacter(target, cost) {
            pending.append((target, false))
          } else {
            next.insert(target)
          }
        }
        work += classCount
      }
      if work > 20_000_000 { return nil }
      if length == maxLength { break }
      current = next
      length += 1
    }
    return false
  }

  private func isInsideCharacter(_ state: Int, _ cost: [Int]) -> Bool {
    for column in 0..<classCount where cost[column] == 0 {
      if transitions[state * classCount + column] != 0 { return true }
    }
    return false
  }
}
