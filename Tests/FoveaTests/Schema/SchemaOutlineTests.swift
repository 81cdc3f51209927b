import Testing

@testable import Fovea

/// Schemas as prompts show them.
@Suite("Schema outlines")
struct SchemaOutlineTests {
  struct Receipt: StructuredOutput {
    struct Item: Codable, Sendable {
      let name: String
      let quantity: Int
      let price: Double?
    }

    enum Kind: String, Codable, CaseIterable { case cash, card }

    let vendor: String
    let date: String
    let kind: Kind
    let items: [Item]
    let tags: [String]
    let notes: [String: Bool]
    let isPaid: Bool

    static var guides: [String: Guide] {
      [
        "vendor": .describedAs("name of the shop,\n as printed").length(...80),
        "date": .format(.date).describedAs("day of purchase"),
        "items": .count(1...60),
        "items.quantity": .range(1...99),
      ]
    }
  }

  @Test("a type, with its guides as comments")
  func type() throws {
    #expect(
      SchemaOutline(try Schema(of: Receipt.self)).text == """
        {
          "vendor": string, // name of the shop, as printed; at most 80 characters
          "date": string, // day of purchase; YYYY-MM-DD
          "kind": "cash" | "card",
          "items": [ // 1 to 60 items
            {
              "name": string,
              "quantity": integer, // 1 to 99
              "price": number | null
            }
          ],
          "tags": [string],
          "notes": {
            [key]: boolean
          },
          "isPaid": boolean
        }
        """)
  }

  final class Node: StructuredOutput {
    let name: String
    let children: [Node]
  }

  @Test("what contains itself has a name")
  func recursion() throws {
    let text = SchemaOutline(try Schema(of: Node.self)).text
    #expect(text.contains("Node = {\n  \"name\": string,\n  \"children\": [Node]\n}"))
  }

  @Test("bounds, alternatives, optional keys")
  func others() throws {
    let schema = try Schema(
      jsonSchema: """
        {"type": "object", "properties": {
          "a": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.05},
          "b": {"anyOf": [{"type": "string", "pattern": "^x"}, {"type": "integer"}]},
          "c": {"enum": [1, null, "é"]},
          "d": {"type": "string", "examples": ["A-1"]}},
         "required": ["a"], "additionalProperties": false}
        """)
    #expect(
      SchemaOutline(schema).text == """
        {
          "a": number, // above 0; a multiple of 0.05
          "b"?: string | integer, // matches /^x/
          "c"?: 1 | null | "é",
          "d"?: string // for example "A-1"
        }
        """)
  }

  @Test("what has no form here is shown as the JSON Schema that it is")
  func rawParts() throws {
    let raw = #"{"not":{"type":"null"}}"#
    #expect(SchemaOutline(try Schema(jsonSchema: raw)).text == "JSON Schema \(raw)")
    let text = """
      {"type": "object", "properties": {"a": \(raw), "b": {"type": ["string", "null"]}},
       "required": ["a", "b"], "additionalProperties": false}
      """
    #expect(
      SchemaOutline(try Schema(jsonSchema: text)).text == """
        {
          "a": JSON Schema \(raw),
          "b": string | null
        }
        """)
  }
}
