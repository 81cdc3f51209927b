import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// Whether a value matches a schema, by value and not by bytes.
enum SchemaCheck {
  static func matches(_ value: JSONValue, _ schema: Schema) -> Bool {
    switch (schema.kind, value) {
    case (.null, .null), (.boolean, .boolean): return true
    case (.integer(let bounds), .number(let text)):
      // Beside other numbers a whole one may have a fraction of zeros.
      return ExactNumber(text)?.isInteger ?? false
        && NumberLanguageTests.isPlain(text, isInteger: false)
        && NumberLanguageTests.isWithin(text, bounds)
    case (.number(let bounds), .number(let text)):
      return NumberLanguageTests.isPlain(text, isInteger: false)
        && NumberLanguageTests.isWithin(text, bounds)
    case (.string(let rule), .string(let text)):
      let length = text.unicodeScalars.count
      return length >= rule.minLength && length <= rule.maxLength ?? .max
        && rule.format.map { matches(text, $0) } ?? true
    case (.enumeration(let values), _): return values.contains { isEqual($0, value) }
    case (.array(let items, let least, let most), .array(let values)):
      return values.count >= least && values.count <= most ?? .max
        && values.allSatisfy { matches($0, items) }
    case (.object(let properties), .object(let members)):
      var rest = members[...]
      for property in properties {
        if rest.first.map({ $0.name.utf8.elementsEqual(property.name.utf8) }) ?? false {
          guard matches(rest.removeFirst().value, property.schema) else { return false }
        } else if property.isRequired {
          return false
        }
      }
      return rest.isEmpty
    case (.anyOf(let branches), _): return branches.contains { matches(value, $0) }
    default: return false
    }
  }

  /// Enumerated numbers are written in one way, whatever the schema's was.
  private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    guard case .number(let first) = left, case .number(let second) = right else {
      return left == right
    }
    return Decimal(string: first) == Decimal(string: second)
  }

  /// Dates by Foundation, which knows the calendar.
  static func matches(_ text: String, _ format: Schema.Format) -> Bool {
    let full =
      switch format {
      case .date: text + "T00:00:00Z"
      case .time: "2000-01-01T" + text
      case .dateTime: text
      default: ""
      }
    let whole = full.replacing(#/\.\d{1,9}/#, with: "")
    return ISO8601DateFormatter().date(from: whole) != nil
  }
}

@Suite("Random walks give valid documents")
struct RandomWalkTests {
  func check(_ text: [UInt8], _ schema: Schema) throws {
    let shown = String(decoding: text, as: UTF8.self)
    _ = try JSONSerialization.jsonObject(with: Data(text), options: [.fragmentsAllowed])
    let value = try JSONReader.read(text)
    #expect(SchemaCheck.matches(value, schema), "\(shown)")
  }

  @Test(arguments: GrammarSamples.all.map(\.name), GrammarSamples.whitespaces)
  func samples(name: String, whitespace: Grammar.Whitespace) throws {
    for sample in GrammarSamples.all where sample.name == name {
      let matcher = try GrammarMatcherTests.matcher(sample.schema, whitespace)
      var generator = SeededGenerator(seed: 17)
      for _ in 0..<12 {
        matcher.reset()
        let result = try RandomWalk(patience: 120).run(matcher, using: &generator)
        try check(result.text, sample.schema)
      }
    }
  }

  @Test(arguments: 0..<8)
  func randomSchemas(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(100 + seed))
    for _ in 0..<25 {
      let schema = Self.schema(depth: 3, using: &generator)
      let grammar = try Grammar(schema)
      let matcher = GrammarMatcher(
        grammar: grammar, trie: GrammarMatcherTests.trie, vocabulary: .awkward)
      for _ in 0..<3 {
        matcher.reset()
        let result = try RandomWalk(patience: 150).run(matcher, using: &generator)
        try check(result.text, schema)
        #expect(grammar.accepts(result.text))
      }
      // The least that the grammar says is what an impatient walk writes.
      matcher.reset()
      let shortest = try RandomWalk(patience: 0).run(matcher, using: &generator)
      #expect(shortest.text.count == grammar.shortestLength)
    }
  }

  @Test func aLongListKeepsItsBounds() throws {
    let schema = GrammarSamples.list(GrammarSamples.text(1, 3), 300, 310)
    let matcher = try GrammarMatcherTests.matcher(schema)
    var generator = SeededGenerator(seed: 1)
    let result = try RandomWalk(patience: 100_000).run(matcher, using: &generator)
    try check(result.text, schema)
  }

  static func schema(depth: Int, using generator: inout SeededGenerator) -> Schema {
    let names = ["a", "ab", "b", "id", "名前", "x\"y", "date", "d", ""]
    func amount(_ most: Int) -> Int { Int.random(in: 0...most, using: &generator) }
    let leaves = 7
    switch amount(depth > 0 ? leaves + 2 : leaves) {
    case 0: return Schema(.boolean)
    case 1:
      let low = amount(400) - 200
      return GrammarSamples.integer(Decimal(low), Decimal(low + amount(300)))
    case 2:
      let low = Decimal(amount(4_000) - 2_000) / 100
      return GrammarSamples.number(low, low + Decimal(amount(3_000)) / 1_000)
    case 3:
      let least = amount(3)
      return GrammarSamples.text(least, amount(1) == 0 ? nil : least + amount(4))
    case 4: return GrammarSamples.format(Schema.Format.allCases[amount(2)])
    case 5:
      return Schema(
        .enumeration((0...amount(3)).map { $0 % 2 == 0 ? .string(names[$0]) : .number("\($0)") }))
    case 6: return GrammarSamples.optional(GrammarSamples.text(0, amount(5)))
    case 7: return GrammarSamples.number()
    case 8:
      let least = amount(3)
      return GrammarSamples.list(
        schema(depth: depth - 1, using: &generator), least, amount(1) == 0 ? nil : least + amount(3)
      )
    default:
      let chosen = names.shuffled(using: &generator).prefix(amount(5))
      return Schema(
        .object(
          chosen.map {
            .init(
              $0, schema(depth: depth - 1, using: &generator), isRequired: amount(2) > 0)
          }))
    }
  }
}
