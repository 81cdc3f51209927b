/// Cuts a template's source into tokens, with the white space rules that chat templates are written
/// for: `trim_blocks` (the line end behind a statement goes) and `lstrip_blocks` (blanks before a
/// statement that begins its line go), unless a `-` or `+` says otherwise.
struct TemplateLexer {
  /// A token and where it begins, in code points.
  struct Item: Sendable {
    var token: TemplateToken
    var offset: Int
  }

  let source: [UInt32]
  var at = 0
  var items: [Item] = []
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
  mutating func passEnd(minus: Bool, plus: Bool, trims: Bool) {
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
}
