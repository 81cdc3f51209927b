import FoveaTestSupport
import Testing

@testable import Fovea

/// Random schemas in which keywords meet that nobody writes together, against the plain reading
/// of the standard.
@Suite("JSON Schema: random schemas")
struct SchemaNormalizerRandomTests {
  @Test(arguments: 0..<20) func verdictsAreThoseOfTheStandard(seed: UInt64) throws {
    var random = RandomSchema(seed: seed)
    var read = 0
    for _ in 0..<100 {
      let schema = random.document()
      let plain = PlainSchema(document: schema)
      do throws(FoveaError) {
        let form = try NormalForm.read(schema).form
        read += 1
        for _ in 0..<80 {
          let value = random.value(depth: 2)
          // Branches that need not be looked at may be endless in the plain reading.
          guard let expected = try? plain.allows(value) else { break }
          #expect((form.violation(of: value) == nil) == expected, "\(schema.text) \(value.text)")
        }
      } catch {
        #expect(error.message.contains("#"), "\(schema.text): \(error)")
        guard error.message.contains("allows no value") else { continue }
        for _ in 0..<80 {
          let value = random.value(depth: 2)
          #expect((try? plain.allows(value)) != true, "\(schema.text) \(value.text)")
        }
      }
    }
    #expect(read > 50)
  }
}

/// Makes schemas and values over a small world, so that they often meet.
private struct RandomSchema {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  private mutating func pick<T>(_ items: [T]) -> T { items[below(items.count)] }

  mutating func value(depth: Int) -> JSONValue {
    switch below(depth > 0 ? 9 : 5) {
    case 0: return pick([.null, .boolean(true), .boolean(false)])
    case 1, 2: return .number(pick(["0", "1", "2", "-1", "1.5", "3.0", "6"]))
    case 3, 4: return .string(pick(["", "a", "b", "ab", "né"]))
    case 5, 6: return .array((0..<below(4)).map { _ in value(depth: depth - 1) })
    default:
      let names = ["a", "b", "ab", "c"].filter { _ in below(2) == 0 }
      return .object(names.map { .init($0, value(depth: depth - 1)) })
    }
  }

  mutating func document() -> JSONValue {
    guard case .object(var members) = schema(depth: 3) else { return .boolean(true) }
    members.append(
      .init("$defs", .object([.init("x", schema(depth: 1)), .init("y", schema(depth: 2))])))
    return .object(members)
  }

  private mutating func schemas(_ depth: Int) -> JSONValue {
    .array((0..<1 + below(3)).map { _ in schema(depth: depth) })
  }

  private mutating func names() -> JSONValue {
    .array(["a", "b", "c"].filter { _ in below(3) == 0 }.map { .string($0) })
  }

  private mutating func schema(depth: Int) -> JSONValue {
    if depth == 0 || below(8) == 0 {
      return pick([
        .boolean(true), .boolean(false), .object([]), .object([.init("type", .string("string"))]),
        .object([.init("const", value(depth: 1))]), .object([.init("$ref", .string("#/$defs/x"))]),
        .object([.init("type", .string("integer"))]),
        .object([.init("enum", .array([value(depth: 0), value(depth: 0), value(depth: 1)]))]),
      ])
    }
    var members: [JSONValue.Member] = []
    for _ in 0..<1 + below(4) {
      let member = keyword(depth: depth - 1)
      if !members.contains(where: { $0.name == member.name }) { members.append(member) }
    }
    if members.contains(where: { $0.name == "if" }) {
      if below(3) > 0 { members.append(.init("then", schema(depth: depth - 1))) }
      if below(3) > 0 { members.append(.init("else", schema(depth: depth - 1))) }
    }
    return .object(members)
  }

  private mutating func keyword(depth: Int) -> JSONValue.Member {
    let types: [JSONValue] = ["null", "boolean", "integer", "number", "string", "array", "object"]
      .map { .string($0) }
    switch below(30) {
    case 0: return .init("type", pick(types))
    case 1: return .init("type", .array([pick(types), pick(types)]))
    case 2: return .init("allOf", schemas(depth))
    case 3, 4: return .init("anyOf", schemas(depth))
    case 5, 6: return .init("oneOf", schemas(depth))
    case 7: return .init("not", schema(depth: depth))
    case 8: return .init("if", schema(depth: depth))
    case 9: return .init("$ref", .string(pick(["#/$defs/x", "#/$defs/y"])))
    case 10: return .init("minimum", .number(pick(["0", "1", "1.5"])))
    case 11: return .init("exclusiveMaximum", .number(pick(["1", "2", "6"])))
    case 12: return .init("multipleOf", .number(pick(["1", "2", "1.5", "3"])))
    case 13: return .init("minLength", .number(pick(["1", "2"])))
    case 14: return .init("maxLength", .number(pick(["0", "1"])))
    case 15: return .init("prefixItems", schemas(depth))
    case 16: return .init("items", schema(depth: depth))
    case 17: return .init("minItems", .number(pick(["1", "2"])))
    case 18: return .init("maxItems", .number(pick(["1", "2", "3"])))
    case 19: return .init("contains", schema(depth: depth))
    case 20: return .init("required", names())
    case 21: return .init("minProperties", .number(pick(["1", "2"])))
    case 22: return .init("maxProperties", .number(pick(["1", "2"])))
    case 23: return .init("propertyNames", schema(depth: depth))
    case 24: return .init("patternProperties", .object([.init("^a", schema(depth: depth))]))
    case 25: return .init("additionalProperties", schema(depth: depth))
    case 26: return .init("dependentRequired", .object([.init(pick(["a", "b"]), names())]))
    case 27:
      return .init("dependentSchemas", .object([.init(pick(["a", "b"]), schema(depth: depth))]))
    default:
      let names = ["a", "b", "ab"].filter { _ in below(2) == 0 }
      return .init("properties", .object(names.map { .init($0, schema(depth: depth)) }))
    }
  }
}
