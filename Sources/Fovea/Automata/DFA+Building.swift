extension DFA {
  /// How many states an automaton may have before it is minimized: tens of megabytes, and far
  /// more than useful patterns need.
  package static let mostStates = 100_000

  /// States under construction. Number 0 is dead, and 1 is the start unless another is named.
  struct Builder {
    /// A range of bytes and where it leads.
    struct Edge: Hashable {
      var low: UInt8
      var high: UInt8
      var target: State
    }

    private(set) var edges: [[Edge]] = [[]]
    private(set) var labels: [UInt32] = [0]

    /// Adds a state; edges may follow. The ranges of a state must not overlap.
    mutating func add(label: UInt32 = 0, _ edges: [Edge] = []) throws(AutomatonTooLarge) -> State {
      if labels.count > DFA.mostStates { throw AutomatonTooLarge(limit: DFA.mostStates) }
      labels.append(label)
      self.edges.append(edges)
      return State(labels.count - 1)
    }

    /// Lets a range of bytes lead from one state to another.
    mutating func connect(_ from: State, _ low: UInt8, _ high: UInt8, to target: State) {
      edges[Int(from)].append(Edge(low: low, high: high, target: target))
    }

    /// Gives a state these edges and no others.
    mutating func connect(_ from: State, _ edges: [Edge]) { self.edges[Int(from)] = edges }

    /// Changes what a state accepts.
    mutating func setLabel(_ label: UInt32, of state: State) { labels[Int(state)] = label }

    /// The minimal automaton. `isMinimal` promises that every state but the dead one can reach an
    /// accepting one and that no two of them are equivalent; it saves the search for such.
    func finish(start: State = 1, isMinimal: Bool = false) -> DFA {
      let alike = ByteClasses(edges.joined().lazy.map { $0.low...$0.high })
      let classes = alike.classes
      let width = alike.count
      var table = [State](repeating: 0, count: labels.count * width)
      for (state, edges) in edges.enumerated() {
        for edge in edges {
          for column in Int(classes[Int(edge.low)])...Int(classes[Int(edge.high)]) {
            table[state * width + column] = edge.target
          }
        }
      }
      let raw = Raw(
        table: table, classes: classes, classCount: width, labels: labels, start: start)
      return isMinimal ? raw.canonical() : raw.minimized()
    }
  }

  /// The language of one text.
  package static func word(_ text: [UInt8], label: UInt32 = 1) -> DFA {
    // A chain; every byte of the text has a class of its own. Needs no limit: it is as long as
    // the text.
    var occurs = [Bool](repeating: false, count: 256)
    for byte in text { occurs[Int(byte)] = true }
    var classes = [UInt8](repeating: 0, count: 256)
    var other: UInt8?
    var count = 0
    for byte in 0..<256 {
      if occurs[byte] || other == nil {
        classes[byte] = UInt8(count)
        count += 1
      }
      if !occurs[byte] {
        let shared = other ?? classes[byte]
        classes[byte] = shared
        other = shared
      }
    }
    var table = [State](repeating: 0, count: (text.count + 2) * count)
    for (index, byte) in text.enumerated() {
      table[(index + 1) * count + Int(classes[Int(byte)])] = State(index + 2)
    }
    return DFA(
      canonical: table, classes: classes, classCount: count,
      labels: [UInt32](repeating: 0, count: text.count + 1) + [label], start: 1)
  }

  /// The language of these texts, each with its own label.
  package static func words(
    _ words: [(text: [UInt8], label: UInt32)]
  ) throws(AutomatonTooLarge) -> DFA {
    var builder = Builder()
    let root = try builder.add()
    var children: [UInt64: State] = [:]
    for word in words {
      var state = root
      for byte in word.text {
        let key = UInt64(state) << 8 | UInt64(byte)
        if let next = children[key] {
          state = next
        } else {
          let next = try builder.add()
          builder.connect(state, byte, byte, to: next)
          children[key] = next
          state = next
        }
      }
      builder.setLabel(word.label, of: state)
    }
    return builder.finish(start: root)
  }

  /// The language of these texts.
  package static func words(_ texts: some Sequence<[UInt8]>) throws(AutomatonTooLarge) -> DFA {
    try words(texts.map { (text: $0, label: 1) })
  }
}
