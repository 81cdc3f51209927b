/// An automaton over the letters of a number, under construction.
///
///     column   0 (all other bytes)   1 `-`   2 `.`   3 `0` … 12 `9`
///     cells    │ 0: dead │ 1: - . 0 1 2 3 4 5 6 7 8 9 │ 2: …        13 a state
///
/// Numbers need nothing but these columns, so a table is written in place, without the lists of
/// ranges that automata over text begin with.
struct NumberTable {
  /// How many columns a state has.
  static let width = 13
  /// The column of the sign.
  static let minus = 1
  /// The column of the decimal point.
  static let point = 2
  /// The column of the digit 0; the other digits follow.
  static let zero = 3

  private(set) var cells = [DFA.State](repeating: 0, count: width)
  private(set) var labels: [UInt32] = [0]

  /// Adds a state that leads nowhere yet.
  mutating func add(accepts: Bool) throws(AutomatonTooLarge) -> DFA.State {
    if labels.count > DFA.mostStates { throw AutomatonTooLarge(limit: DFA.mostStates) }
    for _ in 0..<Self.width { cells.append(0) }
    labels.append(accepts ? 1 : 0)
    return DFA.State(labels.count - 1)
  }

  /// Where a column of a state leads.
  subscript(state: DFA.State, column: Int) -> DFA.State {
    get { cells[Int(state) * Self.width + column] }
    set { cells[Int(state) * Self.width + column] = newValue }
  }

  /// Lets some digits of a state lead to another.
  mutating func connect(_ state: DFA.State, _ digits: ClosedRange<Int>, to target: DFA.State) {
    for digit in digits { self[state, Self.zero + digit] = target }
  }

  /// Makes a state accept.
  mutating func accept(_ state: DFA.State) { labels[Int(state)] = 1 }

  /// Whether a state accepts.
  func accepts(_ state: DFA.State) -> Bool { labels[Int(state)] != 0 }

  /// The automaton of numbers whose magnitudes begin in these states, above zero and below it;
  /// the dead state for none.
  func finish(positive: DFA.State, negative: DFA.State) -> DFA {
    var table = self
    let first = Int(positive) * Self.width
    let start = DFA.State(labels.count)
    table.cells += cells[first..<first + Self.width]
    table.labels.append(0)
    table[start, Self.minus] = negative
    return DFA.Raw(
      table: table.cells, classes: Self.classes, classCount: Self.width, labels: table.labels,
      start: start
    ).minimized()
  }

  private static let classes: [UInt8] = {
    var classes = [UInt8](repeating: 0, count: 256)
    classes[Int(UInt8(ascii: "-"))] = UInt8(minus)
    classes[Int(UInt8(ascii: "."))] = UInt8(point)
    for digit in 0..<10 { classes[Int(UInt8(ascii: "0")) + digit] = UInt8(zero + digit) }
    return classes
  }()
}
