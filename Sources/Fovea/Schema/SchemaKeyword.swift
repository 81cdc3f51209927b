/// The keywords of JSON Schema, over all dialects.
enum SchemaKeyword: String, CaseIterable {
  case dollarSchema = "$schema"
  case dollarID = "$id"
  case id
  case anchor = "$anchor"
  case dynamicAnchor = "$dynamicAnchor"
  case recursiveAnchor = "$recursiveAnchor"
  case ref = "$ref"
  case dynamicRef = "$dynamicRef"
  case recursiveRef = "$recursiveRef"
  case defs = "$defs"
  case definitions
  case vocabulary = "$vocabulary"
  case comment = "$comment"
  case title, description, `default`, examples, deprecated, readOnly, writeOnly
  case contentEncoding, contentMediaType, contentSchema
  case type, `enum`, const
  case allOf, anyOf, oneOf, not
  case `if`, then, `else`
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  case minLength, maxLength, pattern, format
  case items, additionalItems, prefixItems, minItems, maxItems, uniqueItems
  case contains, minContains, maxContains, unevaluatedItems
  case properties, patternProperties, additionalProperties, required
  case propertyNames, minProperties, maxProperties
  case dependencies, dependentRequired, dependentSchemas, unevaluatedProperties

  /// What stands at a keyword, to find the schemas in a document.
  enum Content {
    case schema, schemas, schemasByName, schemaOrSchemas, other
  }

  /// The keyword of a name; nil for none.
  init?(name: String) {
    guard let keyword = Self.byName[name] else { return nil }
    self = keyword
  }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// What stands at it.
  var content: Content {
    switch self {
    case .not, .if, .then, .else, .additionalItems, .contains, .unevaluatedItems,
      .additionalProperties, .propertyNames, .unevaluatedProperties, .contentSchema:
      .schema
    case .allOf, .anyOf, .oneOf, .prefixItems: .schemas
    case .items: .schemaOrSchemas
    case .defs, .definitions, .properties, .patternProperties, .dependencies, .dependentSchemas:
      .schemasByName
    default: .other
    }
  }

  /// Whether it only says something to people or tools.
  var isAnnotation: Bool {
    switch self {
    case .dollarSchema, .dollarID, .id, .anchor, .dynamicAnchor, .recursiveAnchor, .defs,
      .definitions, .vocabulary, .comment, .title, .description, .default, .examples, .deprecated,
      .readOnly, .writeOnly, .contentEncoding, .contentMediaType, .contentSchema:
      true
    default: false
    }
  }

  /// Whether a dialect has it.
  func exists(in dialect: SchemaDialect) -> Bool {
    switch self {
    case .id: dialect == .draft4
    case .dollarID, .const, .contains, .propertyNames, .examples: dialect >= .draft6
    case .if, .then, .else: dialect >= .draft7
    case .dependentRequired, .dependentSchemas, .minContains, .maxContains, .unevaluatedItems,
      .unevaluatedProperties, .anchor:
      dialect >= .draft2019
    case .recursiveRef, .recursiveAnchor: dialect == .draft2019
    case .dynamicRef, .dynamicAnchor, .prefixItems: dialect >= .draft2020
    // `additionalItems` and `dependencies` are gone since 2019-09 and 2020-12, but many documents
    // without "$schema" still mean them.
    default: true
    }
  }

  /// The keyword that a misspelt name may mean: one letter more, less or other, or two swapped.
  static func near(_ name: String) -> SchemaKeyword? {
    if let known = shorthands[name] { return known }
    let letters = Array(name.utf8)
    if letters.count < 4 || letters.count > 24 { return nil }
    return allCases.first { keyword in
      let other = Array(keyword.rawValue.utf8)
      guard other.count >= 4, abs(other.count - letters.count) <= 1 else { return false }
      let head = zip(letters, other).prefix { $0 == $1 }.count
      let tail = zip(letters.reversed(), other.reversed()).prefix { $0 == $1 }.count
      let shorter = min(letters.count, other.count)
      if head + tail >= max(letters.count, other.count) - 1, head + tail >= shorter - 1 {
        return true
      }
      return letters.count == other.count && head + tail >= letters.count - 2
        && head + 1 < letters.count && letters[head] == other[head + 1]
        && letters[head + 1] == other[head]
    }
  }

  private static let shorthands: [String: SchemaKeyword] = [
    "max": .maximum, "min": .minimum, "length": .maxLength, "regex": .pattern, "enums": .enum,
    "optional": .required, "nullable": .type,
  ]
}
