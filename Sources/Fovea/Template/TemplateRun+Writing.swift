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
    var units: [UInt32] = []
    try represent(value, &units)
    return TemplateText(units: units)
  }

  private func represent(
    _ value: TemplateValue, _ units: inout [UInt32]
  ) throws(TemplateFailure) {
    func add(_ text: String) { units += text.unicodeScalars.map(\.value) }
    switch value {
    case .undefined: add("Undefined")
    case .none: add("None")
    case .boolean(let value): add(value ? "True" : "False")
    case .integer(let value): add(String(value))
    case .double(let value): add(TemplateNumber.text(value))
    case .text(let text):
      try spend(text.count)
      text.represent(&units)
    case .markup(let text):
      add("Markup(")
      text.represent(&units)
      add(")")
    case .list(let list): try represent(list.items, "[", "]", &units)
    case .tuple(let list):
      try represent(list.items, "(", list.items.count == 1 ? ",)" : ")", &units)
    case .dictionary(let dictionary): try represent(dictionary, &units)
    case .view(let view):
      add(view.kind.rawValue)
      try represent(view.items, "([", "])", &units)
    case .range(let range):
      add("range(\(range.start), \(range.stop)\(range.step == 1 ? "" : ", \(range.step)"))")
    case .iterator: throw TemplateFailure("writing out a generator", .unsupported)
    case .object(let object):
      switch object {
      case let namespace as TemplateNamespace:
        add("<Namespace ")
        try represent(namespace.attributes, &units)
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
    _ items: [TemplateValue], _ start: String, _ end: String, _ units: inout [UInt32]
  ) throws(TemplateFailure) {
    try enter()
    defer { leave() }
    try spend(items.count * 2)
    units += start.unicodeScalars.map(\.value)
    for (index, item) in items.enumerated() {
      if index > 0 { units += [0x2C, 0x20] }
      try represent(item, &units)
    }
    units += end.unicodeScalars.map(\.value)
  }

  private func represent(
    _ dictionary: TemplateDictionary, _ units: inout [UInt32]
  ) throws(TemplateFailure) {
    try enter()
    defer { leave() }
    try spend(dictionary.count * 4)
    units.append(0x7B)
    for index in 0..<dictionary.count {
      if index > 0 { units += [0x2C, 0x20] }
      try represent(dictionary.keys[index], &units)
      units += [0x3A, 0x20]
      try represent(dictionary.values[index], &units)
    }
    units.append(0x7D)
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
  func represent(_ result: inout [UInt32]) {
    let hasSingle = units.contains { Self.scalar(of: $0) == 0x27 }
    let hasDouble = units.contains { Self.scalar(of: $0) == 0x22 }
    let quote: UInt32 = hasSingle && !hasDouble ? 0x22 : 0x27
    result.append(quote)
    for unit in units {
      let bit = Self.origin(of: unit)
      let value = Self.scalar(of: unit)
      func add(_ text: String) { result += text.unicodeScalars.map { $0.value | bit } }
      switch value {
      case quote, 0x5C: result += [0x5C | bit, unit]
      case 0x0A: add("\\n")
      case 0x0D: add("\\r")
      case 0x09: add("\\t")
      case 0x20...0x7E: result.append(unit)
      default:
        if value < 0x100, !Self.isPrintable(value) {
          add("\\x" + Self.hex(value, 2))
        } else if Self.isPrintable(value) {
          result.append(unit)
        } else {
          add(value < 0x10000 ? "\\u" + Self.hex(value, 4) : "\\U" + Self.hex(value, 8))
        }
      }
    }
    result.append(quote)
  }

  static func hex(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Python's `str.isprintable` for one character.
  private static func isPrintable(_ value: UInt32) -> Bool {
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
