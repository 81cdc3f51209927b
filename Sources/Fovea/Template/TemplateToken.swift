/// A piece of a template's source.
enum TemplateToken: Equatable, Sendable {
  /// Text outside of all tags, as it is written out.
  case text([UInt32])
  case beginOutput
  case endOutput
  case beginStatement
  case endStatement
  case name(String)
  case string([UInt32])
  case integer(Int)
  case double(Double)
  /// An operator or a bracket.
  case sign(String)
  case end

  /// How the token is named in messages.
  var description: String {
    switch self {
    case .text: "text"
    case .beginOutput: "'{{'"
    case .endOutput: "'}}'"
    case .beginStatement: "'{%'"
    case .endStatement: "'%}'"
    case .name(let name): "'\(name)'"
    case .string: "a string"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .sign(let sign): "'\(sign)'"
    case .end: "the end of the template"
    }
  }
}

/// Cuts a template's source into tokens, with the white space rules that chat templates are written
/// for: `trim_blocks` (the line end behind a statement goes) and `lstrip_blocks` (blanks before a
/// statement that begins its line go), unless a `-` or `+` says otherwise.
struct TemplateLexer {
  /// A token and where it begins, in code points.
  struct Item: Sendable {
    var token: TemplateToken
    var offset: Int
  }

  private let source: [UInt32]
  private var at = 0
  private var items: [Item] = []
  /// Whether what comes next stands at the beginning of a line.
  private var isLineStart = true

  private init(_ source: [UInt32]) { self.source = source }

  static func tokens(of text: String) throws(TemplateFailure) -> [Item] {
    var units: [UInt32] = []
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      // A return, alone or before a line end, is a line end.
      if scalar.value == 0x0A, isAfterReturn {
        isAfterReturn = false
        continue
      }
      isAfterReturn = scalar.value == 0x0D
      units.append(isAfterReturn ? 0x0A : scalar.value)
    }
    if units.last == 0x0A { units.removeLast() }
    var lexer = TemplateLexer(units)
    try lexer.run()
    return lexer.items
  }

  private mutating func run() throws(TemplateFailure) {
    while let tag = nextTag() {
      try addText(upTo: tag)
      let offset = tag
      at = tag + 2
      let kind = source[tag + 1]
      if at < source.count, source[at] == 0x2D || source[at] == 0x2B { at += 1 }
      switch kind {
      case 0x23: try skipComment(from: offset)
      case 0x7B:
        items.append(Item(token: .beginOutput, offset: offset))
        try readExpression(closing: 0x7D, from: offset)
      default:
        if try skipRaw(from: offset) { continue }
        items.append(Item(token: .beginStatement, offset: offset))
        try readExpression(closing: 0x25, from: offset)
      }
    }
    addText(source[at...], from: at)
    items.append(Item(token: .end, offset: source.count))
  }

  /// The next place of `{{`, `{%` or `{#`.
  private func nextTag() -> Int? {
    var index = at
    while index + 1 < source.count {
      if source[index] == 0x7B, [0x7B, 0x25, 0x23].contains(source[index + 1]) { return index }
      index += 1
    }
    return nil
  }

  private mutating func addText(_ units: ArraySlice<UInt32>, from offset: Int) {
    if !units.isEmpty { items.append(Item(token: .text(Array(units)), offset: offset)) }
  }

  /// The text before a tag, without the blanks that the tag takes away.
  private mutating func addText(upTo tag: Int) throws(TemplateFailure) {
    addText(text(upTo: tag), from: at)
  }

  private func text(upTo tag: Int) -> ArraySlice<UInt32> {
    let text = source[at..<tag]
    let sign = tag + 2 < source.count ? source[tag + 2] : 0
    if sign == 0x2D {
      let last = text.lastIndex { !TemplateText.isSpace($0) }
      return text[..<(last.map { $0 + 1 } ?? text.startIndex)]
    }
    if sign == 0x2B || source[tag + 1] == 0x7B { return text }
    let line = text.lastIndex(of: 0x0A).map { $0 + 1 }
    guard line != nil || isLineStart else { return text }
    let start = line ?? text.startIndex
    return text[start...].allSatisfy { TemplateText.isSpace($0) } ? text[..<start] : text
  }

  /// Behind a tag: `-` takes all blanks, a statement or comment one line end.
  private mutating func passEnd(minus: Bool, plus: Bool, trims: Bool) {
    let start = at
    if minus {
      while at < source.count, TemplateText.isSpace(source[at]) { at += 1 }
    } else if trims, !plus, at < source.count, source[at] == 0x0A {
      at += 1
    }
    isLineStart = at > start && source[at - 1] == 0x0A
  }

  private mutating func skipComment(from offset: Int) throws(TemplateFailure) {
    let start = at
    while at + 1 < source.count {
      if source[at] == 0x23, source[at + 1] == 0x7D {
        let sign = at > start ? source[at - 1] : 0
        at += 2
        passEnd(minus: sign == 0x2D, plus: sign == 0x2B, trims: true)
        return
      }
      at += 1
    }
    throw TemplateFailure("the comment has no end", at: offset)
  }

  /// `{% raw %} … {% endraw %}`; false for any other statement.
  private mutating func skipRaw(from offset: Int) throws(TemplateFailure) -> Bool {
    let begin = at
    guard let end = passTag("raw", from: at), !end.plus else {
      at = begin
      return false
    }
    at = end.next
    passEnd(minus: end.minus, plus: false, trims: false)
    var tag = at
    while tag + 1 < source.count {
      if source[tag] == 0x7B, source[tag + 1] == 0x25 {
        var inner = tag + 2
        if inner < source.count, source[inner] == 0x2D || source[inner] == 0x2B { inner += 1 }
        if let close = passTag("endraw", from: inner) {
          addText(text(upTo: tag), from: at)
          at = close.next
          passEnd(minus: close.minus, plus: close.plus, trims: true)
          return true
        }
      }
      tag += 1
    }
    throw TemplateFailure("'raw' has no 'endraw'", at: offset)
  }

  /// What is behind a statement that is one word; nil when it is something else.
  private func passTag(
    _ word: String, from start: Int
  ) -> (next: Int, minus: Bool, plus: Bool)? {
    var index = start
    while index < source.count, TemplateText.isSpace(source[index]) { index += 1 }
    for scalar in word.unicodeScalars {
      guard index < source.count, source[index] == scalar.value else { return nil }
      index += 1
    }
    while index < source.count, TemplateText.isSpace(source[index]) { index += 1 }
    guard index + 1 < source.count else { return nil }
    let sign = source[index]
    if sign == 0x2D || sign == 0x2B { index += 1 }
    guard index + 1 < source.count, source[index] == 0x25, source[index + 1] == 0x7D else {
      return nil
    }
    return (index + 2, sign == 0x2D, sign == 0x2B)
  }

  // MARK: Expressions

  private static let signs = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "*", "/", "%", "~", "[", "]", "(", ")", "{", "}",
    ">", "<", "=", ".", ":", "|", ",", ";",
  ].map { (text: $0, units: $0.unicodeScalars.map(\.value)) }

  private mutating func readExpression(
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

  private mutating func readNumber() throws(TemplateFailure) -> TemplateToken {
    let start = at
    var digits = ""
    func isDigit(_ index: Int) -> Bool {
      index < source.count && (0x30...0x39).contains(source[index])
    }
    func readDigits(_ at: inout Int) {
      while isDigit(at) || (at < source.count && source[at] == 0x5F && isDigit(at + 1)) {
        if source[at] != 0x5F { digits += TemplateText.string(source[at...at]) }
        at += 1
      }
    }
    if source[at] == 0x30, at + 2 < source.count,
      let radix = [0x78: 16, 0x58: 16, 0x6F: 8, 0x4F: 8, 0x62: 2, 0x42: 2][source[at + 1]]
    {
      var index = at + 2
      while index < source.count,
        let scalar = Unicode.Scalar(source[index]),
        scalar == "_" || Character(scalar).hexDigitValue.map({ $0 < radix }) ?? false
      {
        if scalar != "_" { digits.unicodeScalars.append(scalar) }
        index += 1
      }
      guard !digits.isEmpty, let value = Int(digits, radix: radix) else {
        throw TemplateFailure("a number that cannot be read", at: start)
      }
      at = index
      return .integer(value)
    }
    readDigits(&at)
    var isDouble = false
    if at < source.count, source[at] == 0x2E, isDigit(at + 1) {
      isDouble = true
      digits += "."
      at += 1
      readDigits(&at)
    }
    if at < source.count, source[at] == 0x65 || source[at] == 0x45 {
      var index = at + 1
      if index < source.count, source[index] == 0x2B || source[index] == 0x2D { index += 1 }
      if isDigit(index) {
        isDouble = true
        digits += TemplateText.string(source[at..<index])
        at = index
        readDigits(&at)
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
