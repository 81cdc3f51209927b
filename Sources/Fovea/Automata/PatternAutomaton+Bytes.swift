extension PatternAutomaton {
  /// The automaton over UTF-8 of the same language.
  ///
  /// Equal places inside characters are made once, and no such place is equivalent to one between
  /// characters, so the result is minimal because this automaton is.
  func bytes(_ alphabet: PatternAlphabet) throws(AutomatonTooLarge) -> DFA {
    if starts[0] == Self.dead { return .empty }
    var expansion = ByteExpansion(self, alphabet)
    return try expansion.run()
  }
}

/// The places inside characters, state by state.
private struct ByteExpansion {
  private let automaton: PatternAutomaton
  private let alphabet: PatternAlphabet
  private var builder = DFA.Builder()
  private var known: [[UInt64]: DFA.State] = [:]
  // What each node of the alphabet became for the state at hand.
  private var places: [DFA.State]
  // Scratch space.
  private var edges: [DFA.Builder.Edge] = []
  private var key: [UInt64] = []

  init(_ automaton: PatternAutomaton, _ alphabet: PatternAlphabet) {
    self.automaton = automaton
    self.alphabet = alphabet
    places = [DFA.State](repeating: 0, count: alphabet.nodes.count)
  }

  mutating func run() throws(AutomatonTooLarge) -> DFA {
    // States keep their numbers, so that characters can lead to states not yet filled.
    for state in automaton.accepts.indices.dropFirst() {
      _ = try builder.add(label: automaton.accepts[state] ? 1 : 0)
    }
    for state in automaton.accepts.indices.dropFirst() { try fill(state) }
    return builder.finish(start: automaton.starts[0], isMinimal: true)
  }

  private mutating func fill(_ state: Int) throws(AutomatonTooLarge) {
    let first = state * automaton.width
    for number in alphabet.nodes.indices { places[number] = try place(number, first) }
    edges.removeAll(keepingCapacity: true)
    for edge in alphabet.ascii {
      append(edge.low, edge.high, automaton.table[first + edge.target])
    }
    for edge in alphabet.leads { append(edge.low, edge.high, places[edge.target]) }
    builder.connect(DFA.State(state), edges)
  }

  /// The state for a place inside characters, where `first` is the start of the row of what the
  /// classes lead to; children have been made before.
  private mutating func place(_ number: Int, _ first: Int) throws(AutomatonTooLarge) -> DFA.State {
    let node = alphabet.nodes[number]
    edges.removeAll(keepingCapacity: true)
    for index in node.edges {
      let edge = alphabet.edges[index]
      let target = node.isLeaf ? automaton.table[first + edge.target] : places[edge.target]
      append(edge.low, edge.high, target)
    }
    if edges.isEmpty { return DFA.dead }
    key.removeAll(keepingCapacity: true)
    for edge in edges {
      key.append(UInt64(edge.target) << 16 | UInt64(edge.low) << 8 | UInt64(edge.high))
    }
    if let state = known[key] { return state }
    let state = try builder.add(edges)
    known[key] = state
    return state
  }

  /// Adds an edge that leads somewhere, if need be by making the last one longer.
  private mutating func append(_ low: UInt8, _ high: UInt8, _ target: DFA.State) {
    if target == DFA.dead { return }
    if let last = edges.last, last.target == target, Int(last.high) + 1 == Int(low) {
      edges[edges.count - 1].high = high
    } else {
      edges.append(DFA.Builder.Edge(low: low, high: high, target: target))
    }
  }
}
