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
    (GrammarSamples.list(GrammarSamples.list(Schema(.null), 3, 2)), .invalidSchema, "#/items"),
    (GrammarSamples.list(Schema(.null), -1), .invalidSchema, "#"),
    (GrammarSamples.text(5, 4), .invalidSchema, "#"),
    (GrammarSamples.text(0, -1), .invalidSchema, "#"),
    (GrammarSamples.text(Int.max), .unsupportedSchema, "#"),
    (Schema(.enumeration([])), .invalidSchema, "#"),
    (Schema(.anyOf([])), .invalidSchema, "#"),
    (Schema(.enumeration([.string("a"), .number("01")])), .invalidSchema, "#/enum/1"),
    (Schema(.enumeration([.array([])])), .unsupportedSchema, "#/enum/0"),
    (
      Schema(
        .object([
          .init(
            "a/b~c", Schema(.object([.init("x", GrammarSamples.list(Schema(.enumeration([]))))])))
        ])), .invalidSchema, "#/properties/a~1b~0c/properties/x/items"
    ),
    (
      Schema(.object([.init("a", Schema(.null)), .init("a", Schema(.boolean))])), .invalidSchema,
      "#/properties/a"
    ),
    (
      Schema(.anyOf([Schema(.object([])), Schema(.null), Schema(.object([]))])), .unsupportedSchema,
      "#/anyOf/2"
    ),
    (
      Schema(.anyOf([GrammarSamples.list(Schema(.null)), GrammarSamples.list(Schema(.boolean))])),
      .unsupportedSchema, "#/anyOf/1"
    ),
    (
      Schema(.anyOf([GrammarSamples.text(0, 1), GrammarSamples.text(3, 4)])), .unsupportedSchema,
      "#/anyOf/1"
    ),
    (
      Schema(.anyOf([GrammarSamples.text(0, 1), Schema(.enumeration([.string("long")]))])),
      .unsupportedSchema, "#/anyOf/1"
    ),
    (
      Schema(.anyOf([GrammarSamples.text(0, 20), GrammarSamples.format(.date)])),
      .unsupportedSchema, "#/anyOf/1"
    ),
    (Schema(.string(.init(maxLength: 5, format: .date))), .invalidSchema, "#"),
    (Schema(.string(.init(minLength: 30, format: .dateTime))), .unsupportedSchema, "#"),
  ]

  @Test(arguments: cases.indices)
  func namesThePlaceAndTheFix(index: Int) {
    let (schema, code, place) = Self.cases[index]
    let error = #expect(throws: FoveaError.self) { try Grammar(schema) }
    #expect(error?.code == code)
    #expect(error?.message.hasPrefix("the schema at \(place) ") ?? false, "\(error?.message ?? "")")
    #expect(error?.fix?.isEmpty == false)
  }

  @Test func nestingWithoutEndIsRefused() {
    var schema = Schema(.null)
    for _ in 0..<500 { schema = GrammarSamples.list(schema) }
    let error = #expect(throws: FoveaError.self) { try Grammar(schema) }
    #expect(error?.code == .unsupportedSchema)
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
