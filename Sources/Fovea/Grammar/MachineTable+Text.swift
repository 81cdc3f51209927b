extension MachineTable {
  /// Puts the JSON form of a language of strings behind the others: what stands between the
  /// quotes, closing quote included. Each character has one spelling: raw where JSON allows it,
  /// else the short escape, else `\u00` and two lower-case digits.
  ///
  ///     q ──raw──▶ T(q, raw)
  ///     q ──"──▶ end, where q accepts
  ///     q ──\──▶ ──"──▶ T(q, "), ──n──▶ T(q, newline) …
  ///              └─u─▶ 0 ─▶ 0 ─▶ 0,1 ─▶ digit ─▶ T(q, control)
  ///
  /// Returns the state of the empty text.
  mutating func append(text language: DFA, role: Role, detail: UInt32) -> (
    first: UInt32, classCount: Int
  ) {
    var encoder = TextEncoder(language)
    encoder.encode()
    var states: [State] = []
    states.reserveCapacity(encoder.rows.count)
    for index in encoder.rows.indices {
      let isBoundary = index < encoder.plainCount && encoder.isBoundary(DFA.State(index + 1))
      states.append(State(detail: detail, role: role, isBoundary: isBoundary))
    }
    let first = append(
      rows: Array(encoder.rows.joined()), classes: encoder.classes,
      classCount: encoder.classCount, states: states)
    measure(from: first, classCount: encoder.classCount)
    return (first, encoder.classCount)
  }

  /// The bytes with a short escape, and what they stand for.
  static let shortEscapes: [(letter: UInt8, byte: UInt8)] = [
    (0x22, 0x22), (0x5C, 0x5C), (0x62, 0x08), (0x66, 0x0C), (0x6E, 0x0A), (0x72, 0x0D),
    (0x74, 0x09),
  ]
}

/// Makes the rows of the JSON form of a language. State `i` of the result is state `i + 1` of the
/// language, whose state 0 is dead; states for escapes follow.
private struct TextEncoder {
  private let language: DFA
  private(set) var rows: [[UInt32]] = []
  private(set) var classes: [UInt8]
  private(set) var classCount = 0
  let plainCount: Int
  private var known: [[UInt32]: UInt32] = [:]

  init(_ language: DFA) {
    self.language = language
    plainCount = language.stateCount - 1
    // A class for each pair of the language's class and what JSON makes of the byte.
    classes = [UInt8](repeating: 0, count: 256)
    var index: [Int: UInt8] = [:]
    for byte in 0..<256 {
      let key = Int(language.classes[byte]) << 8 | Self.category(UInt8(byte))
      if let known = index[key] {
        classes[byte] = known
      } else {
        classes[byte] = UInt8(index.count)
        index[key] = UInt8(index.count)
      }
    }
    classCount = index.count
  }

  /// Bytes of one category are treated alike by the escapes.
  private static func category(_ byte: UInt8) -> Int {
    switch byte {
    case 0..<0x20: 1
    case 0x22, 0x5C, 0x6E, 0x72, 0x74, 0x75, 0x30...0x39, 0x61...0x66: Int(byte)
    default: 0
    }
  }

  func isBoundary(_ state: DFA.State) -> Bool {
    if language.labels[Int(state)] != 0 { return true }
    return (0..<256).contains { byte in
      !(0x80...0xBF).contains(byte) && language.next(state, UInt8(byte)) != DFA.dead
    }
  }

  mutating func encode() {
    for state in 1...UInt32(max(1, plainCount)) where plainCount > 0 {
      var row = [UInt32](repeating: MachineTable.deadTarget, count: classCount)
      for byte in 0x20..<256 where byte != 0x22 && byte != 0x5C {
        let target = language.next(state, UInt8(byte))
        if target != DFA.dead { row[Int(classes[byte])] = target - 1 }
      }
      if language.labels[Int(state)] != 0 { row[Int(classes[0x22])] = MachineTable.endTarget }
      rows.append(row)
    }
    // Escapes come behind all plain states.
    for state in 1...UInt32(max(1, plainCount)) where plainCount > 0 {
      if let escape = escapes(of: state) { rows[Int(state) - 1][Int(classes[0x5C])] = escape }
    }
  }

  private mutating func escapes(of state: DFA.State) -> UInt32? {
    var row = [UInt32](repeating: MachineTable.deadTarget, count: classCount)
    var isUsed = false
    for (letter, byte) in MachineTable.shortEscapes {
      let target = language.next(state, byte)
      if target == DFA.dead { continue }
      row[Int(classes[Int(letter)])] = target - 1
      isUsed = true
    }
    var halves: [UInt32] = []
    for high in 0..<2 {
      var digits = [UInt32](repeating: MachineTable.deadTarget, count: classCount)
      var isHalfUsed = false
      for low in 0..<16 {
        let byte = UInt8(high * 16 + low)
        let target = language.next(state, byte)
        if target == DFA.dead || [0x08, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) { continue }
        digits[Int(classes[low < 10 ? 0x30 + low : 0x57 + low])] = target - 1
        isHalfUsed = true
      }
      halves.append(isHalfUsed ? add(digits) : MachineTable.deadTarget)
    }
    if halves.contains(where: { $0 != MachineTable.deadTarget }) {
      var third = [UInt32](repeating: MachineTable.deadTarget, count: classCount)
      third[Int(classes[0x30])] = halves[0]
      third[Int(classes[0x31])] = halves[1]
      var target = add(third)
      for _ in 0..<2 {
        var zero = [UInt32](repeating: MachineTable.deadTarget, count: classCount)
        zero[Int(classes[0x30])] = target
        target = add(zero)
      }
      row[Int(classes[0x75])] = target
      isUsed = true
    }
    return isUsed ? add(row) : nil
  }

  private mutating func add(_ row: [UInt32]) -> UInt32 {
    if let state = known[row] { return state }
    let state = UInt32(rows.count)
    rows.append(row)
    known[row] = state
    return state
  }
}
