extension NormalNode {
  /// Adds what another alternative of the same `anyOf` allows.
  mutating func merge(_ other: NormalNode) throws(FoveaError) {
    literals.formUnion(other.literals)
    numbers += other.numbers
    formats.formUnion(other.formats)
    if let theirs = other.text {
      if let ours = text, ours != theirs { throw overlap(other, "two free strings") }
      text = theirs
    }
    if let theirs = other.list {
      if list != nil { throw overlap(other, "two lists") }
      list = theirs
    }
    if let theirs = other.object {
      if object != nil { throw overlap(other, "two objects") }
      object = theirs
    }
    try absorbIntoText(other)
  }

  /// Drops the fixed strings that a free string allows anyway.
  private mutating func absorbIntoText(_ other: NormalNode) throws(FoveaError) {
    guard let text else { return }
    for literal in literals where literal.first == 0x22 {
      // Escapes never begin with a continuation byte and the quotes are two characters, but an
      // escaped character has more bytes than one: count what is meant, not what is written.
      let length = Self.codePoints(inQuoted: literal)
      guard length >= text.minimum, length <= text.maximum else {
        throw overlap(other, "a free string with bounds and a fixed one outside of them")
      }
      literals.remove(literal)
    }
    if formats.isEmpty { return }
    guard text.minimum == 0, text.maximum == GrammarCounter.unlimited else {
      throw overlap(other, "a free string with bounds and a format")
    }
    formats = []
  }

  /// The number of code points of a string in canonical form.
  private static func codePoints(inQuoted literal: [UInt8]) -> Int {
    var count = 0
    var rest = literal.dropFirst().dropLast()
    while let byte = rest.first {
      let isEscape = byte == 0x5C
      let isLong = isEscape && rest.dropFirst().first == 0x75
      rest = rest.dropFirst(isLong ? 6 : isEscape ? 2 : 1)
      if isEscape || byte & 0xC0 != 0x80 { count += 1 }
    }
    return count
  }

  private func overlap(_ other: NormalNode, _ what: String) -> FoveaError {
    .unsupported(
      other.path, "begins like another alternative: \(what)",
      fix: "make the alternatives differ in the first byte of their JSON, or merge them into one")
  }
}
