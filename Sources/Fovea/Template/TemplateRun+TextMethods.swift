extension TemplateRun {
  func call(
    _ method: TemplateMethod, ofText text: TemplateText, _ owner: TemplateValue,
    _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    try look(through: text)
    func arguments(
      _ names: [String], required: Int = 0
    ) throws(TemplateFailure) -> [TemplateValue?] {
      if !call.named.isEmpty, ![.split, .rsplit, .splitlines].contains(method) {
        throw TemplateFailure("'\(method.rawValue)' takes no arguments by name")
      }
      return try call.bound(to: names, required: required, of: method.rawValue)
    }
    switch method {
    case .format: return try formatted(text, call, isMarkup: owner.isMarkup)
    case .split, .rsplit:
      return try split(owner, text, arguments(["sep", "maxsplit"]), method == .rsplit)
    case .splitlines:
      let keepsEnds = try arguments(["keepends"])[0]?.isTrue ?? false
      let lines = text.lines(keepsEnds: keepsEnds)
      return .list(try list(lines.map { line in owner.mapText { _ in line } }))
    case .strip, .lstrip, .rstrip:
      var characters: TemplateText?
      if let given = try arguments(["chars"])[0], !given.isNone {
        let given = try string(given, of: method.rawValue)
        try look(through: text, for: given)
        characters = given
      }
      return owner.mapText {
        $0.stripped(characters, left: method != .rstrip, right: method != .lstrip)
      }
    case .replace:
      let given = try arguments(["old", "new", "count"], required: 2)
      let old = try string(given[0], of: "replace")
      var new = try string(given[1], of: "replace")
      if owner.isMarkup { new = try escaped(given[1] ?? .none) }
      let limit = try whole(given[2], of: "replace", else: -1)
      let result = try replaced(text, old, new, limit)
      return owner.mapText { _ in result }
    case .join:
      guard let items = try arguments(["iterable"], required: 1)[0] else { break }
      return try joined(owner, text, items)
    case .startswith, .endswith:
      let given = try arguments(["prefix", "start", "end"], required: 1)
      var part = text
      var isWithin = true
      if given[1] != nil || given[2] != nil {
        let count = text.count
        let (start, end) = try bounds(given[1], given[2], count: count)
        part = text.characters(min(start, end)..<end)
        isWithin = start <= count
      }
      let parts: [TemplateValue]
      if case .tuple(let list)? = given[0] {
        parts = list.items
      } else {
        parts = [given[0] ?? .none]
      }
      for wanted in parts {
        let wanted = try string(wanted, of: method.rawValue)
        if isWithin,
          method == .startswith ? part.hasPrefix(wanted) : part.hasSuffix(wanted)
        {
          return .boolean(true)
        }
      }
      return .boolean(false)
    case .find, .rfind, .index, .rindex, .count:
      return try found(method, text, arguments(["sub", "start", "end"], required: 1))
    case .partition, .rpartition:
      return try parted(
        owner, text, string(arguments(["sep"], required: 1)[0], of: method.rawValue), method)
    case .removeprefix, .removesuffix:
      let part = try string(arguments(["part"], required: 1)[0], of: method.rawValue)
      if method == .removeprefix {
        return owner.mapText { $0.hasPrefix(part) ? $0.from(part.byteCount) : $0 }
      }
      return owner.mapText {
        $0.hasSuffix(part) ? $0[0..<($0.byteCount - part.byteCount)] : $0
      }
    case .center, .ljust, .rjust:
      let given = try arguments(["width", "fillchar"], required: 1)
      var filling = try string(given[1], of: method.rawValue, else: " ")
      if owner.isMarkup { filling = try escaped(given[1] ?? .text(filling)) }
      return try padded(
        owner, whole(given[0], of: method.rawValue), filling,
        method == .center ? .center : method == .ljust ? .left : .right)
    case .zfill:
      let width = try whole(arguments(["width"], required: 1)[0], of: "zfill")
      let missing = max(0, max(width, 0) - text.count)
      try spend(missing)
      let signs = text.isEmpty || ![0x2B, 0x2D].contains(text.byte(0)) ? 0 : 1
      var result = TemplateTextBuilder()
      result.append(text[0..<signs])
      result.append(String(repeating: "0", count: missing))
      result.append(text.from(signs))
      return owner.mapText { _ in result.text }
    case .encode, .expandtabs, .format_map, .isidentifier, .istitle, .maketrans, .translate:
      throw TemplateFailure("the method '\(method.rawValue)'", .unsupported)
    default: break
    }
    _ = try arguments([])
    return try plain(method, text, owner)
  }

  /// The methods without arguments.
  private func plain(
    _ method: TemplateMethod, _ text: TemplateText, _ owner: TemplateValue
  ) throws(TemplateFailure) -> TemplateValue {
    switch method {
    case .upper: return owner.mapText(\.uppercased)
    case .lower: return owner.mapText(\.lowercased)
    case .casefold: return owner.mapText(\.caseFolded)
    case .title: return owner.mapText(\.titled)
    case .capitalize: return owner.mapText(\.capitalized)
    case .swapcase: return owner.mapText(\.swappedCase)
    case .isalnum: return .boolean(text.all(TemplateText.isAlphanumeric))
    case .isalpha: return .boolean(text.all(TemplateText.isLetter))
    case .isascii: return .boolean(text.isEmpty || text.all(\.isASCII))
    case .isdecimal: return .boolean(text.all { $0.properties.numericType == .decimal })
    case .isdigit:
      return .boolean(
        text.all { [.decimal, .digit].contains($0.properties.numericType) })
    case .isnumeric: return .boolean(text.all { $0.properties.numericType != nil })
    case .isspace: return .boolean(text.all { TemplateText.isSpace($0.value) })
    case .islower: return .boolean(text.isAllCase(upper: false))
    case .isupper: return .boolean(text.isAllCase(upper: true))
    case .isprintable:
      return .boolean(
        text.units.allSatisfy { TemplateText.isPrintable(TemplateText.scalar(of: $0)) })
    default: throw TemplateFailure("the method '\(method.rawValue)'", .unsupported)
    }
  }

  private func split(
    _ owner: TemplateValue, _ text: TemplateText, _ arguments: [TemplateValue?], _ fromRight: Bool
  ) throws(TemplateFailure) -> TemplateValue {
    var limit: Int?
    if let given = arguments[1] {
      let count = try whole(given, of: "split")
      if count >= 0 { limit = count }
    }
    let parts: [TemplateText]
    if let separator = arguments[0], !separator.isNone {
      let separator = try string(separator, of: "split")
      if separator.isEmpty { throw TemplateFailure("'split' needs a separator that is not empty") }
      try look(through: text, for: separator)
      parts = text.split(separator, atMost: limit, fromRight: fromRight)
    } else {
      parts = text.words(atMost: limit, fromRight: fromRight)
    }
    try spend(text.byteCount)
    return .list(try list(parts.map { part in owner.mapText { _ in part } }))
  }

  private func joined(
    _ owner: TemplateValue, _ separator: TemplateText, _ value: TemplateValue
  ) throws(TemplateFailure) -> TemplateValue {
    var result = TemplateTextBuilder()
    for (index, item) in try items(of: value).enumerated() {
      let piece = owner.isMarkup ? try escaped(item) : try string(item, of: "join")
      try spend(piece.byteCount + separator.byteCount)
      if index > 0 { result.append(separator) }
      result.append(piece)
    }
    return owner.mapText { _ in result.text }
  }

  private func found(
    _ method: TemplateMethod, _ text: TemplateText, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    let part = try string(arguments[0], of: method.rawValue)
    try look(through: text, for: part)
    let count = text.count
    let (first, last) = try bounds(arguments[1], arguments[2], count: count)
    let start = text.place(of: first)
    let end = text.place(of: last)
    if method == .count {
      return .integer(first <= count ? text.count(of: part, from: start, to: end) : 0)
    }
    var place: Int?
    if first <= count, first <= last {
      place =
        method == .rfind || method == .rindex
        ? text.findLast(part, from: start, to: end) : text.find(part, from: start, to: end)
    }
    if let place { return .integer(text[0..<place].count) }
    if method == .find || method == .rfind { return .integer(-1) }
    throw TemplateFailure("'\(part.string)' is not in the text")
  }

  private func parted(
    _ owner: TemplateValue, _ text: TemplateText, _ separator: TemplateText,
    _ method: TemplateMethod
  ) throws(TemplateFailure) -> TemplateValue {
    if separator.isEmpty {
      throw TemplateFailure("'partition' needs a separator that is not empty")
    }
    try look(through: text, for: separator)
    let place = method == .partition ? text.find(separator) : text.findLast(separator)
    let parts: [TemplateText]
    if let place {
      let end = place + separator.byteCount
      parts = [text[0..<place], text[place..<end], text.from(end)]
    } else {
      parts =
        method == .partition
        ? [text, TemplateText(), TemplateText()] : [TemplateText(), TemplateText(), text]
    }
    return .tuple(try list(parts.map { part in owner.mapText { _ in part } }))
  }
}

extension TemplateText {
  /// Python's `casefold`: the same for texts that differ in case alone.
  var caseFolded: TemplateText {
    // A dotless i keeps its form; all others meet in their capitals.
    var result = TemplateTextBuilder()
    for unit in units {
      let one = TemplateText(units: [unit])
      result.append(Self.scalar(of: unit) == 0x131 ? one : one.uppercased.lowercasedPlainly)
    }
    return result.text
  }

  private var lowercasedPlainly: TemplateText {
    TemplateText(
      units: units.flatMap { unit -> [UInt32] in
        let bit = Self.origin(of: unit)
        guard let scalar = Unicode.Scalar(Self.scalar(of: unit)) else { return [unit] }
        return scalar.properties.lowercaseMapping.unicodeScalars.map { $0.value | bit }
      })
  }
}
