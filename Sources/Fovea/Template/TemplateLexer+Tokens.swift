extension TemplateLexer {
  private static let signs = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "*", "/", "%", "~", "[", "]", "(", ")", "{", "}",
    ">", "<", "=", ".", ":", "|", ",", ";",
  ].map { (text: $0, units: $0.unicodeScalars.map(\.value)) }

  /// The tokens up to the end of a tag.
  mutating func readExpression(
    closing: UInt32, from offset: Int
  ) throws(TemplateFailure) {
    var brackets: [String] = []
    while true {
      while at < source.count, TemplateText.isSpace(source[at]) { at += 1 }
      guard at < source.count else { throw TemplateFailure("the tag has no end", at: offset) }
      if brackets.isEmpty, let end = endOfTag(closing) {
        items.append(Item(token: closing == 0x7D ? .endOutput : .endStatement, offset: at))
        let sign = source[at]
        at = end
        passEnd(minus: sign == 0x2D, plus: sign == 0x2B, trims: closing == 0x25)
        return
      }
      let start = at
      let token = try readToken()
      if case .sign(let sign) = token {
        switch sign {
        case "(": brackets.append(")")
        case "[": brackets.append("]")
        case "{": brackets.append("}")
        case ")", "]", "}":
          guard brackets.popLast() == sign else {
            throw TemplateFailure("'\(sign)' closes nothing here", at: start)
          }
        default: break
        }
      }
      items.append(Item(token: token, offset: start))
    }
  }

  /// Where the tag ends that ends here, with its sign.
  private func endOfTag(_ closing: UInt32) -> Int? {
    var index = at
    if source[index] == 0x2D || (source[index] == 0x2B && closing == 0x25) { index += 1 }
    guard index + 1 < source.count, source[index] == closing, source[index + 1] == 0x7D else {
      return nil
    }
    return index + 2
  }

  private mutating func readToken() throws(TemplateFailure) -> TemplateToken {
    let first = source[at]
    if first == 0x22 || first == 0x27 { return try readString(first) }
    if (0x30...0x39).contains(first) { return try readNumber() }
    if isNameStart(first) {
      let start = at
      while at < source.count, isNameStart(source[at]) || isNamePart(source[at]) { at += 1 }
      return .name(TemplateText.string(source[start..<at]))
    }
    for sign in Self.signs
    where at + sign.units.count <= source.count
      && source[at..<(at + sign.units.count)].elementsEqual(sign.units)
    {
      at += sign.units.count
      return .sign(sign.text)
    }
    throw TemplateFailure(
      "the character '\(TemplateText.string(source[at...at]))' means nothing here", at: at)
  }

  private func isNameStart(_ unit: UInt32) -> Bool {
    unit == 0x5F || Unicode.Scalar(unit)?.properties.isXIDStart ?? false
  }

  private func isNamePart(_ unit: UInt32) -> Bool {
    Unicode.Scalar(unit)?.properties.isXIDContinue ?? false
  }

  private func isDigit(_ index: Int) -> Bool {
    index < source.count && (0x30...0x39).contains(source[index])
  }

  /// Digits, with single `_` between them.
  private mutating func readDigits(_ digits: inout String) {
    while isDigit(at) || (at < source.count && source[at] == 0x5F && isDigit(at + 1)) {
      if source[at] != 0x5F { digits += TemplateText.string(source[at...at]) }
      at += 1
    }
  }

  private mutating func readNumber() throws(TemplateFailure) -> TemplateToken {
    let start = at
    if let whole = try readRadix() { return .integer(whole) }
    var digits = ""
    readDigits(&digits)
    var isDouble = false
    if at < source.count, source[at] == 0x2E, isDigit(at + 1) {
      isDouble = true
      digits += "."
      at += 1
      readDigits(&digits)
    }
    if at < source.count, source[at] == 0x65 || source[at] == 0x45 {
      var index = at + 1
      if index < source.count, source[index] == 0x2B || source[index] == 0x2D { index += 1 }
      if isDigit(index) {
        isDouble = true
        digits += TemplateText.string(source[at..<index])
        at = index
        readDigits(&digits)
      }
    }
    if isDouble, let value = Double(digits) { return .double(value) }
    if digits.count > 1, digits.hasPrefix("0"), digits.contains(where: { $0 != "0" }) {
      throw TemplateFailure("a number with a leading zero", at: start)
    }
    guard !isDouble, let value = Int(digits) else {
      throw TemplateFailure("the number \(digits) is too large", .unsupported, at: start)
    }
    return .integer(value)
  }

  /// `0x1F`, `0o17` or `0b11`; nil for any other number.
  private mutating func readRadix() throws(TemplateFailure) -> Int? {
    let radixes: [UInt32: Int] = [0x78: 16, 0x58: 16, 0x6F: 8, 0x4F: 8, 0x62: 2, 0x42: 2]
    guard source[at] == 0x30, at + 2 < source.count, let radix = radixes[source[at + 1]] else {
      return nil
    }
    let start = at
    var digits = ""
    at += 2
    while at < source.count, let scalar = Unicode.Scalar(source[at]) {
      if scalar != "_" {
        guard let digit = Character(scalar).hexDigitValue, digit < radix else { break }
        digits.unicodeScalars.append(scalar)
      }
      at += 1
    }
    guard !digits.isEmpty, let value = Int(digits, radix: radix) else {
      throw TemplateFailure("a number that cannot be read", at: start)
    }
    return value
  }

  private mutating func readString(_ quote: UInt32) throws(TemplateFailure) -> TemplateToken {
    let start = at
    at += 1
    var units: [UInt32] = []
    while at < source.count, source[at] != quote {
      let unit = source[at]
      at += 1
      if unit != 0x5C {
        units.append(unit)
        continue
      }
      guard at < source.count else { break }
      let letter = source[at]
      at += 1
      switch letter {
      case 0x0A: break
      case 0x5C, 0x27, 0x22: units.append(letter)
      case 0x61: units.append(0x07)
      case 0x62: units.append(0x08)
      case 0x66: units.append(0x0C)
      case 0x6E: units.append(0x0A)
      case 0x72: units.append(0x0D)
      case 0x74: units.append(0x09)
      case 0x76: units.append(0x0B)
      case 0x78: units.append(try readHex(2, from: start))
      case 0x75: units.append(try readHex(4, from: start))
      case 0x55: units.append(try readHex(8, from: start))
      case 0x30...0x37:
        var value = letter - 0x30
        var length = 1
        while length < 3, at < source.count, (0x30...0x37).contains(source[at]) {
          value = value * 8 + source[at] - 0x30
          at += 1
          length += 1
        }
        units.append(value)
      case 0x4E: throw TemplateFailure("characters by name", .unsupported, at: start)
      default: units += [0x5C, letter]
      }
    }
    guard at < source.count else { throw TemplateFailure("the string has no end", at: start) }
    at += 1
    return .string(units)
  }

  private mutating func readHex(
    _ length: Int, from start: Int
  ) throws(TemplateFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<length {
      guard at < source.count, let scalar = Unicode.Scalar(source[at]),
        let digit = Character(scalar).hexDigitValue
      else { throw TemplateFailure("an escape without its digits", at: start) }
      value = value << 4 | UInt32(digit)
      at += 1
    }
    guard Unicode.Scalar(value) != nil else {
      throw TemplateFailure("an escape that is no character", at: start)
    }
    return value
  }
}
