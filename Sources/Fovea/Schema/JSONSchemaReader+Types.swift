import Foundation

/// The keywords of single types.
extension JSONSchemaReader {
  // MARK: Numbers

  func bounds(_ node: Node, wholeNumbers: Bool) throws(FoveaError) -> Schema.NumberBounds {
    let least = try bound(node, "minimum", "exclusiveMinimum")
    let greatest = try bound(node, "maximum", "exclusiveMaximum")
    var bounds = Schema.NumberBounds()
    for (value, isExclusive) in least {
      bounds = bounds.intersection(.init(minimum: value, isMinimumExclusive: isExclusive))
    }
    for (value, isExclusive) in greatest {
      bounds = bounds.intersection(.init(maximum: value, isMaximumExclusive: isExclusive))
    }
    if bounds.isEmpty(wholeNumbers: wholeNumbers) {
      let keyword = node["minimum"] == nil ? "exclusiveMinimum" : "minimum"
      throw node.invalid(keyword, "no number is left between it and the maximum")
    }
    return bounds
  }

  /// The bounds that a keyword and its exclusive form give.
  private func bound(
    _ node: Node, _ keyword: String, _ exclusive: String
  ) throws(FoveaError) -> [(Decimal, Bool)] {
    let plain = try node.number(keyword)?.decimal
    if case .boolean(let isExclusive)? = node[exclusive] {
      guard dialect.hasBooleanExclusives else {
        throw node.invalid(
          exclusive, "it must be a number",
          fix: "write the number here, or declare draft-04 in $schema")
      }
      return plain.map { [($0, isExclusive)] } ?? []
    }
    var bounds = plain.map { [($0, false)] } ?? []
    if let value = try node.number(exclusive)?.decimal { bounds.append((value, true)) }
    return bounds
  }

  // MARK: Text

  func stringRule(_ node: Node) throws(FoveaError) -> Schema.StringRule {
    let (minLength, maxLength) = try node.counts("minLength", "maxLength")
    guard let name = try node.string("format") else {
      return Schema.StringRule(minLength: minLength, maxLength: maxLength)
    }
    guard let format = Schema.Format(rawValue: name) else {
      let known = Schema.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw node.unsupported(
        "format", "\"\(name)\" is not enforced yet; enforced are \(known)",
        fix: "remove it and check the text after decoding")
    }
    let rule = Schema.StringRule(minLength: minLength, maxLength: maxLength, format: format)
    if rule.isEmpty { throw node.invalid("format", "no \(name) has the length that is asked for") }
    return rule
  }

  // MARK: Lists

  mutating func list(_ node: Node) throws(FoveaError) -> Schema.Kind {
    let (minItems, maxItems) = try node.counts("minItems", "maxItems")
    switch node["items"] {
    case nil:
      throw FoveaError(
        .unsupportedSchema,
        "the JSON Schema has a list without \"items\" at \(node.place.pointer), and so allows any "
          + "items", fix: "say in items what they are")
    case .array:
      throw node.unsupported(
        "items", "all items of a list have one type", fix: "use an object with a key each")
    case let items?:
      return .array(
        items: try schema(items, at: node.place.child("items")), minItems: minItems,
        maxItems: maxItems)
    }
  }

  // MARK: Objects

  mutating func object(_ node: Node) throws(FoveaError) -> Schema.Kind {
    var members: [JSONValue.Member] = []
    switch node["properties"] {
    case nil: break
    case .object(let declared): members = declared
    default: throw node.invalid("properties", "it must be an object")
    }
    let isClosed = try isClosed(node)
    var required = try required(node)
    var properties: [Schema.Property] = []
    for member in members {
      let place = node.place.child("properties", member.name)
      properties.append(
        Schema.Property(
          member.name, try schema(member.value, at: place),
          isRequired: required.removeValue(forKey: Array(member.name.utf8)) != nil))
    }
    if let name = required.values.min() {
      if isClosed {
        throw node.invalid("required", "\"\(name)\" is not declared, and no other key is allowed")
      }
      throw node.unsupported(
        "required", "\"\(name)\" is not in properties", fix: "declare it in properties")
    }
    if properties.isEmpty, !isClosed {
      warn(node.place, "no properties are declared, so that only {} is written")
    }
    return .object(properties)
  }

  /// Whether other keys than the declared ones are forbidden. Where they are allowed they are not
  /// written all the same.
  private func isClosed(_ node: Node) throws(FoveaError) -> Bool {
    switch node["additionalProperties"] {
    case nil, .boolean(true), .object([]): return false
    case .boolean(false): return true
    case .object:
      throw node.unsupported(
        "additionalProperties", "only declared keys are written",
        fix: "declare the keys in properties, or use an array of objects with a name and a value")
    default:
      throw node.invalid("additionalProperties", "it must be a boolean or a schema")
    }
  }

  /// The required names by their bytes.
  private mutating func required(_ node: Node) throws(FoveaError) -> [[UInt8]: String] {
    if case .boolean? = node["required"] {
      throw node.invalid(
        "required", "it must be an array",
        fix: "list the required keys in the object that has the properties")
    }
    var names: [[UInt8]: String] = [:]
    for value in try node.array("required") ?? [] {
      guard case .string(let name) = value else {
        throw node.invalid("required", "\(value.excerpt) is no key")
      }
      if names.updateValue(name, forKey: Array(name.utf8)) != nil {
        warn(node.place, "\"required\" names \"\(name)\" twice")
      }
    }
    return names
  }
}
