/// Rules as a graph that may be in many places at once: the step between a grammar and its
/// ``RuleMachine``.
///
///     x{2,}     ─▶ 1 ──x──▶ 2 ──x──▶ 3 ──▶ 4     arrows without a letter are free,
///                                   └─x─▶┘       and a call is followed like a letter
struct RuleNetwork {
  /// A range of bytes and where it leads.
  struct Edge {
    var low: UInt8
    var high: UInt8
    var target: Int32
  }

  /// A callee, by the number of its rule, and where it goes on.
  struct Call {
    var callee: Int
    var target: Int32
  }

  /// What leads out of a state.
  struct Node {
    var edges: [Edge] = []
    var calls: [Call] = []
    var free: [Int32] = []
  }

  private(set) var nodes: [Node] = []

  /// Adds a state.
  mutating func add() -> Int32 {
    nodes.append(Node())
    return Int32(nodes.count - 1)
  }

  /// A free way.
  mutating func connect(_ from: Int32, to target: Int32) {
    nodes[Int(from)].free.append(target)
  }

  /// Follows a callee.
  mutating func call(_ callee: Int, from: Int32, to target: Int32) {
    nodes[Int(from)].calls.append(Call(callee: callee, target: target))
  }

  /// Reads one of the byte sequences; their ends are shared.
  mutating func read(_ sequences: [[ClosedRange<UInt8>]], from: Int32, to target: Int32) {
    var known: [ArraySlice<ClosedRange<UInt8>>: Int32] = [:]
    for sequence in sequences {
      var next = target
      for index in sequence.indices.dropFirst().reversed() {
        let rest = sequence[index...]
        if let shared = known[rest] {
          next = shared
          continue
        }
        let state = add()
        nodes[Int(state)].edges.append(
          Edge(low: sequence[index].lowerBound, high: sequence[index].upperBound, target: next))
        known[rest] = state
        next = state
      }
      nodes[Int(from)].edges.append(
        Edge(low: sequence[0].lowerBound, high: sequence[0].upperBound, target: next))
    }
  }

  /// The states reached for free that lead on or are the end, sorted.
  func closure(_ states: [Int32], end: Int32) -> [Int32] {
    var seen = Set(states)
    var pending = Array(seen)
    var result: [Int32] = []
    while let state = pending.popLast() {
      let node = nodes[Int(state)]
      if state == end || !node.edges.isEmpty || !node.calls.isEmpty { result.append(state) }
      for target in node.free where seen.insert(target).inserted { pending.append(target) }
    }
    return result.sorted()
  }
}
