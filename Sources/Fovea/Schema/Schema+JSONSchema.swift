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

  private var jsonSchemaValue: JSONValue {
    var members: [JSONValue.Member] = []
    if let title { members.append(.init("title", .string(title))) }
    if let description { members.append(.init("description", .string(description))) }
    members += kind.jsonSchemaMembers
    if !examples.isEmpty { members.append(.init("examples", .array(examples))) }
    return .object(members)
  }
}

extension Schema.Kind {
  fileprivate var jsonSchemaMembers: [JSONValue.Member] {
    switch self {
    case .null: [Self.type("null")]
    case .boolean: [Self.type("boolean")]
    case .integer(let bounds): [Self.type("integer")] + bounds.jsonSchemaMembers
    case .number(let bounds): [Self.type("number")] + bounds.jsonSchemaMembers
    case .string(let rule): [Self.type("string")] + rule.jsonSchemaMembers
    case .enumeration(let values): [.init("enum", .array(values))]
    case .array(let items, let minItems, let maxItems):
      [Self.type("array"), .init("items", items.jsonSchemaValue)]
        + (minItems > 0 ? [.init("minItems", .number("\(minItems)"))] : [])
        + (maxItems.map { [.init("maxItems", .number("\($0)"))] } ?? [])
    case .object(let properties): Self.object(properties)
    case .anyOf(let branches): [.init("anyOf", .array(branches.map(\.jsonSchemaValue)))]
    }
  }

  private static func type(_ name: String) -> JSONValue.Member { .init("type", .string(name)) }

  private static func object(_ properties: [Schema.Property]) -> [JSONValue.Member] {
    let members = properties.map { JSONValue.Member($0.name, $0.schema.jsonSchemaValue) }
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
    return members
  }
}

extension Schema.StringRule {
  fileprivate var jsonSchemaMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if minLength > 0 { members.append(.init("minLength", .number("\(minLength)"))) }
    if let maxLength { members.append(.init("maxLength", .number("\(maxLength)"))) }
    if let format { members.append(.init("format", .string(format.rawValue))) }
    return members
  }
}
