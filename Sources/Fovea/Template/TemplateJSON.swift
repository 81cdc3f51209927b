/// `tojson`: Python's `json.dumps`, as the transformers library calls it.
struct TemplateJSON {
  /// What `tojson` can be told.
  struct Options {
    var escapesNonASCII = false
    /// What one level is indented by; nil for one line.
    var indent: TemplateText?
    var itemSeparator = TemplateText(", ")
    var keySeparator = TemplateText(": ")
    var sortsKeys = false
  }

  let run: TemplateRun
  let options: Options
  private var units: [UInt32] = []

  init(_ run: TemplateRun, _ options: Options) {
    self.run = run
    self.options = options
  }

  static func text(
    _ value: TemplateValue, _ options: Options, _ run: TemplateRun
  ) throws(TemplateFailure) -> TemplateText {
    var writer = TemplateJSON(run, options)
    try writer.write(value, level: 0)
    try run.spend(writer.units.count)
    return TemplateText(units: writer.units)
  }

  private mutating func add(_ text: String) {
    for scalar in text.unicodeScalars { units.append(scalar.value) }
  }

  private mutating func write(_ value: TemplateValue, level: Int) throws(TemplateFailure) {
    switch value {
    case .none: add("null")
    case .boolean(let value): add(value ? "true" : "false")
    case .integer(let value): add(String(value))
    case .double(let value): add(Self.text(value))
    case .text(let text), .markup(let text): write(text)
    case .list(let list), .tuple(let list):
      if list.items.isEmpty { return add("[]") }
      add("[")
      for (index, item) in list.items.enumerated() {
        if index > 0 { units += options.itemSeparator.units }
        try newLine(level + 1)
        try write(item, level: level + 1)
      }
      try newLine(level)
      add("]")
    case .dictionary(let dictionary): try write(dictionary, level: level)
    case .undefined(let undefined): throw TemplateFailure("'tojson': \(undefined.message)")
    default: throw TemplateFailure("a value of type '\(value.typeName)' cannot be written as JSON")
    }
  }

  private mutating func write(
    _ dictionary: TemplateDictionary, level: Int
  ) throws(TemplateFailure) {
    if dictionary.count == 0 { return add("{}") }
    var order = Array(0..<dictionary.count)
    if options.sortsKeys {
      order = try run.sorted(order) { (index) throws(TemplateFailure) in dictionary.keys[index] }
    }
    add("{")
    for (position, index) in order.enumerated() {
      if position > 0 { units += options.itemSeparator.units }
      try newLine(level + 1)
      switch dictionary.keys[index] {
      case .text(let text), .markup(let text): write(text)
      case .integer(let value): add("\"\(value)\"")
      case .double(let value): add("\"\(Self.text(value))\"")
      case .boolean(let value): add(value ? "\"true\"" : "\"false\"")
      case .none: add("\"null\"")
      default: throw TemplateFailure("a key that cannot be written as JSON")
      }
      units += options.keySeparator.units
      try write(dictionary.values[index], level: level + 1)
    }
    try newLine(level)
    add("}")
  }

  private mutating func newLine(_ level: Int) throws(TemplateFailure) {
    guard let indent = options.indent else { return }
    try run.spend(indent.count * level)
    units.append(0x0A)
    for _ in 0..<level { units += indent.units }
  }

  private static func text(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return TemplateNumber.text(value)
  }

  private mutating func write(_ text: TemplateText) {
    units.append(0x22)
    for unit in text.units {
      let bit = TemplateText.origin(of: unit)
      let value = TemplateText.scalar(of: unit)
      switch value {
      case 0x22, 0x5C: units += [0x5C | bit, unit]
      case 0x0A: units += [0x5C | bit, 0x6E | bit]
      case 0x0D: units += [0x5C | bit, 0x72 | bit]
      case 0x09: units += [0x5C | bit, 0x74 | bit]
      case 0x08: units += [0x5C | bit, 0x62 | bit]
      case 0x0C: units += [0x5C | bit, 0x66 | bit]
      case ..<0x20: escape(value, bit)
      case ..<0x7F: units.append(unit)
      default:
        if !options.escapesNonASCII || value == 0x7F {
          units.append(unit)
        } else if value < 0x10000 {
          escape(value, bit)
        } else {
          escape(0xD800 + (value - 0x10000) >> 10, bit)
          escape(0xDC00 + (value - 0x10000) & 0x3FF, bit)
        }
      }
    }
    units.append(0x22)
  }

  private mutating func escape(_ value: UInt32, _ bit: UInt32) {
    for scalar in ("\\u" + TemplateText.hex(value, 4)).unicodeScalars {
      units.append(scalar.value | bit)
    }
  }
}
