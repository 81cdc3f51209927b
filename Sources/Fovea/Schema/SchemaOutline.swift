/// A schema in a form that models read easily and that takes few tokens: an outline of the JSON, with
/// what fields mean as comments.
///
///     {
///       "vendor": string, // name of the shop
///       "items": [ // the articles; at most 60 items
///         {
///           "name": string,
///           "quantity": integer // 1 to 9999
///         }
///       ],
///       "total": number | null
///     }
///
/// A part with a keyword that has no such form is shown as the JSON Schema that it is, so that nothing
/// is kept from the model.
struct SchemaOutline {
  /// The outline, in lines.
  let text: String

  init(_ schema: Schema) {
    let document: JSONValue
    if case .document(let value) = schema.kind {
      document = value
    } else {
      document = schema.jsonSchemaValue
    }
    var lines = Self.type(document)
    if let comment = Self.comment(document), lines.count > 1 || !Self.isRaw(document) {
      lines[0] += " // \(comment)"
    }
    for key in ["$defs", "definitions"] {
      for member in document.members(of: key) where !Self.isRaw(document) {
        let part = Self.type(member.value)
        lines += ["", "\(member.name) = \(part[0])"] + part.dropFirst()
      }
    }
    text = lines.joined(separator: "\n")
  }

  // MARK: Keywords

  /// Keywords that the outline shows.
  private static let shown: Set<String> = [
    "type", "enum", "const", "properties", "required", "additionalProperties", "items",
    "prefixItems", "anyOf", "oneOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems",
    "uniqueItems", "minProperties", "maxProperties", "title", "description", "examples", "$ref",
  ]

  /// Keywords that say nothing about values.
  private static let silent: Set<String> = [
    "$schema", "$id", "id", "$comment", "$defs", "definitions", "default", "deprecated", "readOnly",
    "writeOnly", "$anchor", "contentEncoding", "contentMediaType",
  ]

  /// Whether a schema can only be shown as it is.
  private static func isRaw(_ schema: JSONValue) -> Bool {
    guard case .object(let members) = schema else { return schema != .boolean(true) }
    let names = Set(members.map(\.name))
    if !names.isSubset(of: shown.union(silent)) { return true }
    let branching = names.intersection(["anyOf", "oneOf", "$ref", "enum", "const"])
    // Beside alternatives, a reference or fixed values only what tells about them.
    let told: Set<String> = ["title", "description", "examples", "type"]
    if !branching.isEmpty {
      return branching.count > 1
        || !names.subtracting(branching).subtracting(told).isSubset(of: silent)
    }
    if let reference = schema[name: "$ref"], name(of: reference) == nil { return true }
    if case .array? = schema[name: "items"] { return true }
    return names.contains("prefixItems") && schema[name: "items"] != .boolean(false)
  }

  /// The name that a reference to a definition ends with.
  private static func name(of reference: JSONValue) -> String? {
    guard case .string(let text) = reference else { return nil }
    for prefix in ["#/$defs/", "#/definitions/"] where text.hasPrefix(prefix) {
      let name = text.dropFirst(prefix.count)
      return name.contains(where: { "/~%".contains($0) }) ? nil : String(name)
    }
    return nil
  }

  // MARK: Types

  /// The lines of a type.
  private static func type(_ schema: JSONValue) -> [String] {
    if isRaw(schema) {
      return [schema == .boolean(false) ? "nothing" : "JSON Schema \(schema.text)"]
    }
    if let reference = schema[name: "$ref"], let name = name(of: reference) { return [name] }
    if let value = schema[name: "const"] { return [value.text] }
    if case .array(let values)? = schema[name: "enum"] {
      return [values.map(\.text).joined(separator: " | ")]
    }
    for key in ["anyOf", "oneOf"] {
      if case .array(let branches)? = schema[name: key] {
        return alternatives(branches.map { type($0) })
      }
    }
    switch schema[name: "type"] {
    case .string(let name)?: return type(named: name, schema)
    case .array(let names)?:
      return alternatives(
        names.compactMap {
          if case .string(let name) = $0 { type(named: name, schema) } else { nil }
        })
    default:
      if schema[name: "properties"] != nil { return type(named: "object", schema) }
      return schema[name: "items"] != nil ? type(named: "array", schema) : ["any JSON value"]
    }
  }

  private static func type(named name: String, _ schema: JSONValue) -> [String] {
    switch name {
    case "array":
      if case .array(let items)? = schema[name: "prefixItems"] {
        return enclosed(items.map { (nil, $0) }, "[", "]")
      }
      guard let items = schema[name: "items"] else { return ["[any JSON value]"] }
      return enclosed([(nil, items)], "[", "]")
    case "object":
      var required: Set<String> = []
      if case .array(let names)? = schema[name: "required"] {
        for case .string(let name) in names { required.insert(name) }
      }
      var fields = schema.members(of: "properties").map { member in
        let mark = required.contains(member.name) ? "" : "?"
        return (
          label: String?.some(JSONValue.string(member.name).text + mark), schema: member.value
        )
      }
      switch schema[name: "additionalProperties"] {
      case .boolean(false)?: break
      case let more?: fields.append(("[key]", more))
      case nil: if fields.isEmpty { fields.append(("[key]", .boolean(true))) }
      }
      return enclosed(fields, "{", "}")
    default: return [name]
    }
  }

  /// Parts between brackets, each on lines of its own but for a single short one in a list.
  private static func enclosed(
    _ parts: [(label: String?, schema: JSONValue)], _ open: String, _ close: String
  ) -> [String] {
    if parts.isEmpty { return [open + close] }
    var lines = [open]
    for (index, part) in parts.enumerated() {
      var inner = type(part.schema)
      let comment = comment(part.schema)
      if parts.count == 1, inner.count == 1, comment == nil, part.label == nil {
        return ["[\(inner[0])]"]
      }
      if let label = part.label { inner[0] = "\(label): \(inner[0])" }
      if index + 1 < parts.count { inner[inner.count - 1] += "," }
      if let comment { inner[0] += " // \(comment)" }
      lines += inner.map { "  " + $0 }
    }
    return lines + [close]
  }

  private static func alternatives(_ branches: [[String]]) -> [String] {
    guard var lines = branches.first else { return ["nothing"] }
    for branch in branches.dropFirst() {
      lines[lines.count - 1] += " | \(branch[0])"
      lines += branch.dropFirst()
    }
    return lines
  }

  // MARK: Comments

  /// What a field means and how it is bounded, on one line; nil when there is nothing to say.
  private static func comment(_ schema: JSONValue) -> String? {
    if isRaw(schema) { return nil }
    var parts: [String] = []
    for key in ["title", "description"] {
      guard case .string(let text)? = schema[name: key] else { continue }
      parts.append(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
    parts += bounds(schema)
    for key in ["anyOf", "oneOf"] {
      // "string | null": the text's bounds count where it is one.
      if case .array(let branches)? = schema[name: key] {
        parts += branches.filter { !isRaw($0) }.flatMap { bounds($0) }
      }
    }
    if case .array(let examples)? = schema[name: "examples"], !examples.isEmpty {
      parts.append("for example " + examples.map(\.text).joined(separator: ", "))
    }
    let kept = parts.filter { !$0.isEmpty }
    return kept.isEmpty ? nil : kept.joined(separator: "; ")
  }

  private static func bounds(_ schema: JSONValue) -> [String] {
    var parts = span(
      schema.number("minimum"), schema.number("maximum"),
      isOpen: schema[name: "exclusiveMinimum"] == .boolean(true),
      isOpenAbove: schema[name: "exclusiveMaximum"] == .boolean(true))
    parts += span(
      schema.number("exclusiveMinimum"), schema.number("exclusiveMaximum"), isOpen: true,
      isOpenAbove: true)
    if let step = schema.number("multipleOf") { parts.append("a multiple of \(step)") }
    switch schema[name: "format"] {
    case .string("date")?: parts.append("YYYY-MM-DD")
    case .string("date-time")?: parts.append("YYYY-MM-DDThh:mm:ssZ")
    case .string("time")?: parts.append("hh:mm:ssZ")
    case .string(let format)?: parts.append(format)
    default: break
    }
    for (key, what) in [("Length", "characters"), ("Items", "items"), ("Properties", "keys")] {
      parts += count(schema.number("min" + key), schema.number("max" + key), what)
    }
    if schema[name: "uniqueItems"] == .boolean(true) { parts.append("no two alike") }
    if case .string(let pattern)? = schema[name: "pattern"] { parts.append("matches /\(pattern)/") }
    return parts
  }

  private static func span(
    _ low: String?, _ high: String?, isOpen: Bool, isOpenAbove: Bool
  ) -> [String] {
    if let low, let high, !isOpen, !isOpenAbove { return ["\(low) to \(high)"] }
    return [
      low.map { "\(isOpen ? "above" : "at least") \($0)" },
      high.map { "\(isOpenAbove ? "below" : "at most") \($0)" },
    ].compactMap { $0 }
  }

  private static func count(_ least: String?, _ most: String?, _ what: String) -> [String] {
    switch (least == "0" ? nil : least, most) {
    case (nil, nil): []
    case (nil, let most?): ["at most \(most) \(what)"]
    case (let least?, nil): ["at least \(least) \(what)"]
    case (let least?, let most?):
      least == most ? ["\(least) \(what)"] : ["\(least) to \(most) \(what)"]
    }
  }
}

extension Schema {
  /// The schema in the form that prompts show to models: an outline of the JSON, with descriptions and
  /// bounds as comments.
  ///
  ///     try Schema(of: Receipt.self).outline()     // { "vendor": string, // name of the shop …
  public func outline() -> String { SchemaOutline(self).text }
}

extension JSONValue {
  fileprivate func members(of key: String) -> [Member] {
    if case .object(let members)? = self[name: key] { members } else { [] }
  }

  fileprivate func number(_ key: String) -> String? {
    if case .number(let text)? = self[name: key] { text } else { nil }
  }
}
