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
  private var builder = TemplateTextBuilder()
  /// How much of it was counted already.
  private var counted = 0

  init(_ run: TemplateRun, _ options: Options) {
    self.run = run
    self.options = options
  }

  static func text(
    _ value: TemplateValue, _ options: Options, _ run: TemplateRun
  ) throws(TemplateFailure) -> TemplateText {
    var writer = TemplateJSON(run, options)
    try writer.write(value, level: 0)
    return writer.builder.text
  }

  /// Counts what was written since: values that hold one value often are longer than they look.
  private mutating func count() throws(TemplateFailure) {
    try run.spend(builder.bytes.count - counted)
    counted = builder.bytes.count
  }

  private mutating func add(_ text: String) { builder.append(text) }

  private mutating func write(_ value: TemplateValue, level: Int) throws(TemplateFailure) {
    try count()
    switch value {
    case .none: add("null")
    case .boolean(let value): add(value ? "true" : "false")
    case .integer(let value): add(String(value))
    case .double(let value): add(Self.text(value))
    case .text(let text), .markup(let text): write(text)
    case .list(let list), .tuple(let list):
      if list.items.isEmpty { return add("[]") }
      try run.enter(2)
      add("[")
      for (index, item) in list.items.enumerated() {
        if index > 0 { builder.append(options.itemSeparator) }
        try newLine(level + 1)
        try write(item, level: level + 1)
      }
      try newLine(level)
      add("]")
      run.leave(2)
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
    try run.enter(2)
    add("{")
    for (position, index) in order.enumerated() {
      if position > 0 { builder.append(options.itemSeparator) }
      try newLine(level + 1)
      switch dictionary.keys[index] {
      case .text(let text), .markup(let text): write(text)
      case .integer(let value): add("\"\(value)\"")
      case .double(let value): add("\"\(Self.text(value))\"")
      case .boolean(let value): add(value ? "\"true\"" : "\"false\"")
      case .none: add("\"null\"")
      default: throw TemplateFailure("a key that cannot be written as JSON")
      }
      builder.append(options.keySeparator)
      try write(dictionary.values[index], level: level + 1)
    }
    try newLine(level)
    add("}")
    run.leave(2)
  }

  private mutating func newLine(_ level: Int) throws(TemplateFailure) {
    guard let indent = options.indent else { return }
    try run.spend(indent.byteCount * level)
    builder.append(byte: 0x0A)
    for _ in 0..<level { builder.append(indent) }
  }

  private static func text(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return TemplateNumber.text(value)
  }

  private mutating func write(_ text: TemplateText) {
    builder.append(byte: 0x22)
    text.forEachRun { low, high, isTrusted in
      var written = low
      var place = low
      while place < high {
        let start = place
        let value = text.scalar(at: &place)
        if value >= 0x20, value != 0x22, value != 0x5C, value < 0x80 || !options.escapesNonASCII {
          continue
        }
        builder.append(text[written..<start])
        escape(value, isTrusted)
        written = place
      }
      builder.append(text[written..<high])
    }
    builder.append(byte: 0x22)
  }

  private mutating func escape(_ value: UInt32, _ isTrusted: Bool) {
    let letter: String
    switch value {
    case 0x22: letter = "\""
    case 0x5C: letter = "\\"
    case 0x0A: letter = "n"
    case 0x0D: letter = "r"
    case 0x09: letter = "t"
    case 0x08: letter = "b"
    case 0x0C: letter = "f"
    case 0x10000...:
      escape(0xD800 + (value - 0x10000) >> 10, isTrusted)
      escape(0xDC00 + (value - 0x10000) & 0x3FF, isTrusted)
      return
    default: letter = "u" + TemplateText.hex(value, 4)
    }
    builder.append("\\" + letter, isTrusted: isTrusted)
  }
}
