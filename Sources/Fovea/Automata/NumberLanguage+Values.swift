extension NumberLanguage {
  /// These numbers.
  ///
  /// - Throws: when one of them has more than ``mostDigits`` digits, or all together too many.
  package static func values(_ values: [ExactNumber]) throws(AutomatonTooLarge) -> DFA {
    var trie = ValueTrie()
    for value in values { try trie.insert(value) }
    return trie.finish()
  }
}

/// The digits of some numbers as a tree, in which zeros may follow each fraction.
///
///     5, 5.05     ─▶ 5 ─▶ . ─▶ 0 ─▶ 5 ─▶ zeros ⟲ 0         doubled: accepts
///                    ═         ═└ 0 ─▶ zeros
///
/// `5.0` is a spelling of 5 and the beginning of 5.05: so a zero after a number leads along the
/// tree where that goes on, and to the loop elsewhere.
private struct ValueTrie {
  private var table = NumberTable()
  private var entries: [DFA.State] = []
  private var zeros = DFA.dead
  /// Where numbers end, in the order of their insertion.
  private var ends: [DFA.State] = []

  mutating func insert(_ value: ExactNumber) throws(AutomatonTooLarge) {
    if entries.isEmpty {
      zeros = try table.add(accepts: true)
      table.connect(zeros, 0...0, to: zeros)
      entries = [try table.add(accepts: false), try table.add(accepts: false)]
    }
    let (whole, fraction) = try value.plainDigits(limit: NumberLanguage.mostDigits)
    // Zero has both signs.
    for (entry, isNegative) in zip(entries, [false, true])
    where isNegative == value.isNegative || value.digits.isEmpty {
      var state = entry
      for digit in whole { state = try child(of: state, NumberTable.zero + Int(digit)) }
      if fraction.isEmpty { table.accept(state) }
      state = try child(of: state, NumberTable.point)
      for digit in fraction { state = try child(of: state, NumberTable.zero + Int(digit)) }
      if !fraction.isEmpty { table.accept(state) }
      ends.append(state)
    }
  }

  private mutating func child(
    of state: DFA.State, _ column: Int
  ) throws(AutomatonTooLarge) -> DFA.State {
    if table[state, column] != 0 { return table[state, column] }
    let fresh = try table.add(accepts: false)
    table[state, column] = fresh
    return fresh
  }

  func finish() -> DFA {
    guard entries.count == 2 else { return .empty }
    var table = table
    for end in ends {
      var state = end
      while table[state, NumberTable.zero] != 0, table[state, NumberTable.zero] != zeros {
        state = table[state, NumberTable.zero]
        table.accept(state)
      }
      table[state, NumberTable.zero] = zeros
    }
    return table.finish(positive: entries[0], negative: entries[1])
  }
}

extension ExactNumber {
  /// The digits of its magnitude before the point, at least one, and after it, without zeros at
  /// the end.
  ///
  /// - Throws: when one of them would be more than `limit`; no memory is spent on it then.
  func plainDigits(
    limit: Int
  ) throws(AutomatonTooLarge) -> (whole: [UInt8], fraction: [UInt8]) {
    if max(scale, digits.count - scale) > limit { throw AutomatonTooLarge(limit: limit) }
    if digits.isEmpty { return ([0], []) }
    if scale <= 0 { return ([0], [UInt8](repeating: 0, count: -scale) + digits) }
    let zeros = [UInt8](repeating: 0, count: max(0, scale - digits.count))
    return (digits.prefix(scale) + zeros, Array(digits.dropFirst(scale)))
  }
}
