import Foundation
import Fovea
import FoveaTestSupport

/// Schemas that together use every kind and bound.
enum GrammarSamples {
  static func text(_ minimum: Int = 0, _ maximum: Int? = nil) -> Schema {
    Schema(.string(.init(minLength: minimum, maxLength: maximum)))
  }

  static func format(_ format: Schema.Format) -> Schema { Schema(.string(.init(format: format))) }

  static func integer(_ minimum: Decimal? = nil, _ maximum: Decimal? = nil) -> Schema {
    Schema(.integer(.init(minimum: minimum, maximum: maximum)))
  }

  static func number(_ minimum: Decimal? = nil, _ maximum: Decimal? = nil) -> Schema {
    Schema(.number(.init(minimum: minimum, maximum: maximum)))
  }

  static func list(_ items: Schema, _ minimum: Int = 0, _ maximum: Int? = nil) -> Schema {
    Schema(.array(items: items, minItems: minimum, maxItems: maximum))
  }

  static func optional(_ schema: Schema) -> Schema { Schema(.anyOf([schema, Schema(.null)])) }

  static let receipt = Schema(
    .object([
      .init("vendor", text()),
      .init("date", optional(format(.date))),
      .init(
        "items",
        list(
          Schema(
            .object([
              .init("name", text(1)), .init("quantity", integer(1, 999)),
              .init("price", number(0, Decimal(string: "99999.99"))),
            ])))),
      .init("currency", Schema(.enumeration([.string("EUR"), .string("USD"), .string("JPY")]))),
      .init("total", number(0)),
      .init("paid", Schema(.boolean)),
    ]))

  static let all: [(name: String, schema: Schema)] = [
    ("null", Schema(.null)),
    ("boolean", Schema(.boolean)),
    ("integer", integer()),
    ("integer 0...99", integer(0, 99)),
    ("integer -15...120", integer(-15, 120)),
    ("number", number()),
    ("number 0...9.99", number(0, Decimal(string: "9.99"))),
    (
      "number above -0.5 and below 10",
      Schema(
        .number(
          .init(
            minimum: Decimal(string: "-0.5"), isMinimumExclusive: true, maximum: 10,
            isMaximumExclusive: true)))
    ),
    ("text", text()),
    ("text 2...3", text(2, 3)),
    ("text at least 2", text(2)),
    ("text at most 200", text(0, 200)),
    ("text exactly 0", text(0, 0)),
    ("date", format(.date)),
    ("date-time", format(.dateTime)),
    ("time", format(.time)),
    (
      "enumeration",
      Schema(
        .enumeration([
          .string("a"), .string("ab"), .string("名前"), .string("a\"\\\n/\u{1}"), .number("1"),
          .number("12"), .number("1.50"), .number("-1e3"), .boolean(true), .null,
        ]))
    ),
    ("list of integers", list(integer(0, 12))),
    ("list of 2...3 texts", list(text(), 2, 3)),
    ("list of exactly 1", list(Schema(.boolean), 1, 1)),
    ("list of none", list(integer(), 0, 0)),
    ("list of up to 40 digits", list(integer(0, 9), 0, 40)),
    ("list of at least 40 digits", list(integer(0, 9), 40)),
    ("list of lists", list(list(integer(0, 9), 1, 2), 1, 2)),
    ("empty object", Schema(.object([]))),
    ("object", Schema(.object([.init("a", integer(0, 9)), .init("aa", text())]))),
    (
      "object with optional properties",
      Schema(
        .object([
          .init("a", integer(0, 9), isRequired: false), .init("ab", Schema(.null)),
          .init("b", Schema(.boolean), isRequired: false),
          .init("ba", text(), isRequired: false), .init("名", integer(0, 9), isRequired: false),
        ]))
    ),
    (
      "object, all optional",
      Schema(
        .object([
          .init("a", integer(0, 9), isRequired: false),
          .init("aa", integer(0, 9), isRequired: false),
          .init("\"", integer(0, 9), isRequired: false),
        ]))
    ),
    ("optional text", optional(text())),
    (
      "any of all types",
      Schema(
        .anyOf([
          text(0, 2), integer(0, 20), number(Decimal(string: "0.5"), 3), Schema(.null),
          Schema(.boolean), list(text(), 0, 2), Schema(.object([.init("a", Schema(.null))])),
        ]))
    ),
    (
      "fixed text or date",
      Schema(.anyOf([Schema(.enumeration([.string("20"), .number("2e5")])), format(.date)]))
    ),
    ("receipt", receipt),
  ]

  static let whitespaces: [Grammar.Whitespace] = [.compact, .spaced, .pretty(indent: 2)]
}
