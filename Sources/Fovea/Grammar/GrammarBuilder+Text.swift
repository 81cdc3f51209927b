extension GrammarBuilder {
  /// A state that reads a string of any characters, quotes included.
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
  mutating func text(minimum: UInt32, maximum: UInt32) -> UInt32 {
    let counter = counter(GrammarCounter(minimum: minimum, maximum: maximum, unit: 1))
    if let text = texts[counter] { return literal([0x22], then: text) }
    let text = reserve(Draft(role: .text, counter: counter), shortest: 1)
    texts[counter] = text

    func part(_ edges: [GrammarEdge]) -> Draft {
      Draft(edges: edges, role: .textPart, counter: counter)
    }
    func hex(_ target: UInt32) -> [GrammarEdge] {
      [
        GrammarEdge(0x30, 0x39, target), GrammarEdge(0x41, 0x46, target),
        GrammarEdge(0x61, 0x66, target),
      ]
    }

    // UTF-8: overlong forms, surrogates and what lies above U+10FFFF are left out.
    let one = add(part([GrammarEdge(0x80, 0xBF, text)]))
    let two = add(part([GrammarEdge(0x80, 0xBF, one)]))
    let three = add(part([GrammarEdge(0x80, 0xBF, two)]))
    let afterE0 = add(part([GrammarEdge(0xA0, 0xBF, one)]))
    let afterED = add(part([GrammarEdge(0x80, 0x9F, one)]))
    let afterF0 = add(part([GrammarEdge(0x90, 0xBF, two)]))
    let afterF4 = add(part([GrammarEdge(0x80, 0x8F, two)]))

    // \u: the names say which hex digit comes next.
    let fourth = add(part(hex(text)))
    let third = add(part(hex(fourth)))
    let second = add(part(hex(third)))
    let lowSecond = add(part([GrammarEdge(0x43, 0x46, third), GrammarEdge(0x63, 0x66, third)]))
    let lowFirst = add(part([GrammarEdge(0x44, lowSecond), GrammarEdge(0x64, lowSecond)]))
    let lowMark = add(part([GrammarEdge(0x75, lowFirst)]))
    let lowEscape = add(part([GrammarEdge(0x5C, lowMark)]))
    let highFourth = add(part(hex(lowEscape)))
    let highThird = add(part(hex(highFourth)))
    let secondAfterD = add(
      part([
        GrammarEdge(0x30, 0x37, third), GrammarEdge(0x38, 0x39, highThird),
        GrammarEdge(0x41, 0x42, highThird), GrammarEdge(0x61, 0x62, highThird),
      ]))
    let first = add(
      part([
        GrammarEdge(0x30, 0x39, second), GrammarEdge(0x41, 0x43, second),
        GrammarEdge(0x44, secondAfterD), GrammarEdge(0x45, 0x46, second),
        GrammarEdge(0x61, 0x63, second), GrammarEdge(0x64, secondAfterD),
        GrammarEdge(0x65, 0x66, second),
      ]))
    let escape = add(
      part(#""\/bfnrt"#.utf8.map { GrammarEdge($0, text) } + [GrammarEdge(0x75, first)]))

    define(
      text,
      as: Draft(
        edges: [
          GrammarEdge(0x22, GrammarState.end), GrammarEdge(0x5C, escape),
          GrammarEdge(0x20, 0x21, text), GrammarEdge(0x23, 0x5B, text),
          GrammarEdge(0x5D, 0x7F, text), GrammarEdge(0xC2, 0xDF, one),
          GrammarEdge(0xE0, afterE0), GrammarEdge(0xE1, 0xEC, two), GrammarEdge(0xED, afterED),
          GrammarEdge(0xEE, 0xEF, two), GrammarEdge(0xF0, afterF0), GrammarEdge(0xF1, 0xF3, three),
          GrammarEdge(0xF4, afterF4),
        ], role: .text, counter: counter))
    return literal([0x22], then: text)
  }
}
