import Foundation

/// How a value is laid out in a format: `%-5.2f`, `{:>5}`.
struct TemplateLayout {
  enum Align { case left, right, center, afterSign }

  var align: Align?
  var filling: UInt32 = 0x20
  /// `+`, blank, or nothing.
  var sign = ""
  var isAlternate = false
  var grouping: Character?
  var width = 0
  var precision: Int?
  var type: Character?

  /// Fills a text up to the width.
  func filled(
    _ text: TemplateText, sign: String = "", standard: Align, _ run: TemplateRun
  ) throws(TemplateFailure) -> TemplateText {
    let missing = max(0, width - text.count - sign.unicodeScalars.count)
    try run.spend(missing)
    let filling = [UInt32](repeating: filling, count: missing)
    let sign = sign.unicodeScalars.map(\.value)
    switch align ?? standard {
    case .left: return TemplateText(units: sign + text.units + filling)
    case .right: return TemplateText(units: filling + sign + text.units)
    case .afterSign: return TemplateText(units: sign + filling + text.units)
    case .center:
      let left = missing / 2
      return TemplateText(units: filling[..<left] + sign + text.units + filling[left...])
    }
  }

  /// The digits of a number, without its sign.
  static func digits(
    _ value: Double, _ type: Character, precision: Int, isAlternate: Bool
  ) -> String {
    let isUpper = type.isUppercase
    guard value.isFinite else {
      let text = value.isNaN ? "nan" : "inf"
      return isUpper ? text.uppercased() : text
    }
    return String(
      format: "%\(isAlternate ? "#" : "").\(min(precision, 5000))\(type)", value.magnitude)
  }

  static func grouped(_ digits: String, by separator: Character) -> String {
    let whole = digits.prefix { $0.isNumber }
    var result = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { result.append(separator) }
      result.append(digit)
    }
    return result + digits.dropFirst(whole.count)
  }
}

// MARK: - '%s' % value

extension TemplateRun {
  /// Python's `format % arguments`.
  func formatted(
    _ format: TemplateText, _ arguments: [TemplateValue], mapping: TemplateDictionary?,
    isMarkup: Bool, mustUseAll: Bool
  ) throws(TemplateFailure) -> TemplateValue {
    var units: [UInt32] = []
    var at = 0
    var used = 0
    let ended = TemplateFailure("the format '\(format.string)' ends within a place")
    func peek() throws(TemplateFailure) -> Character {
      guard at < format.count, let scalar = Unicode.Scalar(format.scalar(at)) else { throw ended }
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
    while at < format.count {
      guard format.scalar(at) == 0x25 else {
        units.append(format.units[at])
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
        let key = TemplateText(units: format.units[start..<(at - 1)])
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
        layout.width = Swift.abs(width)
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
        units.append(0x25)
        continue
      }
      let value: TemplateValue
      if let keyed { value = keyed } else { value = try nextArgument() }
      if isZero, layout.align == nil, !"srac".contains(type) {
        layout.align = .afterSign
        layout.filling = 0x30
      }
      let text = try laidOut(value, type, layout, isMarkup: isMarkup)
      try spend(text.count)
      units += text.units
    }
    if mustUseAll, used < arguments.count {
      throw TemplateFailure("the format '\(format.string)' has fewer places than values")
    }
    return isMarkup ? .markup(TemplateText(units: units)) : .text(TemplateText(units: units))
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
        text = TemplateText(units: text.units.prefix(precision))
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

// MARK: - '{}'.format(value)

extension TemplateRun {
  /// Python's `format.format(…)`.
  func formatted(
    _ format: TemplateText, _ call: TemplateCall, isMarkup: Bool
  ) throws(TemplateFailure) -> TemplateValue {
    var automatic: Int? = 0
    let text = try filled(format, call, isMarkup: isMarkup, depth: 2, &automatic)
    return isMarkup ? .markup(text) : .text(text)
  }

  private func filled(
    _ format: TemplateText, _ call: TemplateCall, isMarkup: Bool, depth: Int,
    _ automatic: inout Int?
  ) throws(TemplateFailure) -> TemplateText {
    if depth < 0 { throw TemplateFailure("the format is nested too deeply") }
    var units: [UInt32] = []
    var at = 0
    while at < format.count {
      let scalar = format.scalar(at)
      let isDouble = at + 1 < format.count && format.scalar(at + 1) == scalar
      if scalar == 0x7B || scalar == 0x7D, isDouble {
        units.append(format.units[at])
        at += 2
        continue
      }
      if scalar == 0x7D { throw TemplateFailure("a single '}' in the format '\(format.string)'") }
      guard scalar == 0x7B else {
        units.append(format.units[at])
        at += 1
        continue
      }
      let start = at + 1
      var open = 1
      at = start
      while at < format.count {
        if format.scalar(at) == 0x7B { open += 1 }
        if format.scalar(at) == 0x7D { open -= 1 }
        if open == 0 { break }
        at += 1
      }
      guard at < format.count else {
        throw TemplateFailure("a '{' without its '}' in the format '\(format.string)'")
      }
      let field = TemplateText(units: format.units[start..<at])
      at += 1
      let text = try place(field, call, isMarkup: isMarkup, depth: depth, &automatic)
      try spend(text.count)
      units += text.units
    }
    return TemplateText(units: units)
  }

  /// What is written for `name!conversion:layout`.
  private func place(
    _ field: TemplateText, _ call: TemplateCall, isMarkup: Bool, depth: Int,
    _ automatic: inout Int?
  ) throws(TemplateFailure) -> TemplateText {
    // Brackets belong to the name, whatever they hold.
    var end = 0
    var isBracketed = false
    while end < field.count {
      let scalar = field.scalar(end)
      if scalar == 0x5B { isBracketed = true }
      if scalar == 0x5D { isBracketed = false }
      if !isBracketed, scalar == 0x21 || scalar == 0x3A { break }
      end += 1
    }
    var value = try fieldValue(TemplateText(units: field.units[..<end]), call, &automatic)
    if end < field.count, field.scalar(end) == 0x21 {
      guard end + 1 < field.count, end + 2 == field.count || field.scalar(end + 2) == 0x3A else {
        throw TemplateFailure("the format has a '!' without a conversion")
      }
      switch field.scalar(end + 1) {
      case 0x73: value = .text(try text(of: value))
      case 0x72: value = .text(try representation(of: value))
      case 0x61: throw TemplateFailure("'!a' in a format", .unsupported)
      default: throw TemplateFailure("the format has an unknown conversion")
      }
      end += 2
    }
    let layout = end < field.count ? TemplateText(units: field.units[(end + 1)...]) : TemplateText()
    let expanded = try filled(layout, call, isMarkup: isMarkup, depth: depth - 1, &automatic)
    if isMarkup, case .markup(let text) = value {
      guard expanded.isEmpty else {
        throw TemplateFailure("text that is marked as safe has no layout")
      }
      return text
    }
    let text = try laidOut(value, expanded.string)
    return isMarkup ? try escaped(.text(text)) : text
  }

  private func fieldValue(
    _ name: TemplateText, _ call: TemplateCall, _ automatic: inout Int?
  ) throws(TemplateFailure) -> TemplateValue {
    var rest = name.units[...]
    let head = rest.prefix { ![0x2E, 0x5B].contains($0 & ~TemplateText.untrustedBit) }
    rest = rest.dropFirst(head.count)
    let first = TemplateText.string(head)
    var value: TemplateValue
    if first.isEmpty || first.allSatisfy({ $0.isASCII && $0.isNumber }) {
      let index: Int
      if first.isEmpty {
        guard let next = automatic else {
          throw TemplateFailure("the format numbers some places only")
        }
        index = next
        automatic = next + 1
      } else {
        if let next = automatic, next > 0 {
          throw TemplateFailure("the format numbers some places only")
        }
        automatic = nil
        index = Int(first) ?? Int.max
      }
      guard index < call.positional.count else {
        throw TemplateFailure("the format's place \(index) is not given")
      }
      value = call.positional[index]
    } else {
      guard let given = call.named.first(where: { $0.name == first }) else {
        throw TemplateFailure("the format's '\(first)' is not given")
      }
      value = given.value
    }
    while let sign = rest.popFirst() {
      if sign & ~TemplateText.untrustedBit == 0x2E {
        let part = rest.prefix { ![0x2E, 0x5B].contains($0 & ~TemplateText.untrustedBit) }
        rest = rest.dropFirst(part.count)
        if part.isEmpty { throw TemplateFailure("the format has an empty attribute") }
        value = try attribute(TemplateAttribute(TemplateText.string(part)), of: value)
      } else {
        let part = rest.prefix { $0 & ~TemplateText.untrustedBit != 0x5D }
        guard part.count < rest.count, !part.isEmpty else {
          throw TemplateFailure("the format has a '[' without ']'")
        }
        rest = rest.dropFirst(part.count + 1)
        let text = TemplateText.string(part)
        value = try item(
          Int(text).map { .integer($0) } ?? .text(TemplateText(units: part)), of: value)
      }
    }
    return value
  }

  /// Python's `format(value, layout)`.
  private func laidOut(
    _ value: TemplateValue, _ description: String
  ) throws(TemplateFailure) -> TemplateText {
    if description.isEmpty { return try text(of: value) }
    let layout = try Self.layout(description)
    let wrong = TemplateFailure(
      "'\(description)' cannot lay out a value of type '\(value.typeName)'")
    if let text = value.string {
      guard layout.type == nil || layout.type == "s", layout.sign.isEmpty,
        layout.align != .afterSign,
        layout.grouping == nil, !layout.isAlternate
      else { throw wrong }
      let shown = layout.precision.map { TemplateText(units: text.units.prefix($0)) } ?? text
      return try layout.filled(shown, standard: .left, self)
    }
    guard let number = value.number else { throw wrong }
    let type = layout.type
    try spend(layout.precision ?? 0)
    var digits: String
    let isNegative: Bool
    switch (number, type) {
    case (.integer(let whole), nil), (.integer(let whole), "d"?), (.integer(let whole), "x"?),
      (.integer(let whole), "X"?), (.integer(let whole), "o"?), (.integer(let whole), "b"?):
      if layout.precision != nil { throw wrong }
      isNegative = whole < 0
      let radix = ["x": 16, "X": 16, "o": 8, "b": 2][type ?? "d"] ?? 10
      digits = String(whole.magnitude, radix: radix, uppercase: type == "X")
      if let grouping = layout.grouping {
        guard radix == 10 else {
          throw TemplateFailure("grouped digits in '\(description)'", .unsupported)
        }
        digits = TemplateLayout.grouped(digits, by: grouping)
      }
      if layout.isAlternate, radix != 10 { throw TemplateFailure("'#' in a layout", .unsupported) }
    case (_, "e"?), (_, "E"?), (_, "f"?), (_, "F"?), (_, "g"?), (_, "G"?), (_, "%"?):
      let double = number.double
      isNegative = double.sign == .minus && !double.isNaN
      digits = TemplateLayout.digits(
        type == "%" ? double * 100 : double, type == "%" ? "f" : type ?? "f",
        precision: layout.precision ?? 6, isAlternate: layout.isAlternate)
      if type == "%" { digits += "%" }
      if let grouping = layout.grouping { digits = TemplateLayout.grouped(digits, by: grouping) }
    case (.double(let double), nil):
      if layout.precision != nil {
        throw TemplateFailure("the layout '\(description)'", .unsupported)
      }
      isNegative = double.sign == .minus && !double.isNaN
      digits = TemplateNumber.text(double.magnitude)
      if let grouping = layout.grouping { digits = TemplateLayout.grouped(digits, by: grouping) }
    default: throw wrong
    }
    return try layout.filled(
      TemplateText(digits), sign: isNegative ? "-" : layout.sign, standard: .right, self)
  }

  private static func layout(_ description: String) throws(TemplateFailure) -> TemplateLayout {
    var layout = TemplateLayout()
    var rest = Array(description.unicodeScalars)[...]
    let aligns: [Unicode.Scalar: TemplateLayout.Align] = [
      "<": .left, ">": .right, "^": .center, "=": .afterSign,
    ]
    if rest.count > 1, let align = aligns[rest[rest.startIndex + 1]] {
      layout.align = align
      layout.filling = rest[rest.startIndex].value
      rest.removeFirst(2)
    } else if let first = rest.first, let align = aligns[first] {
      layout.align = align
      rest.removeFirst()
    }
    func take(_ scalar: Unicode.Scalar) -> Bool {
      guard rest.first == scalar else { return false }
      rest.removeFirst()
      return true
    }
    if take("+") {
      layout.sign = "+"
    } else if take(" ") {
      layout.sign = " "
    } else {
      _ = take("-")
    }
    if take("#") { layout.isAlternate = true }
    if take("0"), layout.align == nil {
      layout.align = .afterSign
      layout.filling = 0x30
    }
    func number() -> Int? {
      var number: Int?
      while let first = rest.first, let digit = Character(first).wholeNumberValue, first.isASCII {
        number = min((number ?? 0) * 10 + digit, 1_000_000_000)
        rest.removeFirst()
      }
      return number
    }
    layout.width = number() ?? 0
    if take(",") { layout.grouping = "," } else if take("_") { layout.grouping = "_" }
    if take(".") {
      guard let precision = number() else {
        throw TemplateFailure("the layout '\(description)' has no precision")
      }
      layout.precision = precision
    }
    if let type = rest.popFirst() { layout.type = Character(type) }
    guard rest.isEmpty else { throw TemplateFailure("the layout '\(description)' cannot be read") }
    return layout
  }
}
