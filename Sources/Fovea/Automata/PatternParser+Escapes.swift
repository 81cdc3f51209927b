extension PatternParser {
  /// What an escape or a member of a class stands for.
  enum Meaning {
    /// One code point; it may be half of a surrogate pair, which no text contains.
    case one(UInt32)
    /// A set such as `\d`, which cannot bound a range.
    case many(CodePointSet)

    /// The code points.
    var set: CodePointSet {
      switch self {
      case .one(let codePoint): CodePointSet(codePoint...codePoint)
      case .many(let set): set
      }
    }
  }

  /// Reads a class; its `[` has been taken.
  mutating func characterClass(at start: Int) throws(PatternError) -> CodePointSet {
    let isNegated = take("^")
    var ranges: [CodePointSet.Range] = []
    while !take("]") {
      let memberStart = position
      let member = try member(of: start)
      guard peek() == "-", position + 1 < text.count, text[position + 1] != 0x5D else {
        ranges += member.set.ranges
        continue
      }
      position += 1
      switch (member, try self.member(of: start)) {
      case (.one(let low), .one(let high)):
        if low > high {
          throw malformed("a range whose ends are out of order", at: memberStart)
        }
        ranges.append(CodePointSet.Range(low: low, high: high))
      case (let first, let second):
        // `[\w-.]`: the hyphen is one.
        ranges += first.set.ranges + second.set.ranges
        ranges.append(CodePointSet.Range(low: 0x2D, high: 0x2D))
      }
    }
    let set = CodePointSet(ranges)
    return isNegated ? set.complement : set
  }

  private mutating func member(of start: Int) throws(PatternError) -> Meaning {
    let memberStart = position
    guard let next = advance() else { throw malformed("a [ without ]", at: start) }
    return next == "\\" ? try escape(at: memberStart, inClass: true) : .one(next.value)
  }

  /// Reads an escape; its backslash has been taken.
  mutating func escape(at start: Int, inClass: Bool) throws(PatternError) -> Meaning {
    guard let next = advance() else { throw malformed("a \\ at the end", at: start) }
    switch next {
    case "d": return .many(.digits)
    case "D": return .many(CodePointSet.digits.complement)
    case "w": return .many(.word)
    case "W": return .many(CodePointSet.word.complement)
    case "s": return .many(.space)
    case "S": return .many(CodePointSet.space.complement)
    case "t": return .one(0x09)
    case "n": return .one(0x0A)
    case "v": return .one(0x0B)
    case "f": return .one(0x0C)
    case "r": return .one(0x0D)
    case "b" where inClass: return .one(0x08)
    case "0":
      if let digit = peek(), ("0"..."9").contains(digit) {
        throw malformed("an octal escape", at: start)
      }
      return .one(0)
    case "1"..."9", "k":
      if inClass { throw malformed("a back-reference in a class", at: start) }
      throw PatternError(.unsupported, "a back-reference at character \(start + 1)")
    case "c":
      guard let letter = advance(), letter.isASCII, letter.properties.isAlphabetic else {
        throw malformed("a control escape without a letter", at: start)
      }
      return .one(letter.value % 32)
    case "x":
      guard let value = hexadecimal(digits: 2) else {
        throw malformed("\\x without two hexadecimal digits", at: start)
      }
      return .one(value)
    case "u": return .one(try codePoint(at: start))
    case "p", "P":
      let set = try property(at: start)
      return .many(next == "P" ? set.complement : set)
    case "A"..."Z", "a"..."z":
      throw malformed("\\\(next), which means nothing in ECMA-262,", at: start)
    default: return .one(next.value)
    }
  }

  /// What follows `\u`: four digits, two such escapes that make a pair, or `{…}`.
  private mutating func codePoint(at start: Int) throws(PatternError) -> UInt32 {
    if take("{") {
      var value: UInt32 = 0
      let first = position
      while let digit = hexadecimal(digits: 1) {
        value = value * 16 + digit
        if value > CodePointSet.last { break }
      }
      guard position > first, value <= CodePointSet.last, take("}") else {
        throw malformed("\\u{…} without a code point", at: start)
      }
      return value
    }
    guard let value = hexadecimal(digits: 4) else {
      throw malformed("\\u without four hexadecimal digits", at: start)
    }
    let end = position
    if (0xD800...0xDBFF).contains(value), take("\\"), take("u"),
      let low = hexadecimal(digits: 4), (0xDC00...0xDFFF).contains(low)
    {
      return 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    position = end
    return value
  }

  private mutating func hexadecimal(digits: Int) -> UInt32? {
    guard position + digits <= text.count else { return nil }
    var value: UInt32 = 0
    for character in text[position..<position + digits] {
      switch character {
      case 0x30...0x39: value = value * 16 + character - 0x30
      case 0x41...0x46: value = value * 16 + character - 0x41 + 10
      case 0x61...0x66: value = value * 16 + character - 0x61 + 10
      default: return nil
      }
    }
    position += digits
    return value
  }

  private mutating func property(at start: Int) throws(PatternError) -> CodePointSet {
    guard take("{") else { throw malformed("\\p without {…}", at: start) }
    var name = String.UnicodeScalarView()
    while let next = advance(), next != "}" { name.append(next) }
    guard text[position - 1] == 0x7D, !name.isEmpty else {
      throw malformed("\\p without {…}", at: start)
    }
    guard let set = CodePointSet.unicode(String(name)) else {
      throw PatternError(
        .unsupported, "\\p{\(String(name))}, of which Fovea has no table, at character \(start + 1)"
      )
    }
    return set
  }
}
