extension TemplateRun {
  /// Python's `str`.
  func text(of value: TemplateValue) throws(TemplateFailure) -> TemplateText {
    switch value {
    case .text(let text), .markup(let text): return text
    case .undefined: return TemplateText()
    default: return try representation(of: value)
    }
  }

  /// Python's `repr`.
  func representation(of value: TemplateValue) throws(TemplateFailure) -> TemplateText {
    var builder = TemplateTextBuilder()
    try represent(value, &builder)
    return builder.text
  }

  private func represent(
    _ value: TemplateValue, _ result: inout TemplateTextBuilder
  ) throws(TemplateFailure) {
    func add(_ text: String) { result.append(text) }
    switch value {
    case .undefined: add("Undefined")
    case .none: add("None")
    case .boolean(let value): add(value ? "True" : "False")
    case .integer(let value): add(String(value))
    case .double(let value): add(TemplateNumber.text(value))
    case .text(let text):
      try spend(text.byteCount)
      text.represent(&result)
    case .markup(let text):
      add("Markup(")
      text.represent(&result)
      add(")")
    case .list(let list): try represent(list.items, "[", "]", &result)
    case .tuple(let list):
      try represent(list.items, "(", list.items.count == 1 ? ",)" : ")", &result)
    case .dictionary(let dictionary): try represent(dictionary, &result)
    case .view(let view):
      add(view.kind.rawValue)
      try represent(view.items, "([", "])", &result)
    case .range(let range):
      add("range(\(range.start), \(range.stop)\(range.step == 1 ? "" : ", \(range.step)"))")
    case .iterator: throw TemplateFailure("writing out a generator", .unsupported)
    case .object(let object):
      switch object {
      case let namespace as TemplateNamespace:
        add("<Namespace ")
        try represent(namespace.attributes, &result)
        add(">")
      case let value as TemplateMacroValue: add("<Macro '\(value.macro.name)'>")
      case let loop as TemplateLoopState:
        add("<LoopContext \(loop.index0 + 1)/\(try loop.length())>")
      default:
        throw TemplateFailure("writing out a value of type '\(object.typeName)'", .unsupported)
      }
    }
  }

  private func represent(
    _ items: [TemplateValue], _ start: String, _ end: String, _ result: inout TemplateTextBuilder
  ) throws(TemplateFailure) {
    try enter(2)
    try spend(items.count * 2)
    result.append(start)
    for (index, item) in items.enumerated() {
      if index > 0 { result.append(", ") }
      try represent(item, &result)
    }
    result.append(end)
    leave(2)
  }

  private func represent(
    _ dictionary: TemplateDictionary, _ result: inout TemplateTextBuilder
  ) throws(TemplateFailure) {
    try enter(2)
    try spend(dictionary.count * 4)
    result.append("{")
    for index in 0..<dictionary.count {
      if index > 0 { result.append(", ") }
      try represent(dictionary.keys[index], &result)
      result.append(": ")
      try represent(dictionary.values[index], &result)
    }
    result.append("}")
    leave(2)
  }
}

extension TemplateNumber {
  /// Python's `repr` of a float: the shortest digits that give the number back.
  static func text(_ value: Double) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    if value == 0 { return value.sign == .minus ? "-0.0" : "0.0" }
    // Swift has the same digits; where the point and the exponent go is Python's own.
    var mantissa = value.magnitude.description
    var exponent = 0
    if let at = mantissa.firstIndex(where: { $0 == "e" }) {
      exponent = Int(mantissa[mantissa.index(after: at)...].drop { $0 == "+" }) ?? 0
      mantissa = String(mantissa[..<at])
    }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    var digits = parts.joined()
    var point = parts[0].count + exponent
    let zeros = digits.prefix { $0 == "0" }.count
    digits.removeFirst(zeros)
    point -= zeros
    while digits.hasSuffix("0") { digits.removeLast() }
    let sign = value < 0 ? "-" : ""
    if point > 16 || point < -3 {
      let rest = digits.dropFirst()
      let power = point - 1
      let shown = power.magnitude < 10 ? "0\(power.magnitude)" : "\(power.magnitude)"
      return sign + digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e"
        + (power < 0 ? "-" : "+") + shown
    }
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if digits.count <= point {
      return sign + digits + String(repeating: "0", count: point - digits.count) + ".0"
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }
}

extension TemplateText {
  /// Writes the text as a Python literal.
  func represent(_ result: inout TemplateTextBuilder) {
    let units = units
    let hasSingle = units.contains { Self.scalar(of: $0) == 0x27 }
    let hasDouble = units.contains { Self.scalar(of: $0) == 0x22 }
    let quote: UInt32 = hasSingle && !hasDouble ? 0x22 : 0x27
    result.append(unit: quote)
    for unit in units {
      let isTrusted = Self.origin(of: unit) == 0
      let value = Self.scalar(of: unit)
      switch value {
      case quote, 0x5C:
        result.append("\\", isTrusted: isTrusted)
        result.append(unit: unit)
      case 0x0A: result.append("\\n", isTrusted: isTrusted)
      case 0x0D: result.append("\\r", isTrusted: isTrusted)
      case 0x09: result.append("\\t", isTrusted: isTrusted)
      case 0x20...0x7E: result.append(unit: unit)
      default:
        if Self.isPrintable(value) {
          result.append(unit: unit)
        } else if value < 0x100 {
          result.append("\\x" + Self.hex(value, 2), isTrusted: isTrusted)
        } else if value < 0x10000 {
          result.append("\\u" + Self.hex(value, 4), isTrusted: isTrusted)
        } else {
          result.append("\\U" + Self.hex(value, 8), isTrusted: isTrusted)
        }
      }
    }
    result.append(unit: quote)
  }

  static func hex(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Python's `str.isprintable` for one character.
  static func isPrintable(_ value: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return false
    case .spaceSeparator: return value == 0x20
    default: return true
    }
  }
}
