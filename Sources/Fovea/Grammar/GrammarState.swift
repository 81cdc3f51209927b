/// A state of the byte automaton. The whole grammar is one flat array of them.
///
///     states   │ 0 dead │ 1 end │ 2 │ 3 │ … │ start │
///                                 │
///                                 ├─ edges[firstEdge ..< firstEdge + edgeCount], by first byte
///                                 │     "0"..."9" ─▶ 2      "." ─▶ 3
///                                 ├─ callee ─▶ start of a value; continue at returnState after it
///                                 └─ isFinal ─▶ the value may end here: go on where it was called
///
/// A byte takes the edge that holds it. Without such an edge the callee gets the byte, or, in a
/// final state, the state that waits in the frame below. At most one of the three fits, because
/// first bytes of JSON values and the bytes that follow values differ; so there is no backtracking
/// and no set of threads.
///
/// States are made from the end of the text to its beginning and shared when equal, so finite
/// languages (enumerations, dates, numbers) are minimal automata and a state that cannot be
/// completed is never made.
struct GrammarState: Sendable {
  /// What a state counts, and which of its bytes the count forbids.
  enum Role: UInt8, Sendable {
    /// Nothing is counted here.
    case plain
    /// Between two characters of a string: a quote needs the least length, anything else room.
    case text
    /// Inside an escape or a UTF-8 sequence, before the character has been counted.
    case textPart
    /// After an item of a list: a comma needs room, anything else the least number of items.
    case afterItem
    /// Between the comma and the next item.
    case beforeItem
  }

  /// No state: the byte is not allowed.
  static let dead: UInt32 = 0
  /// The value has ended and nothing more can belong to it.
  static let end: UInt32 = 1

  var firstEdge: UInt32
  var edgeCount: UInt16
  var role: Role
  var isFinal: Bool
  /// Index of the ``GrammarCounter`` when ``role`` is not plain.
  var counter: UInt32
  /// Start of the value that comes here, or ``dead``.
  var callee: UInt32
  /// Where to go on after the callee.
  var returnState: UInt32
  /// The least number of bytes to the end of this value once enough has been counted.
  var shortest: Int
}

/// A range of bytes that leads from one state to another.
struct GrammarEdge: Sendable, Hashable {
  var low: UInt8
  var high: UInt8
  var target: UInt32

  init(_ low: UInt8, _ high: UInt8, _ target: UInt32) {
    self.low = low
    self.high = high
    self.target = target
  }

  init(_ byte: UInt8, _ target: UInt32) { self.init(byte, byte, target) }

  /// One word instead of three values: most of compiling is hashing edges.
  func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(target) << 16 | UInt64(low) << 8 | UInt64(high))
  }
}

/// The bounds of a string's length or of a list's number of items.
struct GrammarCounter: Sendable, Hashable {
  /// Stands for "as many as the model writes".
  static let unlimited = UInt32.max

  var minimum: UInt32
  var maximum: UInt32
  /// The least number of bytes that one more character, or one more comma and item, takes.
  var unit: UInt32

  /// The count after one more. Without a maximum it stays at the minimum, beyond which nothing
  /// depends on it: so a loop comes back to the same configuration.
  func advanced(_ count: UInt32) -> UInt32 {
    maximum == Self.unlimited ? min(count + 1, minimum) : count + 1
  }

  /// A count from which any `reach` bytes are allowed or forbidden exactly as from `count`.
  ///
  /// `reach` bytes complete at most `reach / unit + 2` characters or items, so a bound that is
  /// farther away than that cannot be felt.
  func canonical(_ count: UInt32, reach: Int) -> UInt32 {
    let span = reach / Int(unit) + 2
    if maximum != Self.unlimited, Int(maximum) - Int(count) <= span { return count }
    if count >= minimum { return minimum }
    return Int(minimum) - Int(count) >= span ? 0 : count
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

  mutating func insert(_ range: ClosedRange<UInt8>) {
    for byte in range { insert(byte) }
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
