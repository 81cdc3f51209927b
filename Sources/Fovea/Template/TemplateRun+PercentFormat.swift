extension TemplateRun {
  /// Python's `format % arguments`.
  func formatted(
    _ format: TemplateText, _ arguments: [TemplateValue], mapping: TemplateDictionary?,
    isMarkup: Bool, mustUseAll: Bool
  ) throws(TemplateFailure) -> TemplateValue {
    let units = format.units
    let scalars = units.map(TemplateText.scalar)
    var result = TemplateTextBuilder()
    var at = 0
    var used = 0
    let ended = TemplateFailure("the format '\(format.string)' ends within a place")
    func peek() throws(TemplateFailure) -> Character {
      guard at < units.count, let scalar = Unicode.Scalar(scalars[at]) else { throw ended }
      return Character(scalar)
    }
    func nextArgument() throws(TemplateFailure) -> TemplateValue {
      guard used < arguments.count else {
        throw TemplateFailure("the format '\(format.string)' has more places than values")
      }
      used += 1
      return arguments[used - 1]
    }
    func readNumber() throws(TemplateFailure) -> Int? {
      if try peek() == "*" {
        at += 1
        guard let number = try nextArgument().index else {
          throw TemplateFailure("'*' needs a whole number")
        }
        return number
      }
      var number: Int?
      while let digit = try peek().wholeNumberValue, try peek().isASCII {
        number = min((number ?? 0) * 10 + digit, 1_000_000_000)
        at += 1
      }
      return number
    }
    while at < units.count {
      guard scalars[at] == 0x25 else {
        result.append(unit: units[at])
        at += 1
        continue
      }
      at += 1
      var layout = TemplateLayout()
      var keyed: TemplateValue?
      if try peek() == "(" {
        var depth = 1
        let start = at + 1
        at += 1
        while depth > 0 {
          switch try peek() {
          case "(": depth += 1
          case ")": depth -= 1
          default: break
          }
          at += 1
        }
        let key = TemplateText(units: units[start..<(at - 1)])
        guard let mapping else { throw TemplateFailure("the format needs a dictionary") }
        guard let value = mapping[key] else {
          throw TemplateFailure("the format's '\(key.string)' is not given")
        }
        keyed = value
      }
      var isZero = false
      flags: while true {
        switch try peek() {
        case "-": layout.align = .left
        case "+": layout.sign = "+"
        case " ": if layout.sign.isEmpty { layout.sign = " " }
        case "#": layout.isAlternate = true
        case "0": isZero = true
        default: break flags
        }
        at += 1
      }
      if let width = try readNumber() {
        layout.width = Int(min(width.magnitude, 1_000_000_000))
        if width < 0 { layout.align = .left }
      }
      if try peek() == "." {
        at += 1
        layout.precision = max(0, try readNumber() ?? 0)
      }
      if "hlL".contains(try peek()) { at += 1 }
      let type = try peek()
      at += 1
      if type == "%" {
        result.append("%")
        continue
      }
      let value: TemplateValue
      if let keyed { value = keyed } else { value = try nextArgument() }
      if isZero, layout.align == nil, !"srac".contains(type) {
        layout.align = .afterSign
        layout.filling = 0x30
      }
      let text = try laidOut(value, type, layout, isMarkup: isMarkup)
      try spend(text.byteCount)
      result.append(text)
    }
    if mustUseAll, used < arguments.count {
      throw TemplateFailure("the format '\(format.string)' has fewer places than values")
    }
    return isMarkup ? .markup(result.text) : .text(result.text)
  }

  private func laidOut(
    _ value: TemplateValue, _ type: Character, _ layout: TemplateLayout, isMarkup: Bool
  ) throws(TemplateFailure) -> TemplateText {
    let wrong = TemplateFailure("'%\(type)' cannot write a value of type '\(value.typeName)'")
    if case .undefined = value, !"sra".contains(type) { throw wrong }
    switch type {
    case "s", "r", "a":
      var text: TemplateText
      if isMarkup, value.isMarkup {
        text = try self.text(of: value)
      } else {
        text = type == "s" ? try self.text(of: value) : try representation(of: value)
        if type == "a", !text.all(\.isASCII) { throw TemplateFailure("'%a'", .unsupported) }
        if isMarkup { text = try escaped(.text(text)) }
      }
      if let precision = layout.precision {
        text = text.prefix(precision)
      }
      return try layout.filled(text, standard: .right, self)
    case "c":
      let text: TemplateText
      if let code = value.index, let code = UInt32(exactly: code), Unicode.Scalar(code) != nil {
        text = TemplateText(units: [code])
      } else if let string = value.string, string.count == 1 {
        text = string
      } else {
        throw wrong
      }
      return try layout.filled(text, standard: .right, self)
    case "d", "i", "u", "x", "X", "o":
      var number: Int
      switch value.number {
      case .integer(let whole)?: number = whole
      case .double(let double)? where "diu".contains(type):
        guard let whole = Int(exactly: double.rounded(.towardZero)) else { throw wrong }
        number = whole
      default: throw wrong
      }
      let isNegative = number < 0
      if number == Int.min { throw TemplateFailure("whole numbers beyond 64 bits", .unsupported) }
      number = Swift.abs(number)
      let radix = type == "o" ? 8 : type == "x" || type == "X" ? 16 : 10
      var digits = String(number, radix: radix, uppercase: type == "X")
      if let precision = layout.precision {
        try spend(precision)
        digits = String(repeating: "0", count: max(0, precision - digits.count)) + digits
      }
      let prefix = layout.isAlternate && radix != 10 ? "0\(type)" : ""
      return try layout.filled(
        TemplateText(digits), sign: (isNegative ? "-" : layout.sign) + prefix, standard: .right,
        self)
    case "e", "E", "f", "F", "g", "G":
      guard let number = value.number?.double else { throw wrong }
      try spend(layout.precision ?? 0)
      let digits = TemplateLayout.digits(
        number, type, precision: layout.precision ?? 6, isAlternate: layout.isAlternate)
      return try layout.filled(
        TemplateText(digits), sign: number.sign == .minus && !number.isNaN ? "-" : layout.sign,
        standard: .right, self)
    default: throw TemplateFailure("'%\(type)' means nothing in a format")
    }
  }
}
