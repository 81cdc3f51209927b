import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Schemas that the grammar refuses")
struct GrammarRefusalTests {
  static let half = Decimal(string: "0.5")
  static let cases: [(Schema, FoveaError.Code, place: String)] = [
    (GrammarSamples.integer(2, 1), .invalidSchema, "#"),
    (
      Schema(
        .integer(.init(minimum: Decimal(string: "0.2"), maximum: Decimal(string: "0.8")))),
      .invalidSchema, "#"
    ),
    (
      Schema(.number(.init(minimum: half, isMinimumExclusive: true, maximum: half))),
      .invalidSchema, "#"
    ),
    (
      Schema(.object([.init("total", Schema(.number(.init(minimum: .nan))))])), .invalidSchema,
      "#/properties/total"
    ),
    (GrammarSamples.list(Schema(.null), -1), .invalidSchema, "#"),
    (GrammarSamples.text(5, 4), .invalidSchema, "#"),
    (GrammarSamples.text(0, -1), .invalidSchema, "#"),
    (Schema(.enumeration([])), .invalidSchema, "#"),
    (Schema(.anyOf([])), .invalidSchema, "#"),
    (Schema(.enumeration([.string("a"), .number("01")])), .unsupportedSchema, "#"),
    (
      Schema(.object([.init("a", Schema(.null)), .init("a", Schema(.boolean))])), .invalidSchema,
      "\"a\" twice"
    ),
    (Schema(.string(.init(maxLength: 5, format: .date))), .invalidSchema, "#"),
  ]

  @Test(arguments: cases.indices)
  func namesThePlaceAndTheFix(index: Int) {
    let (schema, code, place) = Self.cases[index]
    let error = #expect(throws: FoveaError.self) { try Grammar(schema) }
    #expect(error?.code == code)
    #expect(error?.message.contains(place) ?? false, "\(error?.message ?? "")")
    #expect(error?.fix?.isEmpty == false)
  }

  /// What no value fits is left out where it is not needed.
  @Test func emptyPartsThatAreNotNeeded() throws {
    let lists = try Grammar(GrammarSamples.list(GrammarSamples.list(Schema(.null), 3, 2)))
    #expect(lists.accepts("[]".utf8))
    #expect(!lists.accepts("[[]]".utf8))
  }

  @Test(
    arguments: [
      (
        [Schema(.object([])), Schema(.null), Schema(.object([.init("a", Schema(.null))]))],
        ["{}", #"{"a":null}"#, "null"], [#"{"b":null}"#, "[]"]
      ),
      (
        [GrammarSamples.list(Schema(.null)), GrammarSamples.list(Schema(.boolean))],
        ["[]", "[null,null]", "[true]"], ["[null,true]"]
      ),
      (
        [GrammarSamples.text(0, 1), GrammarSamples.text(3, 4)], [#""""#, #""a""#, #""abcd""#],
        [#""ab""#, #""abcde""#]
      ),
      (
        [GrammarSamples.text(0, 1), Schema(.enumeration([.string("long")]))],
        [#""x""#, #""long""#],
        [#""lo""#]
      ),
      (
        [GrammarSamples.text(0, 3), GrammarSamples.format(.date)],
        [#""20""#, #""2024-02-29""#], [#""2024-""#]
      ),
      ([Schema(.enumeration([.array([]), .object([])]))], ["[]", "{}"], ["[1]"]),
    ] as [([Schema], [String], [String])])
  func alternativesOfOneType(branches: [Schema], good: [String], bad: [String]) throws {
    let grammar = try Grammar(Schema(.anyOf(branches)))
    for text in good { #expect(grammar.accepts(text.utf8), "\(text)") }
    for text in bad { #expect(!grammar.accepts(text.utf8), "\(text)") }
  }

  @Test func whatFreeTextAllowsAnywayIsAbsorbed() throws {
    let grammar = try Grammar(
      Schema(
        .anyOf([
          Schema(.enumeration([.string("é\n"), .number("1")])), GrammarSamples.format(.date),
          GrammarSamples.text(),
        ])))
    for text in [#""é\n""#, #""2024-02-30""#, "1", #""""#] { #expect(grammar.accepts(text.utf8)) }
    let bounded = try Grammar(
      Schema(.anyOf([GrammarSamples.text(2, 3), Schema(.enumeration([.string("é\n")]))])))
    #expect(bounded.accepts(#""\u00e9\n""#.utf8))
  }

  @Test func keysThatUnicodeCallsEqualAreTwoKeys() throws {
    let grammar = try Grammar(
      Schema(.object([.init("\u{E9}", Schema(.null)), .init("e\u{301}", Schema(.null))])))
    #expect(grammar.accepts("{\"\u{E9}\":null,\"e\u{301}\":null}".utf8))
    #expect(!grammar.accepts("{\"\u{E9}\":null,\"\u{E9}\":null}".utf8))
  }
}
