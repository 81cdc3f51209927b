import Foundation
import Testing

@testable import Fovea

/// What other grammar engines have got wrong, in cases of our own.
@Suite("Known faults of grammar engines")
struct GrammarFaultTests {
  func expect(
    _ schema: Schema, accepts good: [String] = [], rejects bad: [String] = [],
    _ whitespace: Grammar.Whitespace = .compact
  ) throws {
    let grammar = try Grammar(schema, whitespace: whitespace)
    for text in good { #expect(grammar.accepts(text.utf8), "\(text)") }
    for text in bad { #expect(!grammar.accepts(text.utf8), "\(text)") }
  }

  static func object(_ name: String, _ schema: Schema) -> Schema {
    Schema(.object([.init(name, schema)]))
  }

  @Test func aLongRunOfBlanksCannotBeWritten() throws {
    let schema = Self.object("count", GrammarSamples.integer(0, 9))
    let run = String(repeating: " ", count: 64)
    try expect(
      schema, accepts: [#"{"count": 4}"#],
      rejects: [#"{"count":4}"#, "{\"count\":\(run)4}", "{\(run)\"count\": 4}", #"{"count": 4 }"#],
      .spaced)
  }

  @Test func nothingComesBeforeOrAfterTheDocument() throws {
    try expect(
      Self.object("k", Schema(.boolean)), accepts: [#"{"k":true}"#],
      rejects: ["\n{\"k\":true}", "{\"k\":true}\n", "{\"k\":true}{", "```json"])
  }

  @Test func halvesOfSurrogatePairs() throws {
    try expect(
      GrammarSamples.text(1, 1),
      accepts: [#""\ud83e\udd80""#, #""🦀""#, #""\u00df""#, #""\uD83E\uDD80""#],
      rejects: [
        #""\ud83e""#, #""\udd80""#, #""\ud83e\ud83e""#, #""\ud83ex""#, #""\ud83e\n""#, #""\u12""#,
        #""\x41""#,
      ])
  }

  @Test func controlCharactersMustBeEscaped() throws {
    try expect(
      GrammarSamples.text(), accepts: [#""a\tb""#, #""\u0000""#, "\"\u{7F}\""],
      rejects: ["\"a\tb\"", "\"\u{0}\"", "\"\u{1F}\""])
  }

  @Test(arguments: [1_999, 2_000, 2_001, 65_536, 100_000])
  func lengthsAtRoundBounds(length: Int) throws {
    let text = String(repeating: "x", count: length)
    try expect(
      Self.object("note", GrammarSamples.text(1, length)),
      accepts: ["{\"note\":\"\(text)\"}", #"{"note":"y"}"#],
      rejects: ["{\"note\":\"\(text)x\"}", #"{"note":""}"#])
  }

  @Test func boundedTextInABoundedList() throws {
    let schema = GrammarSamples.list(Self.object("s", GrammarSamples.text(0, 2_000)), 0, 50)
    let item = #"{"s":"x"}"#
    func list(_ count: Int) -> String {
      "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
    }
    try expect(schema, accepts: [list(0), list(1), list(50)], rejects: [list(51)])
  }

  @Test func manyItems() throws {
    let schema = GrammarSamples.list(GrammarSamples.integer(), 0, 30_000)
    let full = Array(repeating: "7", count: 30_000).joined(separator: ",")
    try expect(schema, accepts: ["[]", "[\(full)]"], rejects: ["[\(full),7]", #"["7"]"#, "[7,]"])
  }

  @Test func anObjectWithoutProperties() throws {
    try expect(Schema(.object([])), accepts: ["{}"], rejects: ["[]", #"{"a":1}"#, "{ }"])
  }

  @Test func anOptionalPropertyBeforeARequiredOne() throws {
    let schema = Schema(
      .object([
        .init("x", GrammarSamples.integer(), isRequired: false),
        .init("y", GrammarSamples.integer()),
      ]))
    try expect(
      schema, accepts: [#"{"x":1,"y":2}"#, #"{"y":2}"#],
      rejects: [#"{"x":1}"#, "{}", #"{"y":2,"x":1}"#, #"{,"y":2}"#, #"{"x":1,"x":1,"y":2}"#])
  }

  @Test func keysBeyondASCII() throws {
    try expect(
      Self.object("価格", GrammarSamples.text()), accepts: [#"{"価格":"千円🍣"}"#],
      rejects: [#"{"価":"x"}"#, #"{"\u4fa1\u683c":"x"}"#])
  }

  @Test func valuesThatNeedEscapes() throws {
    try expect(
      Schema(.enumeration([.string("ü\t\"c\" \\ /\u{1B}")])),
      accepts: [#""ü\t\"c\" \\ /\u001b""#], rejects: [#""u""#, #""ü\t\"c\" \\ \/\u001b""#])
  }

  @Test func numbersAreWrittenPlainly() throws {
    try expect(
      GrammarSamples.number(), accepts: ["0.5", "10", "-2.50"],
      rejects: ["00.5", ".5", "5.", "+5", "1e5", "1E5", "-", "-.5", "NaN", "Infinity", "0x1"])
  }

  @Test func theWholeRangeOfAnInt() throws {
    let schema = GrammarSamples.integer(Decimal(Int.min), Decimal(Int.max))
    try expect(
      schema, accepts: ["\(Int.max)", "\(Int.min)", "0", "-1"],
      rejects: ["9223372036854775808", "-9223372036854775809", "10000000000000000000"])
  }

  @Test func aDayThatDoesNotExist() throws {
    try expect(
      GrammarSamples.format(.date), accepts: [#""2028-02-29""#],
      rejects: [#""2026-02-29""#, #""2026-04-31""#, #""2026-13-01""#, #""2026-2-1""#])
  }
}
