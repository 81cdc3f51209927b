/// The least number of bytes from each state of a machine to its end; `Int.max`: there is none.
///
/// Knuth's generalisation of Dijkstra's algorithm: the state with the least number that is not
/// final yet is final, since going on never makes a text shorter.
struct ShortestTexts {
  private(set) var lengths: [Int]
  private var heap: [(length: Int, state: UInt32)] = []

  init(_ states: [RuleMachine.State]) {
    lengths = [Int](repeating: Int.max, count: states.count)
    // Who has to look again once the number of a state is known.
    var users = [[UInt32]](repeating: [], count: states.count)
    for (index, state) in states.enumerated() {
      let user = UInt32(index)
      for edge in state.edges { users[Int(edge.target)].append(user) }
      for call in state.calls {
        users[Int(call.callee)].append(user)
        if call.returnState != RuleMachine.none { users[Int(call.returnState)].append(user) }
      }
    }
    for index in states.indices.dropFirst() where states[index].isFinal {
      lengths[index] = 0
      push(0, UInt32(index))
    }
    var isKnown = [Bool](repeating: false, count: states.count)
    while let (_, known) = pop() {
      if isKnown[Int(known)] { continue }
      isKnown[Int(known)] = true
      for user in users[Int(known)] where !isKnown[Int(user)] {
        var best = lengths[Int(user)]
        for edge in states[Int(user)].edges {
          best = min(best, Self.sum(1, lengths[Int(edge.target)]))
        }
        for call in states[Int(user)].calls {
          let rest = call.returnState == RuleMachine.none ? 0 : lengths[Int(call.returnState)]
          best = min(best, Self.sum(lengths[Int(call.callee)], rest))
        }
        if best < lengths[Int(user)] {
          lengths[Int(user)] = best
          push(best, user)
        }
      }
    }
  }

  /// Lengths beyond what a machine may have are all alike, but not endless.
  private static func sum(_ left: Int, _ right: Int) -> Int {
    if left == Int.max || right == Int.max { return Int.max }
    return min(left + right, Int.max / 4)
  }

  // MARK: A binary heap

  private mutating func push(_ length: Int, _ state: UInt32) {
    heap.append((length, state))
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2].length > heap[child].length {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() -> (length: Int, state: UInt32)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].length < heap[least].length { least = child }
      }
      if least == parent { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
