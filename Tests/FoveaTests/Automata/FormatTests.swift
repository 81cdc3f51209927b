import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// The formats against the JSON Schema Test Suite, and where that is silent against what their
/// standards say.
@Suite("Formats: nothing invalid, and what is left out on purpose")
struct FormatTests {
  /// Valid texts that are left out: those of a format in which a pattern matches, how many there
  /// are, and why. The first line that fits a text is its line.
  static let leftOut: [(format: String, pattern: String, count: Int, reason: String)] = [
    ("date-time", ":60", 2, "leap seconds: Swift's decoders refuse them"),
    ("date-time", "[tz]", 1, "lower case: Swift's decoders refuse it"),
    ("date-time", "\\.\\d{10,}", 1, "more than nine digits: Swift's decoders refuse them"),
    ("time", ":60", 6, "leap seconds: as above"),
    ("time", "z", 1, "lower case: as above"),
    ("hostname", "^xn--", 15, "Punycode: it is valid or not by what it decodes to"),
    ("idn-hostname", "^xn--", 1, "Punycode: as above"),
    ("idn-hostname", "^[^.。．｡]{9,}", 4, "long labels: their length counts in Punycode"),
    ("idn-hostname", "[。．｡]", 3, "other separators than the full stop"),
    ("idn-hostname", "·|͵|[\\u05F3\\u05F4]|・|[\\u200C\\u200D]", 10, "rules of context"),
    ("idn-hostname", "", 4, "scripts from right to left, and others than the usual"),
    ("idn-email", "^\"", 1, "a quoted local part beyond ASCII"),
    ("idn-email", "\\p{M}", 1, "a combining mark in a domain"),
    ("regex", "\\(\\?<=", 1, "look-behind"),
    ("regex", "\\(\\?<\\w", 2, "named groups and back-references to them"),
    ("regex", "^\\[\\^?\\]$", 2, "empty classes"),
    ("regex", "\\\\c", 1, "control escapes"),
  ]

  @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
  func testSuite() throws {
    let root = "structured/json-schema-test-suite"
    let files =
      SharedData.files(below: "\(root)/draft2020-12/optional/format", extensions: ["json"])
      + SharedData.files(below: "\(root)/tests/draft2020-12/optional/format", extensions: ["json"])
    var invalidAccepted: [String] = []
    var counts = [Int](repeating: 0, count: Self.leftOut.count)
    var formats: Set<String> = []
    for file in files {
      guard
        case .array(let groups) = try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
      else { continue }
      for group in groups {
        guard case .string(let name)? = group[name: "schema"]?[name: "format"],
          case .array(let tests)? = group[name: "tests"]
        else { continue }
        if name == "unknown" {
          #expect(TextLanguage.format(name) == nil)
          continue
        }
        formats.insert(name)
        let language = try #require(TextLanguage.format(name), "\(name)")
        for test in tests {
          guard case .string(let text)? = test[name: "data"] else { continue }
          let isValid = test[name: "valid"] == .boolean(true)
          if language.accepts(text.utf8), !isValid { invalidAccepted.append("\(name): \(text)") }
          if language.accepts(text.utf8) || !isValid { continue }
          let line = try Self.leftOut.firstIndex {
            try $0.format == name && TextLanguage.pattern($0.pattern).accepts(text.utf8)
          }
          counts[try #require(line, "\(name): \(text)")] += 1
        }
      }
    }
    #expect(formats.count == 19)
    #expect(invalidAccepted == [])
    for (line, count) in zip(Self.leftOut, counts) {
      #expect(count == line.count, "\(line.format): \(line.reason)")
    }
  }

  @Test func everyDay() throws {
    let date = try #require(TextLanguage.format("date"))
    func digits(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: count - String(number).count) + String(number)
    }
    for year in [0, 1, 4, 99, 100, 200, 400, 1582, 1900, 1999, 2000, 2023, 2024, 2100, 9996, 9999] {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for month in 0...13 {
        for day in 0...32 {
          let exists = year > 0 && (1...12).contains(month) && day >= 1 && day <= lengths[month - 1]
          let text = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
          if date.accepts(text.utf8) != exists { Issue.record("\(text)") }
        }
      }
    }
    // Leap days of every year.
    for year in 1...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let text = "\(digits(year, 4))-02-29"
      if date.accepts(text.utf8) != isLeap { Issue.record("\(text)") }
    }
  }

  /// Everything that the grammar lets a model write as a moment can be read.
  @Test func momentsCanBeRead() throws {
    let moment = try #require(TextLanguage.format("date-time"))
    let time = try #require(TextLanguage.format("time"))
    for text in [
      "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999+23:59", "2024-02-29T12:00:00-00:00",
    ] {
      #expect(moment.accepts(text.utf8))
      #expect(DateText.dateTime(text) != nil)
    }
    for text in ["24:00:00Z", "00:60:00Z", "00:00:60Z", "00:00:00.Z", "00:00:00", "00:00:00+24:00"]
    {
      #expect(!time.accepts(text.utf8), "\(text)")
    }
  }

  @Test(arguments: [
    ("ipv4", "0.10.200.255", true), ("ipv4", "1.2.3.04", false), ("ipv4", "1.2.3.256", false),
    ("ipv6", "1:2:3:4:5:6:7::", true), ("ipv6", "::2:3:4:5:6:7:8", true),
    ("ipv6", "1:2:3:4:5:6:7::8", false), ("ipv6", "1::2:3:4:5:6:7", true),
    ("ipv6", "::1.2.3.4", true),
    ("ipv6", "1:2:3:4:5::1.2.3.4", true), ("ipv6", "1:2:3:4:5:6::1.2.3.4", false),
    ("ipv6", "1:2:3:4:5:6:7:1.2.3.4", false), ("ipv6", "::1.2.3.4:5", false),
    ("ipv6", ":::", false),
    ("email", "a@b", true), ("email", "a@b.c.d-e.example", true), ("email", "a@b..c", false),
    ("email", "a@-b", false), ("email", "a@[IPv6:1::2]", true), ("email", "a@[1.2.3.4", false),
    ("email", "a@[IPv6:1:2:3:4:5:6:7::]", false), ("email", "\"\"@b.c", false),
    ("email", "\"\\\"\"@b.c", true), ("email", "\"a\"b\"@b.c", false), ("email", "a@b@c", false),
    ("hostname", "a.1", false), ("hostname", "1.2.3.4", false), ("hostname", "1.a", true),
    ("hostname", "ab--c", false), ("hostname", "a--b", true), ("hostname", "abc--d", true),
    ("hostname", "a.b-.c", false),
    ("idn-hostname", "münchen.例え.한국", true), ("idn-hostname", "München.de", false),
    ("idn-email", "用户@例え.jp", true), ("idn-email", "a b@c.d", false),
    ("uri", "a:", true), ("uri", "A1+.-:b?c#d", true), ("uri", "http://[::1]:80/a//b", true),
    ("uri", "http://[::1/", false), ("uri", "a:b[c", false), ("uri", "a:#b#c", false),
    ("uri", "http://a:b:c/", false), ("uri-reference", "a:b/c", true),
    ("uri-reference", "a/b:c", true),
    ("uri-reference", "_:c", false), ("iri", "http://é.例/ä?\u{E000}#ö", true),
    ("iri", "http://é/\u{E000}", false), ("iri-reference", "ä/ö", true),
    ("iri", "a:\u{FFFE}", false),
    ("uri-template", "{=a}", false), ("uri-template", "{a:9999,b*}", true),
    ("uri-template", "{a:1*}", false),
    ("uri-template", "<", false), ("json-pointer", "/é~01", true),
    ("relative-json-pointer", "0+1", false),
    ("uuid", "00000000-0000-0000-0000-00000000000g", false), ("duration", "P1Y1M1DT1H1M1S", true),
    ("duration", "PT", false), ("byte", "", true), ("byte", "TQ==", true), ("byte", "TR==", false),
    ("byte", "TWE=", true), ("byte", "TWF=", false), ("byte", "TWFu", true), ("byte", "TWF", false),
    ("base64", "TWFuTQ==", true), ("base64", "TQ==TWFu", false), ("binary", "\u{0}é", true),
    ("regex", "^[a-z0-9_]+(?:-(a|b)*){2,}?$", true), ("regex", "a**", false),
    ("regex", "[z-a]", false),
    ("regex", "(", false), ("regex", "[", false), ("regex", "a{2,1}", false),
    ("regex", "\\", false),
  ])
  func singleTexts(format: String, text: String, isValid: Bool) throws {
    #expect(try #require(TextLanguage.format(format)).accepts(text.utf8) == isValid)
  }

  @Test func lengthsOfNames() throws {
    let hostname = try #require(TextLanguage.format("hostname"))
    let label = String(repeating: "a", count: 63)
    #expect(hostname.accepts("\(label).\(label).\(label)".utf8))
    #expect(!hostname.accepts("\(label)a".utf8))
    #expect(
      hostname.accepts(Array(repeating: "abcdefghijklmno", count: 15).joined(separator: ".").utf8))
    #expect(!hostname.accepts(Array(repeating: "a", count: 16).joined(separator: ".").utf8))
    let email = try #require(TextLanguage.format("email"))
    let local = String(repeating: "a", count: 64)
    #expect(email.accepts("\(local)@b.c".utf8))
    #expect(!email.accepts("a\(local)@b.c".utf8))
    #expect(!email.accepts("\"\(local)\"@b.c".utf8))
    #expect(email.accepts("\"\(local.dropLast(2))\"@b.c".utf8))
    // No text of a bounded format is longer than its standard allows.
    for (name, most) in [("hostname", 253), ("email", 254), ("ipv6", 45), ("uuid", 36)] {
      let language = try #require(TextLanguage.format(name))
      #expect(Self.longest(language) ?? .max <= most, "\(name)")
    }
  }

  /// The length of the longest text; nil when there is none.
  static func longest(_ language: DFA) -> Int? {
    var level: Set<DFA.State> = [language.start]
    var length = 0
    while length <= 1000 {
      var next: Set<DFA.State> = []
      for state in level {
        for column in 0..<language.classCount {
          let target = language.transitions[Int(state) * language.classCount + column]
          if target != DFA.dead { next.insert(target) }
        }
      }
      if next.isEmpty { return length }
      level = next
      length += 1
    }
    return nil
  }

  /// What the format `regex` accepts, ``TextLanguage/pattern(_:)`` understands.
  @Test func expressionsAreUnderstood() throws {
    let regex = try #require(TextLanguage.format("regex"))
    let parts = ["a", "[", "]", "(", ")", "*", "{1}", "|", "^", "\\d", "-", "?"]
    var accepted = 0
    for text in PatternLanguageTests.texts(upTo: 4, over: parts) where regex.accepts(text.utf8) {
      accepted += 1
      do { _ = try PatternParser.parse(text) } catch { Issue.record("\(text): \(error)") }
    }
    #expect(accepted > 500)
  }

  @Test func everyTextOfAFormatIsUTF8() throws {
    for name in [
      "idn-email", "idn-hostname", "iri", "iri-reference", "json-pointer", "uri-template",
    ] {
      let language = try #require(TextLanguage.format(name))
      #expect(try language.subtracting(TextLanguage.all) == .empty)
    }
    for name in ["Date", "", "int32", "phone"] { #expect(TextLanguage.format(name) == nil) }
  }
}
