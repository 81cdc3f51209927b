extension Guide {
  /// The parts of a guide that fit some types only.
  enum Rule: String {
    case range, length, count, format, pattern, examples
    case values = "allowed values"
    case multiple = "multiples"
    case unique = "different items"
  }

  /// The parts that this guide has.
  var rules: [Rule] {
    var rules: [Rule] = []
    if range != nil { rules.append(.range) }
    if length != nil { rules.append(.length) }
    if count != nil { rules.append(.count) }
    if format != nil { rules.append(.format) }
    if pattern != nil { rules.append(.pattern) }
    if multiple != nil { rules.append(.multiple) }
    if isUnique { rules.append(.unique) }
    if values != nil { rules.append(.values) }
    if !examples.isEmpty { rules.append(.examples) }
    return rules
  }
}

extension Guide {
  /// The guide's number of items, by default that of the list.
  func counts(_ minimum: Int, _ maximum: Int?) -> (Int, Int?) {
    count.map { ($0.minimum, $0.maximum) } ?? (minimum, maximum)
  }
}

extension Schema.Kind {
  /// What error messages call it.
  var noun: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "a whole number"
    case .number: "a number"
    case .string: "text"
    case .enumeration: "one of a few values"
    case .array, .set, .tuple: "a list"
    case .object, .dictionary: "an object"
    case .anyOf: "one of several types"
    case .any: "any value"
    case .reference(let name): "a \(name)"
    case .document: "what a JSON Schema describes"
    }
  }
}
