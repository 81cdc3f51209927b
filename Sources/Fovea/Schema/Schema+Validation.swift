extension Schema {
  /// Whether a value is what this schema describes. Keys may stand in any order; numbers are
  /// compared exactly, and by value: `2.0` is a whole number.
  ///
  ///     let schema = Schema(.array(items: Schema(.boolean), minItems: 1, maxItems: nil))
  ///     schema.accepts(.array([.boolean(true)]))     // true
  ///     schema.accepts(.array([]))                   // false
  public func accepts(_ value: JSONValue) -> Bool { violation(of: value) == nil }

  /// Where a value breaks this schema, and how: a JSON pointer and a reason, for example
  /// `/items/0/price is -1, which is less than 0`; nil when it does not.
  ///
  /// This does not use the grammar: it is the second opinion on what the grammar let through.
  package func violation(of value: JSONValue) -> String? {
    breach(of: value).map { "\($0.pointer.isEmpty ? "the value" : $0.pointer) \($0.reason)" }
  }

  private struct Breach {
    var pointer = ""
    let reason: String
  }

  private func breach(of value: JSONValue) -> Breach? {
    switch (kind, value) {
    case (.null, .null), (.boolean, .boolean):
      return nil
    case (.integer(let bounds), .number(let text)):
      return Self.breach(of: text, bounds, wholeNumber: true)
    case (.number(let bounds), .number(let text)):
      return Self.breach(of: text, bounds, wholeNumber: false)
    case (.string(let rule), .string(let text)):
      return rule.violation(of: text).map { Breach(reason: $0) }
    case (.enumeration(let values), _):
      if let key = ScalarKey(value), values.contains(where: { ScalarKey($0) == key }) { return nil }
      return Breach(reason: "is \(value.excerpt), which is none of the allowed values")
    case (.array(let items, let minItems, let maxItems), .array(let elements)):
      return Self.breach(of: elements, items, minItems, maxItems)
    case (.object(let properties), .object(let members)):
      return Self.breach(of: members, properties)
    case (.anyOf(let branches), _):
      return Self.breach(of: value, branches)
    default:
      return Breach(reason: "is \(value.excerpt), not \(kind.noun)")
    }
  }

  private static func breach(
    of text: String, _ bounds: NumberBounds, wholeNumber: Bool
  ) -> Breach? {
    guard let number = ExactNumber(text) else {
      return Breach(reason: "is \(text), which is no number of a sensible size")
    }
    if wholeNumber, !number.isInteger { return Breach(reason: "is \(text), not a whole number") }
    return bounds.violation(of: number).map { Breach(reason: "is \(text), which \($0)") }
  }

  private static func breach(
    of elements: [JSONValue], _ items: Schema, _ minItems: Int, _ maxItems: Int?
  ) -> Breach? {
    if elements.count < minItems {
      return Breach(reason: "has \(elements.count) items, fewer than \(minItems)")
    }
    if let maxItems, elements.count > maxItems {
      return Breach(reason: "has \(elements.count) items, more than \(maxItems)")
    }
    for (index, element) in elements.enumerated() {
      if let breach = items.breach(of: element) {
        return Breach(pointer: "/\(index)\(breach.pointer)", reason: breach.reason)
      }
    }
    return nil
  }

  private static func breach(
    of members: [JSONValue.Member], _ properties: [Property]
  ) -> Breach? {
    // Keys are compared by their bytes: Swift's strings are equal by canonical equivalence.
    var rest: [[UInt8]: Property] = [:]
    for property in properties { rest[Array(property.name.utf8)] = property }
    for member in members {
      guard let property = rest.removeValue(forKey: Array(member.name.utf8)) else {
        let isKnown = properties.contains { $0.name.utf8.elementsEqual(member.name.utf8) }
        return Breach(
          reason: "has the key \"\(member.name)\" \(isKnown ? "twice" : "that is not declared")")
      }
      if let breach = property.schema.breach(of: member.value) {
        return Breach(
          pointer: "/\(member.name.pointerToken)\(breach.pointer)", reason: breach.reason)
      }
    }
    let missing = properties.first { $0.isRequired && rest[Array($0.name.utf8)] != nil }
    return missing.map { Breach(reason: "lacks the required key \"\($0.name)\"") }
  }

  /// The breach of the branch that was meant: the one for the value's JSON type, since branches
  /// differ in it.
  private static func breach(of value: JSONValue, _ branches: [Schema]) -> Breach? {
    var meant: Breach?
    for branch in branches {
      guard let breach = branch.breach(of: value) else { return nil }
      if branch.typeNames.contains(value.typeName.family) { meant = meant ?? breach }
    }
    let nouns = branches.map(\.kind.noun).joined(separator: ", ")
    return meant ?? Breach(reason: "is \(value.excerpt), which is none of: \(nouns)")
  }
}

extension Schema.StringRule {
  /// Whether no text is long, or short, enough for the format.
  var isEmpty: Bool {
    if let maxLength, maxLength < minLength { return true }
    let shortest =
      switch format {
      case nil: 0
      case .date: "2026-11-30".count
      case .time: "09:41:00Z".count
      case .dateTime: "2026-11-30T09:41:00Z".count
      }
    if let maxLength, maxLength < shortest { return true }
    // Fractions of seconds make a time as long as one likes.
    return format == .date && minLength > shortest
  }

  /// What the text breaks; nil when nothing.
  func violation(of text: String) -> String? {
    let length = text.unicodeScalars.count
    if length < minLength { return "has \(length) characters, fewer than \(minLength)" }
    if let maxLength, length > maxLength {
      return "has \(length) characters, more than \(maxLength)"
    }
    let isWellFormed =
      switch format {
      case nil: true
      case .date: DateText.day(text) != nil
      case .time: DateText.time(text) != nil
      case .dateTime: DateText.dateTime(text) != nil
      }
    return isWellFormed ? nil : "is not a \(format?.rawValue ?? "")"
  }
}

extension String {
  /// The text as one step of a JSON pointer.
  var pointerToken: String {
    var token = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "~": token += "~0"
      case "/": token += "~1"
      default: token.unicodeScalars.append(scalar)
      }
    }
    return token
  }
}

extension JSONValue {
  /// The value as JSON, cut to what fits a message.
  var excerpt: String {
    let text = text
    return text.count <= 40 ? text : text.prefix(40) + "…"
  }
}
