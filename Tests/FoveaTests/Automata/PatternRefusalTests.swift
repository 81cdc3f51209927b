import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// Patterns that are refused, and why.
@Suite("Patterns: refusals say why and where")
struct PatternRefusalTests {
  @Test(arguments: [
    ("(?<=a)b", "look-behind at character 1"), ("a(?<!b)", "look-behind at character 2"),
    ("(a)\\1", "a back-reference at character 4"),
    ("(?<n>a)\\k<n>", "a back-reference at character 8"),
    ("(?i)a", "flags in a group at character 1"), ("é(?s:a)", "flags in a group at character 2"),
    ("(?-i:a)", "flags in a group at character 1"),
    ("a\\p{Script=Latin}", "\\p{Script=Latin}, of which Fovea has no table, at character 2"),
    ("\\p{Latin}", "\\p{Latin}, of which Fovea has no table, at character 1"),
  ])
  func unsupported(pattern: String, reason: String) {
    #expect(throws: PatternError(.unsupported, reason)) { try TextLanguage.pattern(pattern) }
  }

  @Test(arguments: [
    ("(a", "a ( without ) at character 1"), ("a)", "a ) without ( at character 2"),
    ("[a", "a [ without ] at character 1"),
    ("a**", "nothing to repeat at character 3"), ("*a", "nothing to repeat at character 1"),
    ("a++", "nothing to repeat at character 3"), ("^*", "nothing to repeat at character 2"),
    ("a|?", "nothing to repeat at character 3"), ("{2}", "nothing to repeat at character 1"),
    ("a{2}{3}", "nothing to repeat at character 5"), ("\\b+", "nothing to repeat at character 3"),
    ("a{3,2}", "a repetition whose limits are out of order at character 2"),
    ("[z-a]", "a range whose ends are out of order at character 2"),
    ("a\\", "a \\ at the end at character 2"),
    ("\\Z", "\\Z, which means nothing in ECMA-262, at character 1"),
    ("\\a", "\\a, which means nothing in ECMA-262, at character 1"),
    ("[\\1]", "a back-reference in a class at character 2"),
    ("\\x4", "\\x without two hexadecimal digits at character 1"),
    ("\\u12", "\\u without four hexadecimal digits at character 1"),
    ("\\u{110000}", "\\u{…} without a code point at character 1"),
    ("\\c1", "a control escape without a letter at character 1"),
    ("\\00", "an octal escape at character 1"),
    ("\\pL", "\\p without {…} at character 1"), ("\\p{L", "\\p without {…} at character 1"),
    ("(?P<n>a)", "a group that ECMA-262 does not have at character 1"),
    ("(?#c)", "a group that ECMA-262 does not have at character 1"),
    ("(?>a)", "a group that ECMA-262 does not have at character 1"),
    ("(?<>a)", "a group name at character 1"), ("(?<1>a)", "a group name with 1 at character 1"),
    ("(?<n", "a group name at character 1"),
    ("(?", "a group that ECMA-262 does not have at character 1"),
  ])
  func malformed(pattern: String, reason: String) {
    #expect(throws: PatternError(.malformed, reason)) { try TextLanguage.pattern(pattern) }
  }

  /// None of these may take long or overflow the stack; each is refused before or at a limit.
  @Test(arguments: [
    "((a{1000}){1000}){1000}", "a{1000000000000000000000}", "(){100000}", "(?=a{999}b{99999})",
    String(repeating: "(", count: 100_000), String(repeating: "(?:a|", count: 300),
    String(repeating: "a|", count: 100_000),
  ])
  func tooLargeAtOnce(pattern: String) {
    #expect { try TextLanguage.pattern(pattern) } throws: {
      ($0 as? PatternError)?.kind == .tooLarge
    }
  }

  @Test func tooManyStates() {
    #expect { try TextLanguage.pattern("(a|b)*a(a|b){25}") } throws: {
      ($0 as? PatternError)?.kind == .tooLarge
    }
  }

  @Test func deepNestingIsFine() throws {
    let depth = PatternParser.deepest
    let pattern = String(repeating: "(a", count: depth) + String(repeating: ")?", count: depth)
    let language = try TextLanguage.pattern("^\(pattern)$")
    #expect(language.accepts([UInt8](repeating: 0x61, count: depth)))
    #expect(!language.accepts([UInt8](repeating: 0x61, count: depth + 1)))
  }

  /// All patterns of real schemas compile, but for one.
  @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
  func realPatterns() throws {
    var patterns: Set<String> = []
    func collect(_ value: JSONValue, isSchema: Bool) {
      switch value {
      case .array(let items): for item in items { collect(item, isSchema: isSchema) }
      case .object(let members):
        for member in members {
          let (name, value) = (member.name, member.value)
          if isSchema, name == "pattern", case .string(let pattern) = value {
            patterns.insert(pattern)
          }
          if isSchema, name == "patternProperties", case .object(let members) = value {
            for member in members { patterns.insert(member.name) }
          }
          let holdsNames = ["properties", "patternProperties", "definitions", "$defs"]
          collect(value, isSchema: !isSchema || !holdsNames.contains(name))
        }
      default: break
      }
    }
    for file in SharedData.files(below: "structured/maskbench", extensions: ["jsonl"]) {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if let schema = try JSONValue(parsing: String(line))[name: "schema"] {
          collect(schema, isSchema: true)
        }
      }
    }
    #expect(patterns.count == 426)
    var refused: [String: PatternError] = [:]
    for pattern in patterns {
      switch Result(catching: { () throws(PatternError) in try TextLanguage.pattern(pattern) }) {
      case .success(let language): #expect(!language.isEmpty, "\(pattern)")
      case .failure(let error): refused[pattern] = error
      }
    }
    // A host name whose parts overlap, in a text of limited length.
    #expect(
      refused.keys.sorted() == [
        #"^(?!.*://)(?=.{1,255}$)((.{1,63}\.){1,127}(?![0-9]*$)[a-z0-9-]+\.?)$"#
      ])
    #expect(refused.values.allSatisfy { $0.kind == .tooLarge })
  }
}
