/// One object of a JSON Schema document, and where it stands.
struct JSONSchemaNode {
  let members: [JSONValue.Member]
  let place: Place

  /// A place in the document.
  struct Place {
    /// The JSON pointer as a fragment, `#/properties/total`.
    let pointer: String
    /// How many schemas are around it, references included.
    let depth: Int
    /// Whether a schema around it, other than the root, has an `$id` of its own, to which
    /// references are relative.
    var isEmbedded = false

    func child(_ steps: String...) -> Place {
      Place(
        pointer: ([pointer] + steps.map(\.pointerToken)).joined(separator: "/"),
        depth: depth + 1, isEmbedded: isEmbedded)
    }
  }

  subscript(keyword: String) -> JSONValue? { members.first { $0.name == keyword }?.value }

  /// The JSON types that the schema grammar tells apart, and `integer`.
  enum TypeName: String, CaseIterable {
    case null, boolean, integer, number, string, array, object
  }

  // MARK: Errors

  /// The keyword is understood, but cannot be enforced.
  func unsupported(_ keyword: String, _ reason: String, fix: String) -> FoveaError {
    FoveaError(
      .unsupportedSchema,
      "the JSON Schema has \"\(keyword)\" at \(place.pointer), which is not supported: \(reason)",
      fix: fix)
  }

  /// The keyword's value is not what JSON Schema allows there, or allows nothing.
  func invalid(_ keyword: String, _ reason: String, fix: String? = nil) -> FoveaError {
    FoveaError(
      .invalidSchema, "the JSON Schema's \"\(keyword)\" at \(place.pointer) is wrong: \(reason)",
      fix: fix)
  }

  // MARK: Values of keywords

  func string(_ keyword: String) throws(FoveaError) -> String? {
    guard let value = self[keyword] else { return nil }
    guard case .string(let text) = value else { throw invalid(keyword, "it must be a string") }
    return text
  }

  func array(_ keyword: String) throws(FoveaError) -> [JSONValue]? {
    guard let value = self[keyword] else { return nil }
    guard case .array(let items) = value else { throw invalid(keyword, "it must be an array") }
    return items
  }

  func number(_ keyword: String) throws(FoveaError) -> ExactNumber? {
    guard let value = self[keyword] else { return nil }
    guard case .number(let text) = value else { throw invalid(keyword, "it must be a number") }
    guard let number = ExactNumber(text), number.decimal != nil else {
      throw unsupported(
        keyword, "it has more than 38 digits, or a huge exponent", fix: "use a shorter number")
    }
    return number
  }

  /// A number of characters or items.
  func count(_ keyword: String) throws(FoveaError) -> Int? {
    guard let number = try number(keyword) else { return nil }
    guard number.isInteger, !number.isNegative else {
      throw invalid(keyword, "it must be a whole number, at least 0")
    }
    guard let count = number.int else {
      throw unsupported(keyword, "it is beyond the range of Int", fix: "use a smaller number")
    }
    return count
  }

  /// Two counts of which the first must not be greater.
  func counts(
    _ least: String, _ most: String
  ) throws(FoveaError) -> (minimum: Int, maximum: Int?) {
    let minimum = try count(least) ?? 0
    let maximum = try count(most)
    if let maximum, minimum > maximum {
      throw invalid(least, "\(minimum) is greater than \"\(most)\", \(maximum)")
    }
    return (minimum, maximum)
  }

  /// The `type` keyword; nil when there is none.
  func types() throws(FoveaError) -> [TypeName]? {
    guard let value = self["type"] else { return nil }
    var names: [JSONValue] = [value]
    if case .array(let items) = value { names = items }
    var types: [TypeName] = []
    for name in names {
      guard case .string(let text) = name, let type = TypeName(rawValue: text) else {
        throw invalid(
          "type", "\(name.excerpt) is no type",
          fix: "use \(TypeName.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      if !types.contains(type) { types.append(type) }
    }
    if types.isEmpty { throw invalid("type", "it is empty") }
    // Whole numbers are numbers.
    if types.contains(.number) { types.removeAll { $0 == .integer } }
    return types
  }
}

extension JSONValue {
  /// The most special type that the value has; nil for no sensible number.
  var typeName: JSONSchemaNode.TypeName {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .number(let text): (ExactNumber(text)?.isInteger ?? false) ? .integer : .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
