/// The automata of a grammar's keys and scalars as one flat table.
///
///     states       │ 0 dead │ 1 end │ 2 … 31 places in containers │ 32 │ 33 │ … │
///                                                                    │
///                     ┌──────────────────────────────────────────────┘
///                     ▼ row + class of the byte
///     transitions  │ 34 0 1 34 … │ …       1 (end): the byte closed the value
///     classMaps    │ byte ─▶ class │ …     one map of 256 for each automaton
///
/// States 0 to 31 have no row: they are points between the parts of objects and lists, for which
/// the ``ByteAutomaton`` looks into the frame.
struct MachineTable: Sendable {
  /// How a state is stepped.
  enum Role: UInt8, Sendable {
    /// A point in a container; see ``Place``.
    case place
    /// A string or a literal, which says itself where it ends.
    case text
    /// A string whose length is bounded: ``State/detail`` is its ``TextLimits``.
    case countedText
    /// A number, which ends before the first byte that is not part of it.
    case number
    /// A key on the path of a declared name: ``State/detail`` is its ``KeyNode``.
    case keyName
    /// A key that can be no declared name any more.
    case keyText
    /// A key of an object with patterns: ``State/detail`` is its ``KeyNode``.
    case keyPattern
    /// A state of a rule: ``State/detail`` is its index in the ``RuleMachine``.
    case rule
  }

  struct State: Sendable {
    /// Where the row begins in ``MachineTable/transitions``.
    var row: UInt32 = 0
    /// Where the map begins in ``MachineTable/classMaps``.
    var classes: UInt32 = 0
    var detail: UInt32 = 0
    var role = Role.place
    /// The value may end here (numbers, rules).
    var isFinal = false
    /// Between two characters (strings and keys).
    var isBoundary = false
  }

  /// The states that stand for a place in a container.
  enum Place {
    static let dead: UInt32 = 0
    /// The whole text is complete.
    static let end: UInt32 = 1
    /// Before a value; `count` is its node.
    static let value: UInt32 = 2
    static let objectOpen: UInt32 = 3
    /// In the blanks before a key's quote; `count` says how many there were.
    static let objectBlank: UInt32 = 4
    /// Before the colon; `count` is the value's node.
    static let colon: UInt32 = 5
    /// Before the blank after the colon; `count` is the value's node.
    static let colonBlank: UInt32 = 6
    static let objectAfter: UInt32 = 7
    /// In the blanks before the closing brace.
    static let objectClosing: UInt32 = 8
    static let arrayOpen: UInt32 = 9
    static let arrayBlank: UInt32 = 10
    static let arrayAfter: UInt32 = 11
    static let arrayClosing: UInt32 = 12
    /// Several configurations at once; `count` is the set.
    static let several: UInt32 = 13
    /// The first state with a row.
    static let firstMachine: UInt32 = 32
  }

  var states = [State](repeating: State(), count: Int(Place.firstMachine))
  var transitions: [UInt32] = []
  var classMaps: [UInt8] = []
  /// The least number of bytes from each state to the end of its text or number, closing quote
  /// included.
  var shortest = [UInt32](repeating: 0, count: Int(Place.firstMachine))
  /// How many texts each state can still complete, where that matters (keys and unique items);
  /// ``endless`` elsewhere.
  var words = [UInt32](repeating: MachineTable.endless, count: Int(Place.firstMachine))

  static let endless = UInt32.max

  /// The state after one more byte of the same automaton, ``Place/end`` or ``Place/dead``.
  func next(_ state: State, _ byte: UInt8) -> UInt32 {
    transitions[Int(state.row) + Int(classMaps[Int(state.classes) + Int(byte)])]
  }

  /// Puts an automaton behind the others. `rows` holds numbers of its own states from 0, or
  /// ``deadTarget`` and ``endTarget``. Returns the number of its first state.
  mutating func append(
    rows: [UInt32], classes: [UInt8], classCount: Int, states fresh: [State]
  ) -> UInt32 {
    let first = UInt32(states.count)
    let map = UInt32(classMaps.count)
    classMaps += classes
    var row = UInt32(transitions.count)
    transitions.reserveCapacity(transitions.count + rows.count)
    for target in rows {
      switch target {
      case Self.deadTarget: transitions.append(Place.dead)
      case Self.endTarget: transitions.append(Place.end)
      default: transitions.append(first + target)
      }
    }
    states.reserveCapacity(states.count + fresh.count)
    for var state in fresh {
      state.row = row
      state.classes = map
      row += UInt32(classCount)
      states.append(state)
    }
    shortest += [UInt32](repeating: 0, count: fresh.count)
    words += [UInt32](repeating: Self.endless, count: fresh.count)
    return first
  }

  static let deadTarget = UInt32.max
  static let endTarget = UInt32.max - 1

  /// Fills ``shortest`` for an automaton that was just appended, by a search from its ends.
  mutating func measure(from first: UInt32, classCount: Int) {
    let count = states.count - Int(first)
    var sources = [[UInt32]](repeating: [], count: count)
    var distance = [UInt32](repeating: .max, count: count)
    var order: [UInt32] = []
    for local in 0..<count {
      let state = states[Int(first) + local]
      var isLast = false
      var previous: UInt32 = 0
      for column in 0..<classCount {
        let target = transitions[Int(state.row) + column]
        if target == Place.end { isLast = true }
        if target >= first, target != previous {
          sources[Int(target - first)].append(UInt32(local))
        }
        previous = target
      }
      if state.isFinal { distance[local] = 0 } else if isLast { distance[local] = 1 }
    }
    for wanted: UInt32 in [0, 1] {
      order += distance.indices.filter { distance[$0] == wanted }.map(UInt32.init)
    }
    var position = 0
    while position < order.count {
      let state = Int(order[position])
      position += 1
      for source in sources[state] where distance[Int(source)] > distance[state] + 1 {
        distance[Int(source)] = distance[state] + 1
        order.append(source)
      }
    }
    for local in 0..<count { shortest[Int(first) + local] = distance[local] }
  }
}
