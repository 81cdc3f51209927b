internal import Fovea
internal import FoveaTestSupport

/// Makes schemas that nobody would write out of those that somebody wrote.
struct SchemaMutator {
  /// What schemas are made of: those of the corpora, small ones first.
  let originals: [JSONValue]

  /// A schema as text; sometimes no JSON.
  func makeSchema(using generator: inout SeededGenerator) -> String {
    var schema = pick(using: &generator)
    let most = Int.random(in: 0...6, using: &generator)
    for _ in 0..<Int.random(in: 0...most, using: &generator) {
      schema = mutate(schema, using: &generator)
    }
    if Int.random(in: 0..<200, using: &generator) == 0 {
      for _ in 0..<Int.random(in: 10...3_000, using: &generator) {
        schema = .object([.init("items", schema)])
      }
    }
    let text = schema.text
    return Int.random(in: 0..<20, using: &generator) == 0
      ? damaged(text, using: &generator) : text
  }

  /// One change, somewhere in the tree.
  private func mutate(_ schema: JSONValue, using generator: inout SeededGenerator) -> JSONValue {
    let target = Int.random(in: 0..<max(1, schema.nodeCount), using: &generator)
    var index = 0
    return schema.replacing(target, &index) { node in change(node, using: &generator) }
  }

  private func change(_ node: JSONValue, using generator: inout SeededGenerator) -> JSONValue {
    switch (Int.random(in: 0..<12, using: &generator), node) {
    case (0...2, .object(var members)) where !members.isEmpty:
      let place = Int.random(in: 0..<members.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: members.remove(at: place)
      case 1: members.append(members[place])
      case 2: members[place].name = Self.keywords.randomElement(using: &generator) ?? "type"
      default: members.shuffle(using: &generator)
      }
      return .object(members)
    case (0...2, .array(var items)) where !items.isEmpty:
      let place = Int.random(in: 0..<items.count, using: &generator)
      if Bool.random(using: &generator) {
        items.remove(at: place)
      } else {
        items.append(items[place])
      }
      return .array(items)
    case (0...4, .number):
      return .number(Self.numbers.randomElement(using: &generator) ?? "0")
    case (3...6, .object(let members)):
      return .object(members + [keyword(using: &generator)])
    case (7...8, _): return nested(node, using: &generator)
    case (9...10, _):
      let other = pick(using: &generator)
      return other.node(Int.random(in: 0..<max(1, other.nodeCount), using: &generator)) ?? other
    default: return JSONValue.random(depth: 2, using: &generator)
    }
  }

  /// The schema inside a larger one.
  private func nested(_ node: JSONValue, using generator: inout SeededGenerator) -> JSONValue {
    let other = pick(using: &generator)
    func object(_ members: (String, JSONValue)...) -> JSONValue {
      .object(members.map { JSONValue.Member($0.0, $0.1) })
    }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: return object(("not", node))
    case 1: return object(("allOf", .array([node, other])))
    case 2: return object(("anyOf", .array([node, other])))
    case 3: return object(("oneOf", .array([other, node, other])))
    case 4:
      return object(("type", .string("array")), ("items", node), ("uniqueItems", .boolean(true)))
    case 5:
      return object(
        ("properties", object(("a", node), ("b", other))), ("required", .array([.string("b")])))
    case 6: return object(("if", node), ("then", other), ("else", node))
    case 7: return object(("$ref", .string("#")), ("allOf", .array([node])))
    case 8: return object(("$defs", object(("a", node))), ("$ref", .string("#/$defs/a")))
    case 9: return object(("additionalProperties", node), ("minProperties", .number("1")))
    case 10:
      return object(
        ("patternProperties", object((PatternWriter.pattern(using: &generator), node))),
        ("propertyNames", other))
    default: return object(("prefixItems", .array([node, other])), ("contains", node))
    }
  }

  /// A keyword with a value of its kind.
  private func keyword(using generator: inout SeededGenerator) -> JSONValue.Member {
    let name = Self.keywords.randomElement(using: &generator) ?? "type"
    let number = JSONValue.number(Self.numbers.randomElement(using: &generator) ?? "0")
    let value: JSONValue
    switch name {
    case "pattern": value = .string(PatternWriter.pattern(using: &generator))
    case "format": value = .string(Self.formats.randomElement(using: &generator) ?? "date")
    case "type":
      let types = Self.types.shuffled(using: &generator)
        .prefix(Int.random(in: 1...3, using: &generator))
      value = types.count == 1 ? .string(types[0]) : .array(types.map { .string($0) })
    case "required":
      value = .array([.string("a"), .string("b"), .string("id")].shuffled(using: &generator))
    case "enum":
      value = .array((0..<4).map { _ in JSONValue.random(depth: 1, using: &generator) })
    case "const", "default": value = JSONValue.random(depth: 2, using: &generator)
    case "uniqueItems": value = .boolean(.random(using: &generator))
    case "allOf", "anyOf", "oneOf", "prefixItems":
      value = .array([pick(using: &generator), pick(using: &generator)])
    case "$ref":
      value = .string(
        ["#", "#/properties/a", "#/$defs/a", "#a", "x.json", "#/%", "#/~2"]
          .randomElement(using: &generator) ?? "#")
    case "properties", "patternProperties", "dependentSchemas", "$defs":
      value = .object([
        .init("a", pick(using: &generator)),
        .init(PatternWriter.pattern(using: &generator), pick(using: &generator)),
      ])
    case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames":
      value =
        Int.random(in: 0..<4, using: &generator) == 0
        ? .boolean(.random(using: &generator)) : pick(using: &generator)
    default: value = number
    }
    return .init(name, value)
  }

  /// Small schemas are taken more often: cases should be many.
  private func pick(using generator: inout SeededGenerator) -> JSONValue {
    let upper = max(1, originals.count / Int.random(in: 1...8, using: &generator))
    return originals.isEmpty
      ? .object([]) : originals[Int.random(in: 0..<upper, using: &generator)]
  }

  private func damaged(_ text: String, using generator: inout SeededGenerator) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
        Array("{}[]\",:\\0-eu ~".utf8).randomElement(using: &generator) ?? 0
    }
    if Bool.random(using: &generator) {
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let types = ["string", "integer", "number", "boolean", "null", "array", "object"]
  private static let formats = [
    "date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri",
    "int32", "int64", "float", "double", "regex", "no-such-format", "",
  ]
  private static let numbers = [
    "0", "-0", "1", "-1", "2", "3", "7", "10", "63", "64", "65", "100", "1000", "0.1", "0.5",
    "-0.25",
    "1.0", "1e3", "1E-3", "65536", "2147483647", "4294967296", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
    "1e18", "1e308", "1e309", "-1e400", "1e-400", "1e1000000000", "1e99999999999999999999",
    "123456789012345678901234567890123456789012345678901234567890", "0.3333333333333333333333333",
    "0.00000000000000000000000000000000000001",
  ]
  private static let keywords = [
    "type", "properties", "required", "additionalProperties", "patternProperties", "propertyNames",
    "minProperties", "maxProperties", "items", "prefixItems", "additionalItems", "minItems",
    "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "enum", "const", "minimum",
    "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
    "pattern", "format", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "$defs",
    "$schema", "$id", "$anchor", "dependentRequired", "dependentSchemas", "dependencies",
    "unevaluatedProperties", "unevaluatedItems", "description", "default", "unknown",
  ]
}
