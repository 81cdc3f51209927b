import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// Which texts the grammars of strings, lists and dates accept.
@Suite("Texts, lists and dates: exactly what they should")
struct TextLanguageTests {
  static func texts(upTo length: Int, over alphabet: [[UInt8]]) -> [[UInt8]] {
    var result: [[UInt8]] = [[]]
    var level: [[UInt8]] = [[]]
    for _ in 0..<length {
      level = level.flatMap { start in alphabet.map { start + $0 } }
      result += level
    }
    return result
  }

  /// What Foundation reads the bytes as, or nil when it is not one string.
  static func decoded(_ bytes: [UInt8]) -> String? {
    // Most candidates end too early or too late, which is cheaper to see than to decode.
    guard bytes.first == 0x22, bytes.last == 0x22, bytes.count > 1 else { return nil }
    // Not a JSON string is one of the answers.
    return try? JSONDecoder().decode(String.self, from: Data(bytes))
  }

  @Test(arguments: [(0, nil), (0, 0), (1, 1), (0, 2), (2, nil), (2, 3)] as [(Int, Int?)])
  func lengthsAndEscapes(minimum: Int, maximum: Int?) throws {
    let grammar = try Grammar(GrammarSamples.text(minimum, maximum))
    let letters = ["a", "\"", "\\", "n", "é", "😀", "\\u00e9", "\\ud83d", "\\uDE00"]
    let parts = letters.map { Array($0.utf8) } + [[0xF0, 0x9F], [0x98, 0x80], [0x0A]]
    for inside in Self.texts(upTo: 3, over: parts) {
      let text = [0x22] + inside + [0x22]
      // Foundation lets some raw control characters pass; JSON does not.
      let value = text.contains(0x0A) ? nil : Self.decoded(text)
      let isUTF8 = String(decoding: text, as: UTF8.self).utf8.elementsEqual(text)
      let length = value?.unicodeScalars.count ?? -1
      let expected = isUTF8 && length >= minimum && length <= maximum ?? .max
      if grammar.accepts(text) != expected {
        Issue.record("\(String(decoding: text, as: UTF8.self)) should be \(expected)")
      }
    }
  }

  @Test func everyPairOfEscapedHalves() throws {
    let grammar = try Grammar(GrammarSamples.text())
    for unit in stride(from: 0, through: 0xFFFF, by: 1) {
      let hex = String(unit + 0x10000, radix: 16, uppercase: unit % 2 == 0).dropFirst()
      let isSurrogate = (0xD800...0xDFFF).contains(unit)
      if grammar.accepts("\"\\u\(hex)\"".utf8) == isSurrogate {
        Issue.record("\(hex)")
      }
      if unit % 64 == 0 {
        let isLow = (0xDC00...0xDFFF).contains(unit)
        if grammar.accepts("\"\\ud800\\u\(hex)\"".utf8) != isLow { Issue.record("d800 \(hex)") }
      }
    }
  }

  @Test func everyTwoAndThreeByteSequence() throws {
    let grammar = try Grammar(GrammarSamples.text(1, 1))
    for first in UInt8(0x80)...0xFF {
      for second in UInt8.min...UInt8.max {
        for rest in [[], [0x80], [0xBF], [0x80, 0x80], [0xBF, 0xBF]] as [[UInt8]] {
          let character = [first, second] + rest
          let text = String(decoding: character, as: UTF8.self)
          let isOne =
            text.utf8.elementsEqual(character) && text.unicodeScalars.count == 1
          if grammar.accepts([0x22] + character + [0x22]) != isOne {
            Issue.record("\(character)")
          }
        }
      }
    }
  }

  @Test(arguments: [(0, nil), (0, 0), (1, nil), (0, 1), (2, 2), (1, 3), (3, 5)] as [(Int, Int?)])
  func counts(minimum: Int, maximum: Int?) throws {
    let grammar = try Grammar(GrammarSamples.list(GrammarSamples.integer(0, 9), minimum, maximum))
    for text in Self.texts(upTo: 7, over: ["[", "]", ",", "1"].map { Array($0.utf8) }) {
      let string = String(decoding: text, as: UTF8.self)
      let count = string == "[]" ? 0 : string.split(separator: ",").count
      let expected = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
      let fits = string == expected && count >= minimum && count <= maximum ?? .max
      if grammar.accepts(text) != fits { Issue.record("\(string) should be \(fits)") }
    }
  }

  @Test func datesAreTheDaysThatExist() throws {
    let grammar = try Grammar(GrammarSamples.format(.date))
    func accepts(_ year: Int, _ month: Int, _ day: Int) -> Bool {
      func digits(_ value: Int, _ count: Int) -> String {
        String(repeating: "0", count: count - String(value).count) + String(value)
      }
      return grammar.accepts("\"\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))\"".utf8)
    }
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // The rule for leap years depends on all four digits: every year, around February.
    for year in 0...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      if accepts(year, 2, 29) != (isLeap && year > 0) { Issue.record("\(year)") }
      if accepts(year, 1, 1) != (year > 0) { Issue.record("\(year)") }
    }
    for year in [1, 1900, 2000, 2023, 2024, 9999] {
      for month in 0...99 {
        let isLeap = year == 2000 || year == 2024
        let length = (1...12).contains(month) ? lengths[month - 1] : 0
        let most = month == 2 && isLeap ? 29 : length
        for day in 0...99 where accepts(year, month, day) != (day >= 1 && day <= most) {
          Issue.record("\(year) \(month) \(day)")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("2026-11-30T09:41:00Z", true), ("2026-11-30T09:41:00.5+02:00", true),
      ("2024-02-29T23:59:59.123456789-23:59", true), ("2026-11-30T09:41:00", false),
      ("2026-11-30T09:41Z", false), ("2026-11-30 09:41:00Z", false),
      ("2026-11-30t09:41:00z", false), ("2026-11-30T24:00:00Z", false),
      ("2026-11-30T23:60:00Z", false), ("2026-12-31T23:59:60Z", false),
      ("2026-11-30T09:41:00.Z", false), ("2026-11-30T09:41:00.1234567890Z", false),
      ("2026-11-30T09:41:00+24:00", false), ("2026-11-30T09:41:00+0200", false),
      ("2023-02-29T09:41:00Z", false),
    ])
  func dateTimes(text: String, isValid: Bool) throws {
    let dateTime = try Grammar(GrammarSamples.format(.dateTime))
    #expect(dateTime.accepts("\"\(text)\"".utf8) == isValid)
    if text.contains("T"), !text.hasPrefix("2023") {
      let time = try Grammar(GrammarSamples.format(.time))
      #expect(time.accepts("\"\(text.dropFirst(11))\"".utf8) == isValid)
    }
  }

  @Test func blanksAreExact() throws {
    let schema = Schema(
      .object([
        .init("a", GrammarSamples.list(GrammarSamples.integer(0, 9))),
        .init("b", Schema(.object([]))),
        .init("c", Schema(.object([.init("d", Schema(.null), isRequired: false)]))),
      ]))
    let texts: [(Grammar.Whitespace, String)] = [
      (.compact, #"{"a":[1,2],"b":{},"c":{"d":null}}"#),
      (.spaced, #"{"a": [1, 2], "b": {}, "c": {"d": null}}"#),
      (
        .pretty(indent: 1),
        "{\n \"a\": [\n  1,\n  2\n ],\n \"b\": {},\n \"c\": {\n  \"d\": null\n }\n}"
      ),
    ]
    for (whitespace, _) in texts {
      let grammar = try Grammar(schema, whitespace: whitespace)
      for (other, text) in texts {
        #expect(grammar.accepts(text.utf8) == (whitespace == other))
        #expect(!grammar.accepts((" " + text).utf8))
        #expect(!grammar.accepts((text + "\n").utf8))
        #expect(!grammar.accepts(text.replacing(":", with: ":  ").utf8))
      }
    }
    let pretty = try Grammar(schema, whitespace: .pretty(indent: 1))
    #expect(pretty.accepts("{\n \"a\": [],\n \"b\": {},\n \"c\": {}\n}".utf8))
    #expect(throws: FoveaError.self) { try Grammar(schema, whitespace: .pretty(indent: -1)) }
  }

  @Test("lengths beyond all counting are decided by the rounds that come again")
  func longTexts() throws {
    let pairs = try TextLanguage.pattern("^(ab)*$")
    #expect(pairs.hasText(minLength: 999_999_999, maxLength: 999_999_999) == false)
    #expect(pairs.hasText(minLength: 1_000_000_000, maxLength: 1_000_000_000) == true)
    #expect(pairs.hasText(minLength: .max - 1, maxLength: .max - 1) == true)
    #expect(pairs.hasText(minLength: .max, maxLength: .max) == false)
    #expect(pairs.hasText(minLength: .max, maxLength: .max - 1) == false)
    let late = try TextLanguage.pattern("^x(名{3}|y{5})*$")
    for length in 0...40 {
      let isLength = (0...13).contains { count in
        3 * count < length && (length - 1 - 3 * count) % 5 == 0
      }
      #expect(late.hasText(minLength: length, maxLength: length) == isLength, "\(length)")
    }
  }
}
