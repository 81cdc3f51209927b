/// Which bytes lead states of text automata back to themselves.
///
///     token tree   a ─▶ b ─▶ …      below `a` are only letters,
///     state q      ─letter─▶ q      which do not leave q: the whole subtree stays in q
///
/// so a walk need not enter subtrees whose bytes are all in the loop of the state that it is in:
/// in most patterns, and in all formats with a free part, that is nearly the whole vocabulary.
///
/// Sets of bytes are bits: one for each mark, one for all digits, four for the letters, and some for
/// whole characters beyond ASCII, by their first byte; see ``bit(of:)``.
struct LoopStates {
  /// What no loop has: bytes that are no UTF-8 where they stand.
  static let illFormed: UInt64 = 1 << 61
  private static let isKnown: UInt64 = 1 << 63
  /// The first bytes of characters beyond ASCII that have a set in common. Blanks and marks are
  /// apart from the scripts that most tokens are in.
  private static let leads: [ClosedRange<UInt8>] = [
    0xC2...0xC2, 0xC3...0xCF, 0xD0...0xD1, 0xD2...0xDF, 0xE0...0xE0, 0xE1...0xE1, 0xE2...0xE2,
    0xE3...0xE3, 0xE4...0xE9, 0xEA...0xEE, 0xEF...0xEF, 0xF0...0xF4,
  ]

  /// The loop of each state that was asked for.
  private var known: [UInt64] = []

  /// The set that an ASCII byte or the first byte of a longer character belongs to. What JSON does
  /// not take as it is has none of its own.
  static func bit(of byte: UInt8) -> UInt64 {
    switch byte {
    case 0x00..<0x20, 0x22, 0x5C, 0x7F: 1 << 59
    case 0x30...0x39: 1 << 0
    case 0x61...0x66: 1 << 1
    case 0x67...0x7A: 1 << 2
    case 0x41...0x46: 1 << 3
    case 0x47...0x5A: 1 << 4
    case 0x20...0x2F: 1 << UInt64(8 + byte - 0x20)
    case 0x3A...0x40: 1 << UInt64(24 + byte - 0x3A)
    case 0x5B...0x60: 1 << UInt64(31 + byte - 0x5B)
    case 0x7B..<0x7F: 1 << UInt64(37 + byte - 0x7B)
    default: leads.firstIndex { $0.contains(byte) }.map { 1 << UInt64(41 + $0) } ?? illFormed
    }
  }

  /// The sets of bytes that do not leave a state.
  mutating func loop(of state: UInt32, in table: MachineTable) -> UInt64 {
    let index = Int(state)
    if known.count < table.states.count {
      known = [UInt64](repeating: 0, count: table.states.count)
    }
    if known[index] == 0 { known[index] = Self.isKnown | Self.makeLoop(of: state, in: table) }
    return known[index]
  }

  private static func makeLoop(of state: UInt32, in table: MachineTable) -> UInt64 {
    let own = table.states[Int(state)]
    guard own.isBoundary else { return 0 }
    var loop: UInt64 = 0
    var others: UInt64 = 1 << 59
    for byte in UInt8(0x20)..<0x80 {
      if table.next(own, byte) == state { loop |= bit(of: byte) } else { others |= bit(of: byte) }
    }
    for lead in leads where lead.allSatisfy({ returns(state, by: $0, in: table) }) {
      loop |= bit(of: lead.lowerBound)
    }
    return loop & ~others
  }

  /// Whether every character with this first byte leads back to a state, and every beginning of one
  /// leads on as it does in a free string.
  private static func returns(_ state: UInt32, by lead: UInt8, in table: MachineTable) -> Bool {
    let text = MachineTable.base.text
    func step(_ state: UInt32, _ byte: UInt8) -> UInt32 {
      table.next(table.states[Int(state)], byte)
    }
    let first = (own: step(state, lead), free: step(text, lead))
    if first.own < MachineTable.Place.firstMachine { return false }
    // No state comes twice within one character.
    var pending = [first]
    while let (own, free) = pending.popLast() {
      if table.states[Int(own)].isBoundary { return false }
      var previous = MachineTable.Place.dead
      for byte in UInt8(0x80)...0xBF {
        let next = step(own, byte)
        switch step(free, byte) {
        case text: if next != state { return false }
        case MachineTable.Place.dead: if next != MachineTable.Place.dead { return false }
        case let wanted:
          if next < MachineTable.Place.firstMachine { return false }
          if next != previous { pending.append((next, wanted)) }
          previous = next
        }
      }
    }
    return true
  }
}
