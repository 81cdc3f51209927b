/// Which states of a machine are alike: they may end alike, and lead by the same letters to states
/// that are alike.
///
/// Begins with the states that end alike at the same distance, and splits blocks until all members
/// of each lead to the same blocks. The largest part of a block keeps its number, so that few
/// states have to look again.
struct RuleBlocks {
  /// The block of each state.
  private(set) var block: [UInt32]

  private let states: [RuleMachine.State]
  private var members: [[Int]] = []
  /// Where each state stands among the members of its block.
  private var place: [Int]

  init(_ states: [RuleMachine.State]) {
    self.states = states
    block = [UInt32](repeating: 0, count: states.count)
    place = [Int](repeating: 0, count: states.count)
    var users = [[Int]](repeating: [], count: states.count)
    for (index, state) in states.enumerated() {
      for edge in state.edges { users[Int(edge.target)].append(index) }
      for call in state.calls {
        users[Int(call.callee)].append(index)
        users[Int(call.returnState)].append(index)
      }
    }
    var initial: [[Int]: Int] = [:]
    for (index, state) in states.enumerated() {
      // The dead state is alone: its number stands for tail calls.
      let key = index == 0 ? [] : [state.isFinal ? 1 : 0, state.shortest]
      let number = initial[key] ?? members.count
      if number == members.count {
        initial[key] = number
        members.append([])
      }
      insert(index, into: number)
    }
    var pending = Array(states.indices.dropFirst())
    while !pending.isEmpty {
      let moved = split(pending)
      var isNoted = Set<Int>()
      pending = []
      for state in moved {
        for user in users[state] where isNoted.insert(user).inserted { pending.append(user) }
      }
    }
  }

  /// Splits the blocks of states whose targets changed; returns the states that got a new block.
  private mutating func split(_ changed: [Int]) -> [Int] {
    var groups: [UInt32: [[UInt32]: [Int]]] = [:]
    for state in changed {
      groups[block[state], default: [:]][signature(of: state), default: []].append(state)
    }
    var moved: [Int] = []
    for (number, parts) in groups.sorted(by: { $0.key < $1.key }) {
      let old = Int(number)
      let touched = parts.values.reduce(0) { $0 + $1.count }
      // Those that did not change are still alike, and differ from all that did.
      let rest = members[old].count - touched
      if parts.count == 1 && rest == 0 { continue }
      var lists = parts.sorted {
        $0.value.count != $1.value.count
          ? $0.value.count > $1.value.count : $0.value[0] < $1.value[0]
      }.map(\.value)
      if rest < lists[0].count {
        let kept = lists.removeFirst()
        if rest > 0 {
          let isTouched = Set(kept).union(lists.joined())
          lists.append(members[old].filter { !isTouched.contains($0) })
        }
      }
      for list in lists {
        let fresh = members.count
        members.append([])
        for state in list {
          remove(state)
          insert(state, into: fresh)
        }
        moved += list
      }
    }
    return moved
  }

  private func signature(of state: Int) -> [UInt32] {
    var result: [UInt32] = []
    for edge in states[state].edges {
      let target = block[Int(edge.target)]
      // Neighbouring ranges that lead to one block are one range.
      if result.count > 1, result[result.count - 1] == target,
        result[result.count - 2] & 0xFF + 1 == UInt32(edge.low)
      {
        result[result.count - 2] = result[result.count - 2] & ~0xFF | UInt32(edge.high)
      } else {
        result += [UInt32(edge.low) << 8 | UInt32(edge.high), target]
      }
    }
    result.append(UInt32.max)
    var calls = states[state].calls.map {
      [block[Int($0.callee)], block[Int($0.returnState)]]
    }
    calls.sort { $0.lexicographicallyPrecedes($1) }
    for (index, call) in calls.enumerated() where index == 0 || call != calls[index - 1] {
      result += call
    }
    return result
  }

  private mutating func insert(_ state: Int, into number: Int) {
    block[state] = UInt32(number)
    place[state] = members[number].count
    members[number].append(state)
  }

  private mutating func remove(_ state: Int) {
    let number = Int(block[state])
    guard let last = members[number].popLast(), last != state else { return }
    members[number][place[state]] = last
    place[last] = place[state]
  }
}
