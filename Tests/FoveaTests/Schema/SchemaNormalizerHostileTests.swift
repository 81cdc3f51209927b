import Testing

@testable import Fovea

/// Schemas made to exhaust time, memory or the stack. None of them may do so; whether one is read
/// or refused does not matter, unless it says so.
@Suite("JSON Schema: hostile documents")
struct SchemaNormalizerHostileTests {
  private func read(_ schema: String) throws -> NormalForm? {
    let document = try JSONValue(parsing: schema)
    do {
      return try NormalForm.read(document).form
    } catch {
      #expect(error.message.contains("#"), "\(error)")
      return nil
    }
  }

  @Test(arguments: ["items", "not", "additionalProperties", "if", "propertyNames", "contains"])
  func deepNesting(keyword: String) throws {
    let levels = 500
    let text =
      String(repeating: "{\"\(keyword)\":", count: levels) + "true"
      + String(repeating: "}", count: levels)
    _ = try read(text)
  }

  @Test(arguments: ["allOf", "anyOf", "oneOf", "prefixItems"])
  func deepLists(keyword: String) throws {
    let text =
      String(repeating: "{\"\(keyword)\":[", count: 250) + "true"
      + String(repeating: "]}", count: 250)
    _ = try read(text)
  }

  @Test func longChainsOfReferences() throws {
    let links = (0..<3000).map { "\"d\($0)\":{\"$ref\":\"#/$defs/d\($0 + 1)\"}" }
    _ = try read(
      "{\"$defs\":{\(links.joined(separator: ",")),\"d3000\":{}},\"$ref\":\"#/$defs/d0\"}")
    let steps = (0..<3000).map {
      "\"d\($0)\":{\"allOf\":[{\"$ref\":\"#/$defs/d\($0 + 1)\"}],\"title\":\"\"}"
    }
    _ = try read(
      "{\"$defs\":{\(steps.joined(separator: ",")),\"d3000\":{}},\"$ref\":\"#/$defs/d0\"}")
  }

  @Test(arguments: ["allOf", "anyOf", "oneOf"]) func doubling(keyword: String) throws {
    let steps = (0..<40).map {
      "\"d\($0)\":{\"\(keyword)\":[{\"$ref\":\"#/$defs/d\($0 + 1)\"},{\"$ref\":\"#/$defs/d\($0 + 1)\"}]}"
    }
    let last = #""d40":{"not":{"additionalProperties":{"type":"null"}}}"#
    _ = try read("{\"$defs\":{\(steps.joined(separator: ",")),\(last)},\"$ref\":\"#/$defs/d0\"}")
  }

  @Test func productsOfUnions() throws {
    let unions = (0..<12).map { index in
      "{\"anyOf\":[{\"required\":[\"a\(index)\"]},{\"required\":[\"b\(index)\"]}]}"
    }
    #expect(try read("{\"allOf\":[\(unions.joined(separator: ","))]}") == nil)
  }

  @Test func longEnumerations() throws {
    let values = (0..<10_000).map { "\"v\($0 * 7919 % 10_007)\"" }.joined(separator: ",")
    let form = try #require(try read("{\"enum\":[\(values)]}"))
    #expect(form.violation(of: .string("v42")) == nil)
    #expect(form.violation(of: .string("w42")) != nil)
  }

  @Test func manyProperties() throws {
    let names = (0..<2000).map { "\"p\($0)\":{\"type\":\"integer\"}" }.joined(separator: ",")
    let required = (0..<2000).map { "\"p\($0)\"" }.joined(separator: ",")
    let form = try read(
      "{\"allOf\":[{\"properties\":{\(names)}},{\"properties\":{\(names)},\"required\":[\(required)]}]}"
    )
    #expect(form?.nodes[form?.root ?? 0].objects.first?.properties.count == 2000)
  }

  @Test func manyPatterns() throws {
    let patterns = (0..<30).map { "\"a\($0).*b\($0)\":{\"minimum\":\($0)}" }.joined(separator: ",")
    _ = try read("{\"patternProperties\":{\(patterns)}}")
  }
}
