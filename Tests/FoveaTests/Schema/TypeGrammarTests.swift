import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// For each type of the table: what its decoder reads, what its schema says and what its grammar
/// allows are the same.
@Suite("Types, their schemas and their grammars agree")
struct TypeGrammarTests {
  @Test(arguments: TypeTable.all)
  func schemaIsAsExpected(type: TypeCase) throws {
    let document = try type.schema().document()
    #expect(document.text == (try JSONValue(parsing: type.expected)).text)
    #expect(try type.schema().jsonSchema() == document.text)
  }

  @Test(arguments: TypeTable.all)
  func valuesComeBack(type: TypeCase) throws {
    #expect(try type.losses() == [])
  }

  @Test(arguments: TypeTable.all)
  func encodedValuesAreAllowed(type: TypeCase) throws {
    let schema = try type.schema()
    let grammar = try Grammar(schema)
    for text in try type.encoded() {
      let value = try schema.arranged(JSONValue(parsing: text))
      #expect(schema.violation(of: value) == nil)
      #expect(grammar.accepts(Array(value.text.utf8)), "\(value.text)")
    }
  }

  @Test(arguments: TypeTable.all)
  func whatTheSchemaAllowsDecodes(type: TypeCase) throws {
    let schema = try type.schema()
    var generator = SeededGenerator(seed: 47)
    for _ in 0..<100 {
      let text = schema.randomValue(using: &generator).text
      #expect(throws: Never.self, "\(text)") { try type.decode(text) }
    }
  }

  @Test(arguments: TypeTable.all)
  func walksOfTheGrammarDecode(type: TypeCase) throws {
    let matcher = try GrammarMatcherTests.matcher(type.schema())
    var generator = SeededGenerator(seed: 53)
    for _ in 0..<20 {
      matcher.reset()
      let walk = try RandomWalk(patience: 100).run(matcher, using: &generator)
      let text = String(decoding: walk.text, as: UTF8.self)
      #expect(throws: Never.self, "\(text)") { try type.decode(text) }
    }
  }

  @Test func noNameComesTwice() {
    let names = Set(TypeTable.all.map(\.name))
    #expect(names.count == TypeTable.all.count)
  }

  /// The pattern of whole numbers, by the standard library's regular expressions.
  @Test func keysThatAreWholeNumbers() throws {
    let pattern = try Regex(WholeNumberPattern.int)
    for text in [
      "0", "7", "-7", "10", "\(Int.max)", "\(Int.min)", "\(Int.max - 1)", "899999999999999999",
    ] {
      #expect(text.wholeMatch(of: pattern) != nil, "\(text)")
    }
    for text in [
      "", "-", "-0", "00", "01", "+1", "9223372036854775808", "-9223372036854775809", "a",
    ] {
      #expect(text.wholeMatch(of: pattern) == nil, "\(text)")
    }
  }

  @Test(arguments: ["dd.MM.yyyy", "yyyyMMdd", "MM/dd/yyyy HH:mm"])
  func patternsOfDatesHaveTheDaysThatExist(template: String) throws {
    let form = try #require(DateTemplate(template))
    let pattern = try Regex(form.pattern)
    for year in ["1900", "1999", "2000", "2024", "2100"] {
      for month in 0...13 {
        for day in 0...32 {
          var text = template.replacingOccurrences(of: "yyyy", with: year)
          text = text.replacingOccurrences(of: "MM", with: String(format: "%02d", month))
          text = text.replacingOccurrences(of: "dd", with: String(format: "%02d", day))
          text = text.replacingOccurrences(of: "HH:mm", with: "23:59")
          let date = form.date(text)
          #expect((text.wholeMatch(of: pattern) != nil) == (date != nil), "\(text)")
          if let date { #expect(form.text(date) == text) }
        }
      }
    }
  }

  @Test(arguments: ["", "dd.MM", "dd.MM.yyyy dd", "EEE dd.MM.yyyy", "dd1MM1yyyy", "d.M.yyyy"])
  func otherFormsAreRefused(template: String) {
    #expect(DateTemplate(template) == nil)
  }
}

extension Schema {
  /// The value with its keys as the grammar writes them: in declared order, with `null` for an
  /// optional that an encoder left out.
  fileprivate func arranged(_ value: JSONValue) -> JSONValue {
    let definitions = Dictionary(uniqueKeysWithValues: definitions.map { ($0.name, $0.schema) })
    func arrange(_ value: JSONValue, _ schema: Schema) -> JSONValue {
      switch (schema.kind, value) {
      case (.reference(let name), _): return definitions[name].map { arrange(value, $0) } ?? value
      case (.anyOf(let branches), _):
        let arranged = branches.map { arrange(value, $0) }
        return zip(branches, arranged).first { branch, value in
          var whole = branch
          whole.definitions = self.definitions
          return whole.violation(of: value) == nil
        }?.1 ?? arranged[0]
      case (.array(let items, _, _), .array(let values)),
        (.set(let items, _, _), .array(let values)):
        return .array(values.map { arrange($0, items) })
      case (.tuple(let items), .array(let values)):
        return .array(zip(values, items).map(arrange))
      case (.dictionary(let values, _, _, _), .object(let members)):
        return .object(members.map { .init($0.name, arrange($0.value, values)) })
      case (.object(let properties), .object(let members)):
        let known = properties.compactMap { property -> JSONValue.Member? in
          guard let member = members.first(where: { $0.name == property.name }) else {
            return property.isRequired ? .init(property.name, .null) : nil
          }
          return .init(property.name, arrange(member.value, property.schema))
        }
        let names = Set(properties.map(\.name))
        return .object(known + members.filter { !names.contains($0.name) })
      default: return value
      }
    }
    return arrange(value, self)
  }
}
