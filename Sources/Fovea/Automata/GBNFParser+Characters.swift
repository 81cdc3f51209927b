extension GBNFParser {
  /// A literal's characters; the position is at its opening quote.
  mutating func literal() throws(FoveaError) -> [UInt32] {
    let start = position
    var result: [UInt32] = []
    position += 1
    while position < scalars.count {
      if take("\"") { return result }
      let place = position
      let character = try character()
      if (0xD800...0xDFFF).contains(character) {
        throw error(
          "a half of a surrogate pair is no character", at: place,
          fix: "write the character itself, or '\\U' with its eight digits")
      }
      result.append(character)
    }
    throw error("the literal is not closed", at: start, fix: "close it with a quote")
  }

  /// A class; the position is at its opening bracket.
  mutating func characterClass() throws(FoveaError) -> CharacterRanges {
    let start = position
    position += 1
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    while position < scalars.count {
      if take("]") {
        let listed = CharacterRanges(ranges)
        let set = isNegated ? listed.inverted : listed
        if ranges.isEmpty || set.ranges.isEmpty {
          throw error(
            "no character is in the class", at: start,
            fix: "list characters in it; '.' is any character, and '\"\"' is nothing")
        }
        return set
      }
      let place = position
      let low = try character()
      var high = low
      // A dash before the closing bracket is a dash.
      if stands("-", at: position), position + 1 < scalars.count,
        !stands("]", at: position + 1)
      {
        position += 1
        high = try character()
        if high < low {
          throw error(
            "the range goes from a higher to a lower character", at: place,
            fix: "exchange its ends, or write the dash as '\\-'")
        }
      }
      ranges.append(low...high)
    }
    throw error("the class is not closed", at: start, fix: "close it with ']'")
  }

  /// One character or escape; there is one.
  private mutating func character() throws(FoveaError) -> UInt32 {
    let start = position
    let first = scalars[position]
    position += 1
    guard stands("\\", at: start), position < scalars.count else { return first }
    let kind = scalars[position]
    position += 1
    switch Unicode.Scalar(kind) {
    case "n": return 0x0A
    case "t": return 0x09
    case "r": return 0x0D
    case "\\", "\"", "[", "]", "-": return kind
    case "x": return try hexadecimal(digits: 2, from: start)
    case "u": return try hexadecimal(digits: 4, from: start)
    case "U": return try hexadecimal(digits: 8, from: start)
    default:
      throw error(
        "'\(text(scalars[start..<position]))' is no escape", at: start,
        fix: "the escapes are \\n \\t \\r \\\\ \\\" \\[ \\] \\- \\xHH \\uHHHH and \\UHHHHHHHH")
    }
  }

  private mutating func hexadecimal(digits: Int, from start: Int) throws(FoveaError) -> UInt32 {
    let end = position + digits
    var value: UInt32 = 0
    for index in position..<end {
      let digit = index < scalars.count ? Unicode.Scalar(scalars[index]) : nil
      guard let digit, let number = Character(digit).hexDigitValue, digit.isASCII else {
        throw error(
          "the escape needs \(digits) hexadecimal digits", at: start, fix: "write all of them")
      }
      value = value << 4 | UInt32(number)
    }
    position = end
    if value > 0x10FFFF {
      throw error("there is no such character", at: start, fix: "the last is \\U0010FFFF")
    }
    return value
  }

  /// A sign of repetition and the blanks inside it; nil where none begins.
  mutating func repetition(
    newlines: Bool
  ) throws(FoveaError) -> (minimum: Int, maximum: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = position
    guard take("{") else { return nil }
    skipBlanks(newlines: newlines)
    let minimum = try count()
    skipBlanks(newlines: newlines)
    var maximum = minimum
    let hasComma = take(",")
    if hasComma {
      skipBlanks(newlines: newlines)
      maximum = try count()
      skipBlanks(newlines: newlines)
    }
    guard take("}"), minimum != nil || maximum != nil else {
      throw error(
        "the repetition is malformed", at: start, fix: "write it as {2}, {2,}, {,5} or {2,5}")
    }
    if let minimum, let maximum, minimum > maximum {
      throw error(
        "the repetition's minimum is above its maximum", at: start, fix: "exchange its numbers")
    }
    return (minimum ?? 0, maximum)
  }

  private mutating func count() throws(FoveaError) -> Int? {
    let start = position
    while position < scalars.count, (0x30...0x39).contains(scalars[position]) { position += 1 }
    if position == start { return nil }
    let value = Int(text(scalars[start..<position])) ?? Int.max
    if value > Self.mostRepetitions {
      throw error(
        "more than \(Self.mostRepetitions) repetitions", at: start,
        fix: "use a smaller number, or none ('*', '{2,}')", code: .schemaTooComplex)
    }
    return value
  }

  /// llama.cpp's notation for tokens of one model's vocabulary.
  func tokenReference() -> FoveaError {
    var end = position
    while end < scalars.count, !stands(">", at: end), !isNewline(scalars[end]) { end += 1 }
    let name = text(scalars[position..<min(end + 1, scalars.count)])
    return error(
      "'\(name)' refers to a token of a model's vocabulary; grammars here are about text",
      at: position, fix: "write what stands in the text in quotes", code: .unsupportedSchema)
  }

  // MARK: Reading

  mutating func skipBlanks(newlines: Bool) {
    while position < scalars.count {
      let scalar = scalars[position]
      if stands("#", at: position) {
        while position < scalars.count, !isNewline(scalars[position]) { position += 1 }
      } else if scalar == 0x20 || scalar == 0x09 || newlines && isNewline(scalar) {
        position += 1
      } else {
        return
      }
    }
  }

  /// Goes on behind the text if it stands here.
  mutating func take(_ text: String) -> Bool {
    var end = position
    for scalar in text.unicodeScalars {
      guard end < scalars.count, scalars[end] == scalar.value else { return false }
      end += 1
    }
    position = end
    return true
  }

  func stands(_ scalar: Unicode.Scalar, at position: Int) -> Bool {
    position < scalars.count && scalars[position] == scalar.value
  }

  func isNewline(_ scalar: UInt32) -> Bool { scalar == 0x0A || scalar == 0x0D }

  func text(_ scalars: ArraySlice<UInt32>) -> String {
    var view = String.UnicodeScalarView()
    for scalar in scalars { view.append(Unicode.Scalar(scalar) ?? "\u{FFFD}") }
    return String(view)
  }

  func text(at position: Int) -> String { text(scalars[position...position]) }

  // MARK: Errors

  /// The line that a position is in: its number from 1, and where it begins.
  func line(of position: Int) -> (number: Int, start: Int) {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= position { low = middle } else { high = middle }
    }
    return (low + 1, lineStarts[low])
  }

  /// An error with its line, its column and what stands there.
  func error(
    _ message: String, at position: Int, fix: String, code: FoveaError.Code = .invalidSchema
  ) -> FoveaError {
    let line = line(of: position)
    var end = line.start
    while end < scalars.count, !isNewline(scalars[end]) { end += 1 }
    // Long lines are shown around the place.
    let first = max(line.start, position - 30)
    let last = min(end, max(first, position) + 30)
    let excerpt =
      (first > line.start ? "…" : "") + text(scalars[first..<last]) + (last < end ? "…" : "")
    return FoveaError(
      code,
      "line \(line.number), column \(position - line.start + 1) of the grammar: \(message) "
        + "(`\(excerpt)`)", fix: fix)
  }
}
