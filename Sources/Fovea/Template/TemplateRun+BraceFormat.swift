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
    let units = format.units
    let scalars = units.map(TemplateText.scalar)
    var result = TemplateTextBuilder()
    var at = 0
    while at < units.count {
      let scalar = scalars[at]
      let isDouble = at + 1 < units.count && scalars[at + 1] == scalar
      if scalar == 0x7B || scalar == 0x7D, isDouble {
        result.append(unit: units[at])
        at += 2
        continue
      }
      if scalar == 0x7D { throw TemplateFailure("a single '}' in the format '\(format.string)'") }
      guard scalar == 0x7B else {
        result.append(unit: units[at])
        at += 1
        continue
      }
      let start = at + 1
      var open = 1
      at = start
      while at < units.count {
        if scalars[at] == 0x7B { open += 1 }
        if scalars[at] == 0x7D { open -= 1 }
        if open == 0 { break }
        at += 1
      }
      guard at < units.count else {
        throw TemplateFailure("a '{' without its '}' in the format '\(format.string)'")
      }
      let field = TemplateText(units: units[start..<at])
      at += 1
      let text = try place(field, call, isMarkup: isMarkup, depth: depth, &automatic)
      try spend(text.byteCount)
      result.append(text)
    }
    return result.text
  }

  /// What is written for `name!conversion:layout`.
  private func place(
    _ field: TemplateText, _ call: TemplateCall, isMarkup: Bool, depth: Int,
    _ automatic: inout Int?
  ) throws(TemplateFailure) -> TemplateText {
    // Brackets belong to the name, whatever they hold.
    let units = field.units
    let scalars = units.map(TemplateText.scalar)
    var end = 0
    var isBracketed = false
    while end < units.count {
      let scalar = scalars[end]
      if scalar == 0x5B { isBracketed = true }
      if scalar == 0x5D { isBracketed = false }
      if !isBracketed, scalar == 0x21 || scalar == 0x3A { break }
      end += 1
    }
    var value = try fieldValue(TemplateText(units: units[..<end]), call, &automatic)
    if end < units.count, scalars[end] == 0x21 {
      guard end + 1 < units.count, end + 2 == units.count || scalars[end + 2] == 0x3A else {
        throw TemplateFailure("the format has a '!' without a conversion")
      }
      switch scalars[end + 1] {
      case 0x73: value = .text(try text(of: value))
      case 0x72: value = .text(try representation(of: value))
      case 0x61: throw TemplateFailure("'!a' in a format", .unsupported)
      default: throw TemplateFailure("the format has an unknown conversion")
      }
      end += 2
    }
    let layout = end < units.count ? TemplateText(units: units[(end + 1)...]) : TemplateText()
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
    let head = rest.prefix { ![0x2E, 0x5B].contains(TemplateText.scalar(of: $0)) }
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
      if TemplateText.scalar(of: sign) == 0x2E {
        let part = rest.prefix { ![0x2E, 0x5B].contains(TemplateText.scalar(of: $0)) }
        rest = rest.dropFirst(part.count)
        if part.isEmpty { throw TemplateFailure("the format has an empty attribute") }
        value = try attribute(TemplateAttribute(TemplateText.string(part)), of: value)
      } else {
        let part = rest.prefix { TemplateText.scalar(of: $0) != 0x5D }
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
      let shown = layout.precision.map { text.prefix($0) } ?? text
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
