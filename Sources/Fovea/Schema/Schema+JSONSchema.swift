import Foundation

extension Schema {
  /// The schema as JSON Schema (draft 2020-12): properties in their order, objects closed.
  ///
  ///     Schema(.integer(.init(minimum: 0))).jsonSchema()     // {"type":"integer","minimum":0}
  ///
  /// Reading it back gives an equal schema, with these exceptions: an `anyOf` of a single branch
  /// becomes that branch; equal values of an enumeration are kept once; and a schema made by hand
  /// that allows nothing, or whose branches begin alike, is refused.
  ///
  /// - Parameter pretty: over several lines, with two blanks for each level.
  public func jsonSchema(pretty: Bool = false) -> String {
    jsonSchemaValue.text(pretty: pretty)
  }

  /// The schema as the JSON Schema document that says exactly the same.
  ///
  /// - Throws: ``FoveaError/Code/invalidSchema`` with a JSON pointer for what has no such document:
  ///   a document inside a tree, a reference without a definition, two different definitions of
  ///   one name, a bound that is no number.
  package func document() throws(FoveaError) -> JSONValue {
    if case .document(let document) = kind, definitions.isEmpty { return document }
    var names: Set<String> = []
    for definition in allDefinitions where !names.insert(definition.name).inserted {
      throw .noDocument("#/$defs/\(definition.name)", "is defined twice", fix: "rename one of them")
    }
    try check(at: "#", names)
    for definition in allDefinitions {
      try definition.schema.check(at: "#/$defs/\(definition.name.escapedForPointer)", names)
    }
    return jsonSchemaValue
  }

  private func check(at place: String, _ names: Set<String>) throws(FoveaError) {
    switch kind {
    case .null, .boolean, .string, .enumeration, .any: break
    case .integer(let bounds), .number(let bounds):
      for number in [bounds.minimum, bounds.maximum, bounds.multipleOf] where number?.isNaN ?? false
      {
        throw .noDocument(place, "has a bound that is not a number", fix: "give it a number")
      }
    case .array(let items, _, _), .set(let items, _, _):
      try items.check(at: place + "/items", names)
    case .tuple(let items):
      for (index, item) in items.enumerated() {
        try item.check(at: "\(place)/prefixItems/\(index)", names)
      }
    case .object(let properties):
      for property in properties {
        try property.schema.check(
          at: "\(place)/properties/\(property.name.escapedForPointer)", names)
      }
    case .dictionary(let values, _, _, _):
      try values.check(at: place + "/additionalProperties", names)
    case .anyOf(let branches):
      for (index, branch) in branches.enumerated() {
        try branch.check(at: "\(place)/anyOf/\(index)", names)
      }
    case .reference(let name):
      guard !names.contains(name) else { break }
      throw .noDocument(
        place, "refers to \"\(name)\", which is not defined", fix: "add it to definitions")
    case .document:
      throw .noDocument(
        place, "is a JSON Schema document inside another schema",
        fix: "use the document as the whole schema, or write the outer part in it")
    }
  }

  /// The definitions of this schema and of all schemas inside, each of them once.
  var allDefinitions: [Definition] {
    var found: [Definition] = []
    var known: Set<Definition> = []
    func collect(_ schema: Schema) {
      for definition in schema.definitions {
        var plain = definition
        plain.schema.definitions = []
        if known.insert(plain).inserted {
          found.append(plain)
          collect(definition.schema)
        }
      }
      schema.kind.children.forEach(collect)
    }
    collect(self)
    return found
  }

  var jsonSchemaValue: JSONValue {
    if case .document(let document) = kind { return document }
    guard case .object(var members) = bareValue, case let definitions = allDefinitions,
      !definitions.isEmpty
    else { return bareValue }
    let values = definitions.map { JSONValue.Member($0.name, $0.schema.bareValue) }
    members.append(.init("$defs", .object(values)))
    return .object(members)
  }

  /// The schema without definitions.
  fileprivate var bareValue: JSONValue {
    var members: [JSONValue.Member] = []
    if let title { members.append(.init("title", .string(title))) }
    if let description { members.append(.init("description", .string(description))) }
    members += kind.jsonSchemaMembers
    if !examples.isEmpty { members.append(.init("examples", .array(examples))) }
    return .object(members)
  }
}

extension Schema.Kind {
  /// The schemas directly inside.
  var children: [Schema] {
    switch self {
    case .null, .boolean, .integer, .number, .string, .enumeration, .any, .reference, .document: []
    case .array(let items, _, _), .set(let items, _, _): [items]
    case .tuple(let items): items
    case .object(let properties): properties.map(\.schema)
    case .dictionary(let values, _, _, _): [values]
    case .anyOf(let branches): branches
    }
  }

  fileprivate var jsonSchemaMembers: [JSONValue.Member] {
    switch self {
    case .null: [Self.type("null")]
    case .boolean: [Self.type("boolean")]
    case .integer(let bounds): [Self.type("integer")] + bounds.jsonSchemaMembers
    case .number(let bounds): [Self.type("number")] + bounds.jsonSchemaMembers
    case .string(let rule): [Self.type("string")] + rule.jsonSchemaMembers
    case .enumeration(let values): [.init("enum", .array(values))]
    case .array(let items, let minItems, let maxItems): Self.list(items, minItems, maxItems)
    case .set(let items, let minItems, let maxItems):
      Self.list(items, minItems, maxItems) + [.init("uniqueItems", .boolean(true))]
    case .tuple(let items): Self.tuple(items)
    case .object(let properties): Self.object(properties)
    case .dictionary(let values, let keys, let least, let most):
      [Self.type("object"), .init("additionalProperties", values.bareValue)]
        + (keys.map { [.init("propertyNames", .object($0.jsonSchemaMembers))] } ?? [])
        + Self.bound("minProperties", least) + Self.bound("maxProperties", most)
    case .anyOf(let branches): [.init("anyOf", .array(branches.map(\.bareValue)))]
    case .any: []
    case .reference(let name):
      // The pointer stands in a URI, where `~` is allowed and most else is percent-encoded.
      [.init("$ref", .string("#/$defs/\(name.escapedForPointer.percentEncoded)"))]
    // Only a misplaced one comes here, for which `document()` throws.
    case .document(.object(let members)): members
    case .document: []
    }
  }

  private static func type(_ name: String) -> JSONValue.Member { .init("type", .string(name)) }

  /// Nothing for a bound that allows everything.
  private static func bound(_ keyword: String, _ count: Int?) -> [JSONValue.Member] {
    guard let count, count != 0 || keyword.hasPrefix("max") else { return [] }
    return [.init(keyword, .number("\(count)"))]
  }

  private static func list(
    _ items: Schema, _ minItems: Int, _ maxItems: Int?
  ) -> [JSONValue.Member] {
    [type("array"), .init("items", items.bareValue)]
      + bound("minItems", minItems) + bound("maxItems", maxItems)
  }

  private static func tuple(_ items: [Schema]) -> [JSONValue.Member] {
    if items.isEmpty { return [type("array")] + bound("maxItems", 0) }
    return [type("array"), .init("prefixItems", .array(items.map(\.bareValue)))]
      + [.init("items", .boolean(false))] + bound("minItems", items.count)
  }

  private static func object(_ properties: [Schema.Property]) -> [JSONValue.Member] {
    let members = properties.map { JSONValue.Member($0.name, $0.schema.bareValue) }
    let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
    return [type("object"), .init("properties", .object(members))]
      + (required.isEmpty ? [] : [.init("required", .array(required))])
      + [.init("additionalProperties", .boolean(false))]
  }
}

extension Schema.NumberBounds {
  fileprivate var jsonSchemaMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let minimum {
      let keyword = isMinimumExclusive ? "exclusiveMinimum" : "minimum"
      members.append(.init(keyword, .number(minimum.description)))
    }
    if let maximum {
      let keyword = isMaximumExclusive ? "exclusiveMaximum" : "maximum"
      members.append(.init(keyword, .number(maximum.description)))
    }
    if let multipleOf { members.append(.init("multipleOf", .number(multipleOf.description))) }
    return members
  }
}

extension Schema.StringRule {
  fileprivate var jsonSchemaMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if minLength != 0 { members.append(.init("minLength", .number("\(minLength)"))) }
    if let maxLength { members.append(.init("maxLength", .number("\(maxLength)"))) }
    if let pattern { members.append(.init("pattern", .string(pattern))) }
    switch format {
    case nil: break
    case .base64:
      // JSON Schema has no format for it, only an annotation.
      let own = JSONValue.Member("pattern", .string(Schema.Format.base64Pattern))
      members +=
        pattern == nil ? [own] : [.init("allOf", .array([.object([own])]))]
      members.append(.init("contentEncoding", .string("base64")))
    case let format?: members.append(.init("format", .string(format.rawValue)))
    }
    return members
  }
}

extension Schema.Format {
  /// Groups of four; the last one may hold fewer than three bytes.
  static let base64Pattern =
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
}

extension String {
  /// The text for the fragment of a URI.
  fileprivate var percentEncoded: String {
    let safe = CharacterSet.urlFragmentAllowed.subtracting(CharacterSet(charactersIn: "%"))
    return addingPercentEncoding(withAllowedCharacters: safe) ?? self
  }
}

extension FoveaError {
  fileprivate static func noDocument(
    _ place: String, _ reason: String, fix: String
  ) -> FoveaError {
    FoveaError(.invalidSchema, "the schema at \(place) \(reason)", fix: fix)
  }
}
