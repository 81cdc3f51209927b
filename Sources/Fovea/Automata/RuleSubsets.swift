/// Makes the networks of all callees deterministic, with calls taken as letters.
///
/// A state of the result stands for a set of states of the network: all places where a text can
/// be after the same letters. Where the sets of a callee become too many, it gets a state for each
/// state of the network instead, and where a letter leads to several of them, a state with a tail
/// call to each: whoever runs the machine then follows them side by side.
struct RuleSubsets {
  /// How many members all sets of a callee may have together.
  private static let mostMembers = 200_000

  /// A callee and a state in it: the same set may be in several.
  private struct Key: Hashable {
    var members: [Int32]
    /// The end of the callee, which tells callees apart.
    var end: Int32
    /// Whether the set is where the callee begins: it is not final there.
    var isEntry: Bool
    /// Whether each member is followed by itself.
    var isSplit: Bool
  }

  private let network: RuleNetwork
  private var callees: [(entry: Int32, end: Int32)] = []
  private var numbers: [Key: UInt32] = [:]
  private var keys: [Key] = []
  private var states: [RuleMachine.State] = []
  /// By the callee's end: how many members its sets have.
  private var members: [Int32: Int] = [:]
  /// The ends of the callees that are not made deterministic.
  private var forking: Set<Int32> = []

  init(network: RuleNetwork) { self.network = network }

  /// Adds the next callee.
  mutating func begin(entry: Int32, end: Int32) { callees.append((entry, end)) }

  /// The machine whose texts are those of a callee.
  mutating func machine(root: Int) throws(FoveaError) -> RuleMachine {
    // Each round gives up at least one callee.
    while true {
      if let machine = try attempt(root: root) { return try machine.finished() }
    }
  }

  /// Nil: there is one more callee to be followed without sets.
  private mutating func attempt(root: Int) throws(FoveaError) -> RuleMachine? {
    numbers = [:]
    keys = []
    members = [:]
    states = [RuleMachine.dead]
    let (entry, end) = callees[root]
    // A whole text may be empty, unlike what is called.
    let start = number(of: network.closure([entry], end: end), end: end, isEntry: false)
    var position = 0
    while position < keys.count {
      let key = keys[position]
      if keys.count > RuleCompiler.mostStates { throw RuleCompiler.tooManyStates }
      if members[key.end, default: 0] > Self.mostMembers, forking.insert(key.end).inserted {
        return nil
      }
      position += 1
      let state = key.isSplit ? fork(key) : follow(key)
      states[position] = state  // it may have added others behind it
    }
    return RuleMachine(states: states, start: start)
  }

  private mutating func number(
    of members: [Int32], end: Int32, isEntry: Bool, isSplit: Bool = false
  ) -> UInt32 {
    let isFinal = members.contains(end)
    let key = Key(members: members, end: end, isEntry: isEntry && isFinal, isSplit: isSplit)
    if let known = numbers[key] { return known }
    keys.append(key)
    self.members[end, default: 0] += members.count
    numbers[key] = UInt32(keys.count)
    states.append(RuleMachine.dead)
    return UInt32(keys.count)
  }

  /// The state for the places that a letter leads to.
  private mutating func target(_ places: [Int32], end: Int32) -> UInt32 {
    if places.count == 1 || !forking.contains(end) {
      return number(of: network.closure(places, end: end), end: end, isEntry: false)
    }
    return number(of: places, end: end, isEntry: false, isSplit: true)
  }

  /// A state that leads on to each of its members.
  private mutating func fork(_ key: Key) -> RuleMachine.State {
    var state = RuleMachine.dead
    for member in key.members {
      let members = network.closure([member], end: key.end)
      if members.contains(key.end) { state.isFinal = true }
      let callee = number(of: members, end: key.end, isEntry: true)
      state.calls.append(RuleMachine.Call(callee: callee, returnState: RuleMachine.none))
    }
    return state
  }

  private mutating func follow(_ key: Key) -> RuleMachine.State {
    var state = RuleMachine.dead
    state.isFinal = !key.isEntry && key.members.contains(key.end)
    var edges: [RuleNetwork.Edge] = []
    var calls: [Int: Set<Int32>] = [:]
    for member in key.members {
      let node = network.nodes[Int(member)]
      edges += node.edges
      for call in node.calls { calls[call.callee, default: []].insert(call.target) }
    }
    for (callee, places) in calls.sorted(by: { $0.key < $1.key }) {
      let (entry, end) = callees[callee]
      let begin = number(of: network.closure([entry], end: end), end: end, isEntry: true)
      let next = target(places.sorted(), end: key.end)
      state.calls.append(RuleMachine.Call(callee: begin, returnState: next))
    }
    // Between two neighbouring cuts all bytes lead to the same places.
    var cuts = Set<Int>()
    for edge in edges {
      cuts.insert(Int(edge.low))
      cuts.insert(Int(edge.high) + 1)
    }
    let sorted = cuts.sorted()
    var index = [Int](repeating: 0, count: 257)
    for (position, cut) in sorted.enumerated() { index[cut] = position }
    var places = [[Int32]](repeating: [], count: sorted.count)
    for edge in edges {
      for position in index[Int(edge.low)]..<index[Int(edge.high) + 1] {
        places[position].append(edge.target)
      }
    }
    var known: [[Int32]: UInt32] = [:]
    for (position, reached) in places.enumerated() where !reached.isEmpty {
      let list = reached.count == 1 ? reached : Set(reached).sorted()
      let next = known[list] ?? target(list, end: key.end)
      known[list] = next
      state.edges.append(
        RuleMachine.Edge(
          low: UInt8(sorted[position]), high: UInt8(sorted[position + 1] - 1), target: next))
    }
    return state
  }
}
