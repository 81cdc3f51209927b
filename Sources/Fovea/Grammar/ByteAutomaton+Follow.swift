extension ByteAutomaton {
  /// The bytes that may follow.
  mutating func follow(_ at: Configuration) -> ByteSet {
    var result = ByteSet()
    candidates(at).forEach { if !step(at, $0).isDead { result.insert($0) } }
    return result
  }

  /// The bytes that are worth trying: all others cannot follow.
  func candidates(_ at: Configuration) -> ByteSet {
    if at.state == Place.several {
      var result = ByteSet()
      for member in sets[Int(at.count)] { result.formUnion(candidates(member)) }
      return result
    }
    if at.state < Place.firstMachine { return ByteSet.structural }
    let state = grammar.table.states[Int(at.state)]
    switch state.role {
    case .place, .rule: return .all
    case .text, .countedText, .keyText, .keyPattern: return grammar.table.bytes(from: state)
    case .number:
      // What ends a number is no part of it.
      var result = ByteSet.structural
      result.formUnion(grammar.table.bytes(from: state))
      return result
    case .keyName:
      var result = ByteSet()
      result.insert(0x22)
      let node = grammar.keyNodes[Int(state.detail)]
      for index in node.edges { result.insert(grammar.keyEdges[Int(index)].byte) }
      if node.fallback != 0, at.text != SpelledTexts.untracked {
        result.formUnion(grammar.table.bytes(from: grammar.table.states[Int(node.fallback)]))
      }
      return result
    }
  }
}

extension MachineTable {
  /// The bytes that lead somewhere from a state with a row.
  func bytes(from state: State) -> ByteSet {
    var result = ByteSet()
    for byte in UInt8.min...UInt8.max where next(state, byte) != Place.dead { result.insert(byte) }
    return result
  }
}

/// A set of byte values.
struct ByteSet: Sendable, Equatable {
  private var low: (UInt64, UInt64) = (0, 0)
  private var high: (UInt64, UInt64) = (0, 0)

  static func == (left: ByteSet, right: ByteSet) -> Bool {
    left.low == right.low && left.high == right.high
  }

  func contains(_ byte: UInt8) -> Bool {
    let bit = UInt64(1) << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: return low.0 & bit != 0
    case 1: return low.1 & bit != 0
    case 2: return high.0 & bit != 0
    default: return high.1 & bit != 0
    }
  }

  mutating func insert(_ byte: UInt8) {
    let bit = UInt64(1) << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: low.0 |= bit
    case 1: low.1 |= bit
    case 2: high.0 |= bit
    default: high.1 |= bit
    }
  }

  mutating func formUnion(_ other: ByteSet) {
    low = (low.0 | other.low.0, low.1 | other.low.1)
    high = (high.0 | other.high.0, high.1 | other.high.1)
  }

  /// Every byte.
  static let all: ByteSet = {
    var result = ByteSet()
    for byte in UInt8.min...UInt8.max { result.insert(byte) }
    return result
  }()

  /// What JSON has outside of texts: brackets, marks, blanks, and the first bytes of values.
  static let structural: ByteSet = {
    var result = ByteSet()
    for byte in "{}[],:\"ntf-0123456789 \n".utf8 { result.insert(byte) }
    return result
  }()

  /// Calls `body` with each byte in the set, ascending.
  @inline(__always)
  func forEach(_ body: (UInt8) -> Void) {
    var offset = 0
    for word in [low.0, low.1, high.0, high.1] {
      var rest = word
      while rest != 0 {
        body(UInt8(offset + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
      offset += 64
    }
  }

  var count: Int {
    low.0.nonzeroBitCount + low.1.nonzeroBitCount + high.0.nonzeroBitCount
      + high.1.nonzeroBitCount
  }

  /// The bytes in the set, ascending.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    forEach { result.append($0) }
    return result
  }
}
