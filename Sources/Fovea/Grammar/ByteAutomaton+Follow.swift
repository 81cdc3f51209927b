extension ByteAutomaton {
  /// The bytes that may follow.
  mutating func follow(_ at: Configuration) -> ByteSet {
    var result = ByteSet()
    for byte in 0...255 where !step(at, UInt8(byte)).isDead { result.insert(UInt8(byte)) }
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

  var count: Int {
    low.0.nonzeroBitCount + low.1.nonzeroBitCount + high.0.nonzeroBitCount
      + high.1.nonzeroBitCount
  }

  /// The bytes in the set, ascending.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    for (index, word) in [low.0, low.1, high.0, high.1].enumerated() {
      var rest = word
      while rest != 0 {
        result.append(UInt8(index * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return result
  }
}
