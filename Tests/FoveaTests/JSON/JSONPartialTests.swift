import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Unfinished JSON text")
struct JSONPartialTests {
  @Test(
    arguments: [
      ("", nil), ("  ", nil), ("x", nil), ("-", nil), ("12", nil), ("12 ", "12"), ("tru", nil),
      ("true", "true"), ("nul", nil), ("\"", "\"\""), ("\"ab", "\"ab\""), ("\"ab\\", "\"ab\""),
      ("\"a\\n", "\"a\\n\""), ("\"a\\u00", "\"a\""), ("\"a\\ud83d", "\"a\""),
      ("\"a\\ud83d\\ude0", "\"a\""), ("\"a\\ud83d\\ude00", "\"a😀\""), ("[", "[]"), ("[1", "[]"),
      ("[1,", "[1]"), ("[1,2", "[1]"), ("[1,2]", "[1,2]"), ("[[", "[[]]"), ("{", "{}"),
      ("{\"a", "{}"), ("{\"a\"", "{}"), ("{\"a\":", "{}"), ("{\"a\":tr", "{}"),
      ("{\"a\":1.5", "{}"), ("{\"a\":1.5}", "{\"a\":1.5}"),
      ("{\"a\":[{\"b\":\"c", "{\"a\":[{\"b\":\"c\"}]}"),
      ("{\"a\":1,\"b", "{\"a\":1}"), ("{\"a\":1}x", "{\"a\":1}"), ("[1,x", "[1]"),
      ("{\"a\":1,\"a\":2}", "{\"a\":1}"), ("\"a\nb\"", "\"a\""),
    ] as [(String, String?)])
  func closesWhatIsOpen(text: String, value: String?) {
    #expect(JSONValue(partial: text)?.text == value)
  }

  @Test func growsWithTheText() throws {
    var generator = SeededGenerator(seed: 11)
    for round in 0..<300 {
      let value = JSONValue.random(using: &generator)
      let text = value.text(pretty: round.isMultiple(of: 2)) + " "
      var last: JSONValue?
      for end in text.unicodeScalars.indices {
        let partial = JSONValue(partial: String(text.unicodeScalars[...end]))
        if let last {
          let grown = try #require(partial, "\(text) vanished")
          #expect(last.isBeginning(of: grown), "\(text): \(last) then \(grown)")
        }
        last = partial
      }
      #expect(last == value)
    }
  }
}

extension JSONValue {
  /// Whether `later` is this value with more at its end.
  fileprivate func isBeginning(of later: JSONValue) -> Bool {
    switch (self, later) {
    case (.string(let text), .string(let longer)):
      return longer.utf8.starts(with: text.utf8)
    case (.array(let items), .array(let more)):
      return items.count <= more.count
        && Self.areBeginnings(items, more)
    case (.object(let members), .object(let more)):
      return members.count <= more.count
        && zip(members, more).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) }
        && Self.areBeginnings(members.map(\.value), more.map(\.value))
    default:
      return self == later
    }
  }

  /// Only the last of the values may have grown.
  private static func areBeginnings(_ values: [JSONValue], _ later: [JSONValue]) -> Bool {
    for (index, value) in values.enumerated() {
      let isLast = index == values.count - 1 && later.count == values.count
      guard isLast ? value.isBeginning(of: later[index]) : value == later[index] else {
        // A string that was open is closed when the next value begins.
        return index == values.count - 1 && value.isBeginning(of: later[index])
      }
    }
    return true
  }
}
