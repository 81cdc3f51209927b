/// What is done with each keyword of JSON Schema, over all drafts.
enum JSONSchemaKeyword {
  typealias TypeName = JSONSchemaNode.TypeName

  /// Says something to people or tools, and nothing about values.
  case annotation
  /// Applies to values of any type, and is enforced.
  case general
  /// Applies to values of these types only, and is enforced.
  case typed([TypeName])
  /// Cannot be enforced; applies to values of these types only.
  case refused([TypeName], reason: String, fix: String)

  /// Nil for a name that is no keyword.
  init?(_ name: String) {
    if name.hasPrefix("x-") {
      self = .annotation
    } else if let keyword = Self.table[name] {
      self = keyword
    } else {
      return nil
    }
  }

  /// Whether a refused keyword has a value that restricts nothing.
  static func isVacuous(_ name: String, _ value: JSONValue) -> Bool {
    switch (name, value) {
    case ("uniqueItems", .boolean(false)), ("additionalItems", .boolean(true)),
      ("unevaluatedItems", .boolean(true)), ("unevaluatedProperties", .boolean(true)),
      ("propertyNames", .boolean(true)):
      true
    case ("patternProperties", .object([])), ("dependencies", .object([])),
      ("dependentRequired", .object([])), ("dependentSchemas", .object([])),
      ("propertyNames", .object([])):
      true
    case ("minProperties", .number(let text)): ExactNumber(text)?.digits.isEmpty ?? false
    default: false
    }
  }

  private static let table: [String: JSONSchemaKeyword] = {
    var table: [String: JSONSchemaKeyword] = [:]
    for name in [
      "title", "description", "default", "examples", "$comment", "readOnly", "writeOnly",
      "deprecated", "contentEncoding", "contentMediaType", "contentSchema", "$schema", "$id", "id",
      "$anchor", "$defs", "definitions",
    ] { table[name] = .annotation }
    for name in ["type", "enum", "const", "anyOf", "oneOf", "$ref"] { table[name] = .general }
    for name in ["minLength", "maxLength", "format"] { table[name] = .typed([.string]) }
    for name in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
      table[name] = .typed([.integer, .number])
    }
    for name in ["items", "minItems", "maxItems"] { table[name] = .typed([.array]) }
    for name in ["properties", "required", "additionalProperties"] {
      table[name] = .typed([.object])
    }
    for (name, types, reason, fix) in refusals {
      table[name] = .refused(types, reason: reason, fix: fix)
    }
    return table
  }()

  private static let refusals: [(String, [TypeName], String, String)] = [
    (
      "pattern", [.string], "regular expressions are not enforced yet",
      "use enum, format or maxLength, or remove it and check the text after decoding"
    ),
    (
      "multipleOf", [.integer, .number], "multiples are not enforced yet",
      "use integer, or remove it and check the number after decoding"
    ),
    (
      "uniqueItems", [.array], "items are not compared with each other yet",
      "remove it and drop repeated items after decoding"
    ),
    ("contains", [.array], "single items have no rule of their own", "describe all items in items"),
    ("minContains", [.array], "single items have no rule of their own", "use minItems"),
    ("maxContains", [.array], "single items have no rule of their own", "use maxItems"),
    ("prefixItems", [.array], "all items of a list have one type", "use an object with a key each"),
    ("additionalItems", [.array], "all items of a list have one type", "use items"),
    ("unevaluatedItems", [.array], "all items of a list have one type", "use items"),
    (
      "patternProperties", [.object], "only declared keys are written",
      "declare the keys in properties, or use an array of objects with a name and a value"
    ),
    (
      "propertyNames", [.object], "only declared keys are written", "declare the keys in properties"
    ),
    ("minProperties", [.object], "keys are not counted", "use required"),
    ("maxProperties", [.object], "keys are not counted", "declare fewer properties"),
    ("dependencies", [.object], "keys do not depend on each other", "make the keys required"),
    ("dependentRequired", [.object], "keys do not depend on each other", "make the keys required"),
    ("dependentSchemas", [.object], "keys do not depend on each other", "make the keys required"),
    (
      "unevaluatedProperties", [.object], "only declared keys are written",
      "use additionalProperties: false"
    ),
    ("allOf", TypeName.allCases, "schemas are not merged yet", "merge its branches by hand"),
    ("not", TypeName.allCases, "exclusions are not enforced yet", "say what is allowed instead"),
    (
      "if", TypeName.allCases, "conditions are not enforced yet",
      "make the keys optional, or use one schema for each case"
    ),
    (
      "$dynamicRef", TypeName.allCases, "references depend on the reader's path",
      "use $ref to a place in $defs"
    ),
    (
      "$recursiveRef", TypeName.allCases, "recursion is not enforced yet",
      "write the levels out to a fixed depth"
    ),
  ]
}
