extension TemplateRun {
  /// The value as text; what is marked as safe stays so.
  func softText(_ value: TemplateValue) throws(TemplateFailure) -> TemplateValue {
    value.string == nil ? .text(try text(of: value)) : value
  }

  /// The text of an argument.
  func string(_ value: TemplateValue?, of name: String) throws(TemplateFailure) -> TemplateText {
    guard let text = value?.string else {
      throw TemplateFailure(
        "'\(name)' needs a text, not a value of type '\(value?.typeName ?? "none")'")
    }
    return text
  }

  /// The text of an argument that need not be given.
  func string(
    _ value: TemplateValue?, of name: String, else standard: String
  ) throws(TemplateFailure) -> TemplateText {
    guard let value else { return TemplateText(standard) }
    return try string(value, of: name)
  }

  /// The whole number of an argument that need not be given.
  func whole(
    _ value: TemplateValue?, of name: String, else standard: Int
  ) throws(TemplateFailure) -> Int {
    guard let value else { return standard }
    return try whole(value, of: name)
  }

  /// The whole number of an argument.
  func whole(_ value: TemplateValue?, of name: String) throws(TemplateFailure) -> Int {
    guard let number = value?.index else {
      throw TemplateFailure(
        "'\(name)' needs a whole number, not a value of type '\(value?.typeName ?? "none")'")
    }
    return number
  }

  func text(
    _ kind: TemplateFilterKind, _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    switch kind {
    case .string: return try softText(value)
    case .upper: return try softText(value).mapText(\.uppercased)
    case .lower: return try softText(value).mapText(\.lowercased)
    case .capitalize: return try softText(value).mapText(\.capitalized)
    case .title: return .text(Self.titled(try text(of: value)))
    case .trim:
      var characters: TemplateText?
      if let given = arguments[0], !given.isNone { characters = try string(given, of: "trim") }
      let text = try softText(value)
      if let string = text.string { try look(through: string, for: characters) }
      return text.mapText { $0.stripped(characters) }
    case .center:
      let width = try whole(arguments[0], of: "center", else: 80)
      return try padded(softText(value), width, TemplateText(" "), .center)
    case .replace:
      let old = try text(of: arguments[0] ?? .none)
      let new = try text(of: arguments[1] ?? .none)
      var limit = -1
      if let given = arguments[2], !given.isNone { limit = try whole(given, of: "replace") }
      return .text(try replaced(text(of: value), old, new, limit))
    case .join: return try joined(value, arguments)
    case .indent: return try indented(value, arguments)
    case .truncate: return try truncated(value, arguments)
    case .wordcount: return .integer(Self.words(in: try text(of: value)))
    case .safe: return value.isMarkup ? value : .markup(try text(of: value))
    case .e, .escape: return .markup(try escaped(value))
    case .forceescape: return .markup(try escaped(.text(text(of: value))))
    case .striptags: return .text(Self.withoutTags(try text(of: value)))
    case .urlencode: return .text(try encoded(value))
    case .xmlattr: return .text(try xmlAttributes(value, arguments))
    case .tojson: return .text(try TemplateJSON.text(value, jsonOptions(arguments), self))
    default: throw TemplateFailure("the filter '\(kind.rawValue)'", .unsupported)
    }
  }

  private func jsonOptions(
    _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateJSON.Options {
    var options = TemplateJSON.Options()
    options.escapesNonASCII = arguments[0]?.isTrue ?? false
    options.sortsKeys = arguments[3]?.isTrue ?? false
    if let indent = arguments[1], !indent.isNone {
      if let text = indent.string {
        options.indent = text
      } else {
        let width = max(0, try whole(indent, of: "indent"))
        try spend(width)
        options.indent = TemplateText(String(repeating: " ", count: width))
      }
      options.itemSeparator = TemplateText(",")
    }
    if let separators = arguments[2], !separators.isNone {
      let pair = try items(of: separators)
      guard pair.count == 2 else { throw TemplateFailure("'separators' must be two texts") }
      options.itemSeparator = try string(pair[0], of: "separators")
      options.keySeparator = try string(pair[1], of: "separators")
    }
    return options
  }

  private func joined(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    let separator = try text(of: arguments[0] ?? .text(""))
    let path = try path(arguments[1] ?? .none)
    var result = TemplateTextBuilder()
    for (index, item) in try items(of: value).enumerated() {
      let piece = try text(of: follow(path, from: item, default: nil))
      try spend(piece.byteCount + separator.byteCount)
      if index > 0 { result.append(separator) }
      result.append(piece)
    }
    return .text(result.text)
  }

  private func indented(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    let text = try string(value, of: "indent")
    let width = arguments[0] ?? .integer(4)
    let indentation: TemplateText
    if let given = width.string {
      indentation = given
    } else {
      let count = max(0, try whole(width, of: "indent"))
      try spend(count)
      indentation = TemplateText(String(repeating: " ", count: count))
    }
    let lines = (text + TemplateText("\n")).lines()
    try spend((indentation.count + 1) * lines.count)
    try spend((lines.count + 1).multipliedReportingOverflow(by: indentation.byteCount).partialValue)
    var result = TemplateTextBuilder()
    if arguments[1]?.isTrue ?? false { result.append(indentation) }
    for (index, line) in lines.enumerated() {
      if index > 0 {
        result.append("\n")
        if !line.isEmpty || arguments[2]?.isTrue ?? false { result.append(indentation) }
      }
      result.append(line)
    }
    return value.mapText { _ in result.text }
  }

  private func truncated(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    let length = try whole(arguments[0], of: "truncate", else: 255)
    let end = try string(arguments[2], of: "truncate", else: "...")
    var leeway = 5
    if let given = arguments[3], !given.isNone { leeway = try whole(given, of: "truncate") }
    guard length >= end.count, leeway >= 0 else {
      throw TemplateFailure("'truncate' to \(length) characters has no room for its end")
    }
    let (most, overflow) = length.addingReportingOverflow(leeway)
    if overflow { return value }
    if try self.length(of: value) <= most { return value }
    var text = try string(value, of: "truncate")
    text = text.prefix(length - end.count)
    if !(arguments[1]?.isTrue ?? false) {
      text = text.split(TemplateText(" "), atMost: 1, fromRight: true)[0]
    }
    if value.isMarkup { return .markup(text + (try escaped(arguments[2] ?? .text(end)))) }
    return arguments[2]?.isMarkup ?? false
      ? .markup(try escaped(.text(text)) + end) : .text(text + end)
  }

  func replaced(
    _ text: TemplateText, _ old: TemplateText, _ new: TemplateText, _ limit: Int
  ) throws(TemplateFailure) -> TemplateText {
    try look(through: text, for: old)
    let most = old.isEmpty ? text.byteCount + 1 : text.byteCount / old.byteCount
    let times = limit < 0 ? most : min(most, limit)
    let (grown, overflow) = times.multipliedReportingOverflow(by: new.byteCount)
    // Only what is certain to be made is counted before.
    if overflow { try spend(Int.max) }
    if grown > 100_000 {
      let found = old.isEmpty ? times : min(times, text.count(of: old))
      try spend(found.multipliedReportingOverflow(by: new.byteCount).partialValue)
    }
    let result = text.replacing(old, with: new, atMost: limit < 0 ? nil : limit)
    try spend(result.byteCount)
    return result
  }

  enum Side { case left, center, right }

  /// The text with filling on both sides, or on one.
  func padded(
    _ value: TemplateValue, _ width: Int, _ filling: TemplateText, _ place: Side
  ) throws(TemplateFailure) -> TemplateValue {
    guard let text = value.string else { throw unfit("center", value) }
    guard filling.count == 1 else { throw TemplateFailure("the filling must be one character") }
    let missing = max(width, 0) - text.count
    if missing <= 0 { return value }
    try spend(width)
    let before: Int
    switch place {
    case .left: before = 0
    case .right: before = missing
    case .center: before = missing / 2 + (missing & width & 1)
    }
    var result = TemplateTextBuilder()
    for _ in 0..<before { result.append(filling) }
    result.append(text)
    for _ in 0..<(missing - before) { result.append(filling) }
    return value.mapText { _ in result.text }
  }

  /// A capital behind every blank, hyphen and opening bracket.
  private static func titled(_ text: TemplateText) -> TemplateText {
    var result = TemplateTextBuilder()
    var word: [UInt32] = []
    func flush() {
      guard let first = word.first else { return }
      result.append(TemplateText(units: [first]).uppercased)
      result.append(TemplateText(units: word[1...]).lowercased)
      word = []
    }
    for unit in text.units {
      let value = TemplateText.scalar(of: unit)
      if TemplateText.isSpace(unit) || [0x2D, 0x28, 0x7B, 0x5B, 0x3C].contains(value) {
        flush()
        result.append(unit: unit)
      } else {
        word.append(unit)
      }
    }
    flush()
    return result.text
  }

  private static func words(in text: TemplateText) -> Int {
    var count = 0
    var isInside = false
    for unit in text.units {
      let value = TemplateText.scalar(of: unit)
      let isWord = value == 0x5F || Unicode.Scalar(value).map(TemplateText.isAlphanumeric) ?? false
      if isWord, !isInside { count += 1 }
      isInside = isWord
    }
    return count
  }
}

extension TemplateText {
  /// Python's `isalnum` for one character.
  static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || scalar.properties.numericType != nil
  }

  /// Python's `isalpha` for one character.
  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}

extension TemplateValue {
  /// The same kind of text with other characters.
  func mapText(_ change: (TemplateText) -> TemplateText) -> TemplateValue {
    switch self {
    case .text(let text): .text(change(text))
    case .markup(let text): .markup(change(text))
    default: self
    }
  }
}
