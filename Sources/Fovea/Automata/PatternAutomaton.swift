/// A complete deterministic automaton over the classes of a ``PatternAlphabet``, minimal.
///
/// State 0 accepts no continuation and state 1 every one; both always exist.
struct PatternAutomaton {
  /// What stands in front of a place of the text: where a look-ahead may begin.
  enum Context: Int, CaseIterable {
    case textStart, wordCharacter, otherCharacter
  }

  /// The state without a future.
  static let dead: UInt32 = 0
  /// The state from which everything is accepted.
  static let all: UInt32 = 1

  /// How many classes there are.
  let width: Int
  /// `table[state * width + class]` is the next state.
  private(set) var table: [UInt32]
  /// Whether the text may end in a state.
  private(set) var accepts: [Bool]
  /// Where to start, by ``Context``.
  private(set) var starts: [UInt32]

  /// Minimizes an automaton whose first two states are as described.
  init(width: Int, table: [UInt32], accepts: [Bool], starts: [UInt32]) {
    let partition = PartitionRefinement(
      table: table, columns: width, colours: accepts.map { $0 ? 1 : 0 })
    var numbers = [UInt32?](repeating: nil, count: partition.blockCount)
    var representatives: [Int] = []
    for (state, block) in partition.blocks.enumerated() where numbers[Int(block)] == nil {
      numbers[Int(block)] = UInt32(representatives.count)
      representatives.append(state)
    }
    let number = partition.blocks.map { numbers[Int($0)] ?? Self.dead }
    self.width = width
    self.table = representatives.flatMap { state in
      table[state * width..<(state + 1) * width].map { number[Int($0)] }
    }
    self.accepts = representatives.map { accepts[$0] }
    self.starts = starts.map { number[Int($0)] }
  }

  /// The automaton of the texts that this one does not accept.
  var complement: PatternAutomaton {
    var result = self
    result.accepts = accepts.map { !$0 }
    // The two special states change their roles, and so their rows and their names.
    result.accepts[0] = false
    result.accepts[1] = true
    for index in table.indices where index >= 2 * width && table[index] <= 1 {
      result.table[index] = 1 - table[index]
    }
    result.starts = starts.map { $0 <= 1 ? 1 - $0 : $0 }
    return result
  }
}
