extension TextLanguage {
  /// Host names whose labels, each with its dot and rounded up to a multiple of 16 octets, take at
  /// most `units` times 16 octets.
  ///
  /// Counting octets exactly beside those of the label takes 36,000 states. In units, a state knows
  /// where in the label it is, of what kind the label is, and the units that are left behind it:
  ///
  ///     units before the label  ×  octets of the label 0…63  ×  │ digits: only digits so far
  ///                                                             │ name:   ends with a letter or digit
  ///                                                             │ hyphen: ends with a hyphen
  static func host(units: Int) throws(AutomatonTooLarge) -> DFA {
    let kinds = 3
    let (digits, name, hyphen) = (0, 1, 2)
    func state(_ before: Int, _ octets: Int, _ kind: Int) -> DFA.State {
      DFA.State(1 + (before * 64 + octets) * kinds + kind)
    }
    var builder = DFA.Builder()
    for before in 0..<units {
      for octets in 0...63 {
        for kind in 0..<kinds {
          var edges: [DFA.Builder.Edge] = []
          func edge(_ low: UInt8, _ high: UInt8, to target: DFA.State) {
            edges.append(DFA.Builder.Edge(low: low, high: high, target: target))
          }
          // A label of 15 octets and its dot are one unit.
          if octets < 63, before + (octets + 1) / 16 < units {
            let letters = state(before, octets + 1, name)
            edge(0x30, 0x39, to: kind == digits ? state(before, octets + 1, digits) : letters)
            edge(0x41, 0x5A, to: letters)
            edge(0x61, 0x7A, to: letters)
            // No hyphens at the third and fourth place.
            if octets > 0, !(octets == 3 && kind == hyphen) {
              edge(0x2D, 0x2D, to: state(before, octets + 1, hyphen))
            }
          }
          let after = before + octets / 16 + 1
          if octets > 0, kind != hyphen, after < units {
            edge(0x2E, 0x2E, to: state(after, 0, digits))
          }
          let isEnd = octets > 0 && kind == name
          _ = try builder.add(label: isEnd ? 1 : 0, edges)
        }
      }
    }
    return builder.finish(start: state(0, 0, digits))
  }
}
