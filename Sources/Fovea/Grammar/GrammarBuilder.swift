/// Makes the states of a grammar, last byte first, and shares those that are equal.
struct GrammarBuilder {
  /// A state before it is written into the flat table.
  struct Draft: Hashable {
    var edges: [GrammarEdge] = []
    var role = GrammarState.Role.plain
    var counter: UInt32 = 0
    var callee = GrammarState.dead
    var returnState = GrammarState.dead
    var isFinal = false
  }

  private(set) var drafts: [Draft]
  /// The least number of bytes from each state to the end of its value.
  private(set) var shortest: [Int]
  private(set) var counters: [GrammarCounter] = []
  private var known: [Draft: UInt32] = [:]
  private var counterIndex: [GrammarCounter: UInt32] = [:]
  private var unions: [[UInt32]: UInt32] = [:]
  /// The state inside the quotes of a string, by its counter.
  var texts: [UInt32: UInt32] = [:]

  init() {
    // The two states with fixed numbers: dead and end.
    drafts = [Draft(), Draft(isFinal: true)]
    shortest = [0, 0]
    known[drafts[1]] = GrammarState.end
  }

  /// A state with these edges. Nil when nothing leads on from it.
  mutating func state(_ edges: [GrammarEdge], isFinal: Bool = false) -> UInt32? {
    if edges.isEmpty && !isFinal { return nil }
    return add(Draft(edges: edges, isFinal: isFinal))
  }

  /// A state in which a value comes and after it `returnState`.
  mutating func call(_ callee: UInt32, then returnState: UInt32) -> UInt32 {
    add(Draft(callee: callee, returnState: returnState))
  }

  /// The state that has exactly this form. Its edges are put into order and joined.
  mutating func add(_ draft: Draft) -> UInt32 {
    var draft = draft
    draft.edges = Self.joined(draft.edges)
    if let state = known[draft] { return state }
    let state = append(draft, shortest: leastBytes(draft))
    known[draft] = state
    return state
  }

  /// Makes room for a state that takes part in a loop; ``define(_:as:shortest:)`` must follow.
  mutating func reserve(_ draft: Draft, shortest: Int) -> UInt32 {
    append(draft, shortest: shortest)
  }

  /// Closes the loop of a reserved state.
  mutating func define(_ state: UInt32, as draft: Draft) {
    drafts[Int(state)] = draft
    drafts[Int(state)].edges = Self.joined(draft.edges)
  }

  mutating func counter(_ counter: GrammarCounter) -> UInt32 {
    if let index = counterIndex[counter] { return index }
    let index = UInt32(counters.count)
    counters.append(counter)
    counterIndex[counter] = index
    return index
  }

  /// States that read `bytes` and then are in `target`.
  mutating func literal(_ bytes: some BidirectionalCollection<UInt8>, then target: UInt32) -> UInt32
  {
    var state = target
    for byte in bytes.reversed() { state = add(Draft(edges: [GrammarEdge(byte, state)])) }
    return state
  }

  /// The trie `root` with one more key that leads to `target`. Only the states on the key's path
  /// are new; the old trie stays valid. No key may be a prefix of another.
  mutating func inserting(_ key: [UInt8], then target: UInt32, into root: UInt32) -> UInt32 {
    var path: [Draft] = []
    var state = root
    for byte in key {
      let draft = drafts[Int(state)]
      path.append(draft)
      guard let edge = draft.edges.first(where: { $0.low == byte }) else { break }
      state = edge.target
    }
    var result = literal(key.dropFirst(path.count), then: target)
    for (draft, byte) in zip(path, key).reversed() {
      var copy = draft
      copy.edges.removeAll { $0.low == byte }
      copy.edges.append(GrammarEdge(byte, result))
      result = add(copy)
    }
    return result
  }

  /// A state that reads one of `texts`, which are sorted and differ, and ends.
  mutating func choice(of texts: ArraySlice<[UInt8]>, from depth: Int = 0) -> UInt32? {
    guard let first = texts.first, let last = texts.last else { return nil }
    if texts.count == 1 { return literal(first.dropFirst(depth), then: GrammarState.end) }
    // What the first and the last share, all between them share too.
    var common = depth
    while common < first.count, common < last.count, first[common] == last[common] { common += 1 }
    var edges: [GrammarEdge] = []
    var rest = texts
    let endsHere = first.count == common
    if endsHere { rest = rest.dropFirst() }
    while let head = rest.first {
      let byte = head[common]
      let group = rest.prefix { $0[common] == byte }
      if let target = choice(of: group, from: common + 1) {
        edges.append(GrammarEdge(byte, target))
      }
      rest = rest.dropFirst(group.count)
    }
    guard let branch = state(edges, isFinal: endsHere) else { return nil }
    return literal(first[depth..<common], then: branch)
  }

  /// A state that allows what either of two allows. Both must be free of counters and calls.
  mutating func union(_ left: UInt32, _ right: UInt32) -> UInt32 {
    if left == right { return left }
    let key = [min(left, right), max(left, right)]
    if let state = unions[key] { return state }
    let one = drafts[Int(left)]
    let two = drafts[Int(right)]
    // Between two neighbouring cuts each side has one target for all bytes.
    var cuts: Set<Int> = []
    for edge in one.edges + two.edges {
      cuts.insert(Int(edge.low))
      cuts.insert(Int(edge.high) + 1)
    }
    let sorted = cuts.sorted()
    var edges: [GrammarEdge] = []
    for (low, next) in zip(sorted, sorted.dropFirst()) {
      let byte = UInt8(low)
      let targets = [one, two].compactMap { draft in
        draft.edges.first { $0.low <= byte && byte <= $0.high }?.target
      }
      guard let first = targets.first else { continue }
      let target = targets.count == 2 ? union(first, targets[1]) : first
      edges.append(GrammarEdge(byte, UInt8(next - 1), target))
    }
    let result = add(Draft(edges: edges, isFinal: one.isFinal || two.isFinal))
    unions[key] = result
    return result
  }

  /// The least number of bytes from a state to the end of its value when nothing is counted yet.
  func entryCost(_ state: UInt32) -> Int {
    let draft = drafts[Int(state)]
    let base = shortest[Int(state)]
    if draft.role == .text { return base + Int(counters[Int(draft.counter)].minimum) }
    return base
  }

  private mutating func append(_ draft: Draft, shortest cost: Int) -> UInt32 {
    drafts.append(draft)
    shortest.append(cost)
    return UInt32(drafts.count - 1)
  }

  private func leastBytes(_ draft: Draft) -> Int {
    if draft.isFinal { return 0 }
    var least = Int.max
    for edge in draft.edges {
      // Inside a string the target's own count is continued, elsewhere it begins.
      let inside = draft.role == .text || draft.role == .textPart
      let cost = inside ? shortest[Int(edge.target)] : entryCost(edge.target)
      least = min(least, 1 + cost)
    }
    if draft.callee != GrammarState.dead {
      least = min(least, entryCost(draft.callee) + shortest[Int(draft.returnState)])
    }
    return least
  }

  /// Edges by first byte, neighbours with the same target as one.
  private static func joined(_ edges: [GrammarEdge]) -> [GrammarEdge] {
    if edges.count < 2 { return edges }
    var result: [GrammarEdge] = []
    result.reserveCapacity(edges.count)
    let isSorted = zip(edges, edges.dropFirst()).allSatisfy { $0.low < $1.low }
    for edge in isSorted ? edges : edges.sorted(by: { $0.low < $1.low }) {
      if let last = result.last, last.target == edge.target, Int(last.high) + 1 == Int(edge.low) {
        result[result.count - 1].high = edge.high
      } else {
        result.append(edge)
      }
    }
    return result
  }
}
