extension MachineTable {
  /// What every grammar has: made once, and at the same numbers in each of them, so that what the
  /// vocabulary's index knows about these states serves all grammars.
  struct Base: Sendable {
    var table: MachineTable
    /// Inside the quotes of a string of any characters, with every escape that JSON has.
    var text: UInt32
    /// Inside the quotes of a key of any characters, in its one spelling.
    var key: UInt32
    /// The states after the `n` of `null`, the `t` of `true`, and the `f` of `false`.
    var null: UInt32
    var `true`: UInt32
    var `false`: UInt32
    /// The states of `text` are these; the grammar's own begin behind all of the base's.
    var textStates: Range<UInt32>
    var keyStates: Range<UInt32>
  }

  static let base: Base = {
    var table = MachineTable()
    let text = table.append(freeTextWith: .text, detail: 0)
    let textEnd = UInt32(table.states.count)
    let key = table.append(text: TextLanguage.all, role: .keyText, detail: 0).first
    let keyEnd = UInt32(table.states.count)
    let null = table.append(literal: Array("ull".utf8))
    let yes = table.append(literal: Array("rue".utf8))
    let no = table.append(literal: Array("alse".utf8))
    return Base(
      table: table, text: text, key: key, null: null, true: yes, false: no,
      textStates: text..<textEnd, keyStates: key..<keyEnd)
  }()

  private mutating func append(literal rest: [UInt8]) -> UInt32 {
    var draft = MachineDraft()
    for (index, byte) in rest.enumerated() {
      let isLast = index == rest.count - 1
      draft.add(
        State(role: .text), [.init(byte, byte, isLast ? Self.endTarget : UInt32(index + 1))])
    }
    return append(draft)
  }

  mutating func append(_ draft: MachineDraft) -> UInt32 {
    let (rows, classes, classCount) = draft.table()
    let first = append(rows: rows, classes: classes, classCount: classCount, states: draft.states)
    measure(from: first, classCount: classCount)
    return first
  }

  /// Puts the strings of any characters behind the others.
  ///
  /// The characters are valid UTF-8 without control characters, or any escape of JSON. A `\u`
  /// escape of half a surrogate pair must be followed by the escape of the other half, because
  /// half a pair alone does not decode. `\u0000` is allowed: it is text to JSON and to Swift.
  /// An escape, and a pair of them for one character, counts as one code point.
  ///
  ///     "   ┌──────────── one character, counted when it is complete ───────────┐
  ///     ──▶ text ──raw ASCII──────────────────────────────────────────────────▶ text ──"──▶ end
  ///           ├──C2…F4──▶ 1 to 3 continuation bytes ────────────────────────────▶
  ///           └──\──▶ " \ / b f n r t ──────────────────────────────────────────▶
  ///                   u ─▶ 4 hex digits, not D800…DFFF ─────────────────────────▶
  ///                   u ─▶ D800…DBFF ─▶ \ ─▶ u ─▶ DC00…DFFF ────────────────────▶
  mutating func append(freeTextWith role: Role, detail: UInt32) -> UInt32 {
    typealias Edge = MachineDraft.Edge
    var draft = MachineDraft()
    let text: UInt32 = 0
    draft.add(State(detail: detail, role: role, isBoundary: true), [])
    func part(_ edges: [Edge]) -> UInt32 {
      draft.add(State(detail: detail, role: role), edges)
    }
    func hex(_ target: UInt32) -> [Edge] {
      [Edge(0x30, 0x39, target), Edge(0x41, 0x46, target), Edge(0x61, 0x66, target)]
    }

    // UTF-8: overlong forms, surrogates and what lies above U+10FFFF are left out.
    let one = part([Edge(0x80, 0xBF, text)])
    let two = part([Edge(0x80, 0xBF, one)])
    let three = part([Edge(0x80, 0xBF, two)])
    let afterE0 = part([Edge(0xA0, 0xBF, one)])
    let afterED = part([Edge(0x80, 0x9F, one)])
    let afterF0 = part([Edge(0x90, 0xBF, two)])
    let afterF4 = part([Edge(0x80, 0x8F, two)])

    // \u: the names say which hex digit comes next.
    let fourth = part(hex(text))
    let third = part(hex(fourth))
    let second = part(hex(third))
    let lowSecond = part([Edge(0x43, 0x46, third), Edge(0x63, 0x66, third)])
    let lowFirst = part([Edge(0x44, 0x44, lowSecond), Edge(0x64, 0x64, lowSecond)])
    let lowMark = part([Edge(0x75, 0x75, lowFirst)])
    let lowEscape = part([Edge(0x5C, 0x5C, lowMark)])
    let highFourth = part(hex(lowEscape))
    let highThird = part(hex(highFourth))
    let secondAfterD = part([
      Edge(0x30, 0x37, third), Edge(0x38, 0x39, highThird),
      Edge(0x41, 0x42, highThird), Edge(0x61, 0x62, highThird),
    ])
    let first = part([
      Edge(0x30, 0x39, second), Edge(0x41, 0x43, second), Edge(0x44, 0x44, secondAfterD),
      Edge(0x45, 0x46, second), Edge(0x61, 0x63, second), Edge(0x64, 0x64, secondAfterD),
      Edge(0x65, 0x66, second),
    ])
    let escape = part(
      #""\/bfnrt"#.utf8.map { Edge($0, $0, text) } + [Edge(0x75, 0x75, first)])
    draft.edges[0] = [
      Edge(0x22, 0x22, Self.endTarget), Edge(0x5C, 0x5C, escape), Edge(0x20, 0x21, text),
      Edge(0x23, 0x5B, text), Edge(0x5D, 0x7F, text), Edge(0xC2, 0xDF, one),
      Edge(0xE0, 0xE0, afterE0), Edge(0xE1, 0xEC, two), Edge(0xED, 0xED, afterED),
      Edge(0xEE, 0xEF, two), Edge(0xF0, 0xF0, afterF0), Edge(0xF1, 0xF3, three),
      Edge(0xF4, 0xF4, afterF4),
    ]
    return append(draft)
  }
}

/// States with edges, before they become rows.
struct MachineDraft {
  struct Edge {
    var low: UInt8
    var high: UInt8
    var target: UInt32

    init(_ low: UInt8, _ high: UInt8, _ target: UInt32) {
      self.low = low
      self.high = high
      self.target = target
    }
  }

  private(set) var states: [MachineTable.State] = []
  var edges: [[Edge]] = []

  @discardableResult
  mutating func add(_ state: MachineTable.State, _ edges: [Edge]) -> UInt32 {
    states.append(state)
    self.edges.append(edges)
    return UInt32(states.count - 1)
  }

  func table() -> (rows: [UInt32], classes: [UInt8], classCount: Int) {
    let alike = ByteClasses(edges.joined().lazy.map { $0.low...$0.high })
    let classes = alike.classes
    let width = alike.count
    var rows = [UInt32](repeating: MachineTable.deadTarget, count: states.count * width)
    for (state, edges) in edges.enumerated() {
      for edge in edges {
        for column in Int(classes[Int(edge.low)])...Int(classes[Int(edge.high)]) {
          rows[state * width + column] = edge.target
        }
      }
    }
    return (rows, classes, width)
  }
}
