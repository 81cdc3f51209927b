import Fovea

/// A JSON Schema as the standard reads it: value by value, keyword by keyword, without any
/// automaton. Only what random schemas use.
struct PlainSchema {
  let document: JSONValue
  private var depth = 0

  /// A schema that applies itself to the same value.
  struct Endless: Error {}

  init(document: JSONValue) { self.document = document }

  func allows(_ value: JSONValue) throws -> Bool { try allows(value, document) }

  private func allows(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
    guard case .object(let members) = schema else { return schema == .boolean(true) }
    var deeper = self
    deeper.depth += 1
    if deeper.depth > 60 { throw Endless() }
    return try members.allSatisfy { try deeper.allows(value, $0.name, $0.value, schema) }
  }

  private func allows(
    _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONValue
  ) throws -> Bool {
    switch keyword {
    case "type": return list(rule).contains { isOf(value, $0) }
    case "const": return PlainValue(value) == PlainValue(rule)
    case "enum": return list(rule).contains { PlainValue(value) == PlainValue($0) }
    case "$ref":
      guard case .string(let text) = rule else { return false }
      let target =
        text == "#" ? document : document[name: "$defs"]?[name: String(text.dropFirst(8))]
      return try allows(value, target ?? .boolean(false))
    case "allOf": return try list(rule).allSatisfy { try allows(value, $0) }
    case "anyOf": return try list(rule).contains { try allows(value, $0) }
    case "oneOf": return try list(rule).filter { try allows(value, $0) }.count == 1
    case "not": return try !allows(value, rule)
    case "if":
      let branch = try allows(value, rule) ? "then" : "else"
      return try allows(value, schema[name: branch] ?? .boolean(true))
    default: break
    }
    switch value {
    case .number(let text):
      guard let number = Double(text) else { return false }
      switch keyword {
      case "minimum": return number >= double(rule)
      case "exclusiveMaximum": return number < double(rule)
      case "multipleOf": return (number / double(rule)).rounded() == number / double(rule)
      default: return true
      }
    case .string(let text):
      switch keyword {
      case "minLength": return text.unicodeScalars.count >= Int(double(rule))
      case "maxLength": return text.unicodeScalars.count <= Int(double(rule))
      default: return true
      }
    case .array(let items): return try allows(items, keyword, rule, schema)
    case .object(let members): return try allows(members, keyword, rule, schema)
    default: return true
    }
  }

  private func allows(
    _ items: [JSONValue], _ keyword: String, _ rule: JSONValue, _ schema: JSONValue
  ) throws -> Bool {
    let prefix = list(schema[name: "prefixItems"] ?? .array([]))
    switch keyword {
    case "prefixItems": return try zip(items, prefix).allSatisfy { try allows($0, $1) }
    case "items": return try items.dropFirst(prefix.count).allSatisfy { try allows($0, rule) }
    case "minItems": return items.count >= Int(double(rule))
    case "maxItems": return items.count <= Int(double(rule))
    case "uniqueItems":
      return rule != .boolean(true) || Set(items.map(PlainValue.init)).count == items.count
    case "contains":
      let minimum = schema[name: "minContains"].map { Int(double($0)) } ?? 1
      return try items.filter { try allows($0, rule) }.count >= minimum
    default: return true
    }
  }

  private func allows(
    _ members: [JSONValue.Member], _ keyword: String, _ rule: JSONValue, _ schema: JSONValue
  ) throws -> Bool {
    func has(_ name: JSONValue) -> Bool { members.contains { .string($0.name) == name } }
    // Random schemas have patterns of the form "^letter" only.
    func matches(_ pattern: String, _ name: String) -> Bool {
      name.hasPrefix(pattern.dropFirst())
    }
    switch keyword {
    case "required": return list(rule).allSatisfy(has)
    case "minProperties": return members.count >= Int(double(rule))
    case "maxProperties": return members.count <= Int(double(rule))
    case "propertyNames": return try members.allSatisfy { try allows(.string($0.name), rule) }
    case "properties":
      for member in members {
        if let rule = rule[name: member.name], try !allows(member.value, rule) { return false }
      }
      return true
    case "patternProperties":
      for member in members {
        for pattern in pairs(rule) where matches(pattern.name, member.name) {
          if try !allows(member.value, pattern.value) { return false }
        }
      }
      return true
    case "additionalProperties":
      let patterns = pairs(schema[name: "patternProperties"] ?? .object([]))
      for member in members where schema[name: "properties"]?[name: member.name] == nil {
        if patterns.contains(where: { matches($0.name, member.name) }) { continue }
        if try !allows(member.value, rule) { return false }
      }
      return true
    case "dependentRequired":
      return pairs(rule).allSatisfy { !has(.string($0.name)) || list($0.value).allSatisfy(has) }
    case "dependentSchemas":
      for entry in pairs(rule) where has(.string(entry.name)) {
        if try !allows(.object(members), entry.value) { return false }
      }
      return true
    default: return true
    }
  }

  private func isOf(_ value: JSONValue, _ type: JSONValue) -> Bool {
    switch (value, type) {
    case (.null, .string("null")), (.boolean, .string("boolean")), (.number, .string("number")),
      (.string, .string("string")), (.array, .string("array")), (.object, .string("object")):
      true
    case (.number(let text), .string("integer")): ExactNumber(text)?.isInteger ?? false
    default: false
    }
  }

  private func list(_ value: JSONValue) -> [JSONValue] {
    if case .array(let items) = value { items } else { [value] }
  }

  private func pairs(_ value: JSONValue) -> [JSONValue.Member] {
    if case .object(let members) = value { members } else { [] }
  }

  private func double(_ value: JSONValue) -> Double {
    if case .number(let text) = value { Double(text) ?? 0 } else { 0 }
  }
}

/// A value by what it means: numbers by value, objects without order.
private enum PlainValue: Hashable {
  case scalar(String)
  case number(ExactNumber)
  case array([PlainValue])
  case object([[UInt8]: PlainValue])

  init(_ value: JSONValue) {
    switch value {
    case .number(let text): self = ExactNumber(text).map(Self.number) ?? .scalar(text)
    case .array(let items): self = .array(items.map(PlainValue.init))
    case .object(let members):
      self = .object(
        Dictionary(
          members.map { (Array($0.name.utf8), PlainValue($0.value)) },
          uniquingKeysWith: { $1 }))
    default: self = .scalar(value.text)
    }
  }
}
