import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("JSON text")
struct JSONParsingTests {
  @Test(
    arguments: [
      ("null", .null), (" true\n", .boolean(true)), ("false", .boolean(false)),
      ("0", .number("0")), ("-0.50", .number("-0.50")), ("1E+2", .number("1E+2")),
      ("12345678901234567890.00", .number("12345678901234567890.00")),
      (#""""#, .string("")), (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u00e9\ud83d\ude00\u0000""#, .string("é😀\0")),
      ("\"é😀\u{7F}\u{2028}\"", .string("é😀\u{7F}\u{2028}")),
      ("[]", .array([])), ("[ 1 ,[ ] ]", .array([.number("1"), .array([])])),
      ("{}", .object([])),
      (
        "\t{ \"b\" : 1 , \"a\" : { } }\r\n",
        .object([.init("b", .number("1")), .init("a", .object([]))])
      ),
      // The same text to Swift, two keys to JSON.
      (
        "{\"\u{E9}\":1,\"e\u{301}\":2}",
        .object([.init("\u{E9}", .number("1")), .init("e\u{301}", .number("2"))])
      ),
    ] as [(String, JSONValue)])
  func reads(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(arguments: [
    ("", "line 1, column 1: the text ends where a value"), (" ", "column 2"),
    ("nul", "expected null"),
    ("nulL", "expected null"), ("NaN", "a value"), ("Infinity", "a value"), ("-", "a digit"),
    ("01", "more text"), ("+1", "a value"), ("1.", "a digit"), (".5", "a value"), ("1e", "a digit"),
    ("1e+", "a digit"), ("0x10", "more text"), ("'a'", "a value"), ("\"a", "ends inside a string"),
    ("\"\u{1}\"", "control character"), ("\"\n\"", "control character"),
    (#""\x""#, "unknown escape"),
    (#""\"#, "inside an escape"), (#""\u12""#, "four hexadecimal"),
    (#""\u12g4""#, "four hexadecimal"),
    (#""\ud83d""#, "surrogate"), (#""\ude00""#, "surrogate"), (#""\ud83d\u0041""#, "surrogate"),
    (#""\ud83dx""#, "surrogate"), ("[1,]", "a value"), ("[1 2]", "expected , or ]"),
    ("[", "a value"),
    ("[1", "ends before ]"), ("]", "a value"), ("{\"a\"}", "colon"), ("{\"a\":}", "a value"),
    ("{a:1}", "a key"), ("{\"a\":1,}", "a key"), ("{,}", "a key"), ("{", "key should begin"),
    ("{\"a\":1 \"b\":2}", "expected , or }"), ("[1}", "expected , or ]"),
    ("{\"a\":1]", "expected , or }"),
    ("1 1", "more text"), ("{} {}", "more text"), ("// x\n1", "a value"), ("\u{FEFF}1", "a value"),
    ("[\n  1,\n  é é]", "line 3, column 3"), ("\"é\" x", "column 5"), ("\u{A0}1", "a value"),
    ("{\"a\":1,\n\"\\u0061\":2}", "line 2, column 1: the key \"a\" appears twice"),
  ])
  func refuses(text: String, reason: String) throws {
    let error = try #require(throws: FoveaError.self) { try JSONValue(parsing: text) }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains(reason), "\(error)")
  }

  @Test func depthIsLimited() throws {
    let limit = JSONParser.depthLimit
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSONValue(parsing: nested(limit)).text == nested(limit))
    #expect(throws: FoveaError.self) { try JSONValue(parsing: nested(limit + 1)) }
    #expect(throws: FoveaError.self) {
      try JSONValue(parsing: String(repeating: "{\"a\":[", count: 500_000))
    }
    #expect(JSONValue(partial: String(repeating: "[", count: 1_000_000)) != nil)
  }

  @Test func writesWhatItReads() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let value = JSONValue.random(using: &generator)
      #expect(try JSONValue(parsing: value.text) == value)
      #expect(try JSONValue(parsing: value.text(pretty: true)) == value)
      // Foundation agrees that it is JSON.
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(value.text.utf8), options: .fragmentsAllowed)
      }
    }
  }

  @Test func prettyText() throws {
    let value = try JSONValue(parsing: #"{"a":[1,{}],"b":[]}"#)
    #expect(
      value.text(pretty: true) == """
        {
          "a": [
            1,
            {}
          ],
          "b": []
        }
        """)
    #expect(JSONValue.string("\u{1}\u{1F}\"/").text == #""\u0001\u001f\"/""#)
  }

  @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
  func readsPublicFiles() throws {
    let files =
      SharedData.files(below: "structured", extensions: ["json", "jsonl"])
      + SharedData.files(below: "receipts", extensions: ["json"])
    #expect(files.count > 100)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let documents =
        file.pathExtension == "jsonl" ? text.split(separator: "\n").map(String.init) : [text]
      for document in documents {
        let value = try JSONValue(parsing: document)
        #expect(try JSONValue(parsing: value.text) == value, "\(file.path)")
      }
    }
  }
}
