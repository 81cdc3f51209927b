import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("GBNF")
struct GBNFParsingTests {
  struct Sample: CustomTestStringConvertible {
    let grammar: String
    let yes: [String]
    let no: [String]

    init(_ grammar: String, yes: [String], no: [String]) {
      self.grammar = grammar
      self.yes = yes
      self.no = no
    }

    var testDescription: String { grammar }
  }

  static let samples = [
    Sample("root ::= \"a\"", yes: ["a"], no: ["", "aa", "b"]),
    Sample(
      #"root ::= "\n\t\r\"\\\[\]\-\x41\u00e9\U0001F600""#,
      yes: ["\n\t\r\"\\[]-Aé😀"], no: ["n"]),
    Sample(#"root ::= [\]\[\-\\"x]+"#, yes: [#"][-\"x"#], no: ["a", ""]),
    Sample("root ::= [a-c-]+", yes: ["a-c", "-"], no: ["d"]),
    Sample("root ::= [-a]+", yes: ["-a"], no: ["b"]),
    Sample("root ::= [#()|]+ # a comment with \" and [", yes: ["#()|"], no: [" "]),
    Sample("root ::= [^\\n]+ \"\\n\"", yes: ["é😀x\n", "\r\n"], no: ["\n", "a\nb\n", "a"]),
    Sample("root ::= .", yes: ["a", "é", "東", "😀", "\n"], no: ["", "ab", "é😀"]),
    Sample("root ::= [ぁ-ゟ]+", yes: ["ぁ", "ゟひ"], no: ["ァ", "a", "〿"]),
    Sample("root ::= [\\u00e9-\\U0001f600]", yes: ["é", "東", "😀"], no: ["è", "😁"]),
    Sample("root ::= [\\ud000-\\uffff]", yes: ["\u{D7FF}", "\u{E000}"], no: ["\u{CFFF}"]),
    Sample("root ::= \"a\"? \"b\"* \"c\"+", yes: ["c", "abbcc", "bc"], no: ["ab", "aac"]),
    Sample(
      "root ::= \"a\"{2} \"b\"{ 1 , } \"c\"{,2} \"d\"{1,2}", yes: ["aabd", "aabbccdd"],
      no: ["abd", "aabcccd", "aaccd", "aab"]),
    Sample("root ::= \"ab\"{2}", yes: ["abab"], no: ["abb", "ab"]),
    Sample("root ::= \"a\"{2}? \"b\"", yes: ["b", "aab"], no: ["ab"]),
    Sample("root ::= \"a\" *\t\"b\" +", yes: ["aabb", "b"], no: ["a"]),
    Sample(
      "# first\n\n  # second\nroot ::= # third\n\n  a-1 | # fourth\n  B2\na-1 ::= \"x\"\nB2 ::= \"y\"",
      yes: ["x", "y"], no: ["xy"]),
    Sample(
      "root ::= (\n  \"a\"\n  # in between\n  | \"b\" \"c\"\n  *\n)\n", yes: ["a", "bcc"], no: ["c"]
    ),
    Sample("\u{FEFF}root ::= \"a\"\r\nb ::= \"b\"\r\n", yes: ["a"], no: ["b"]),
    Sample("root ::= \"line 1\nline 2\"", yes: ["line 1\nline 2"], no: ["line 1"]),
    Sample("root ::= | \"a\"", yes: ["", "a"], no: ["aa"]),
    Sample("root ::= () \"a\" \"\"", yes: ["a"], no: [""]),
    Sample("root::=x\nx::=\"a\"", yes: ["a"], no: ["x"]),
    Sample("root ::= \"\\x00\" [\\x01-\\x02]", yes: ["\0\u{1}"], no: ["\0\0"]),
  ]

  @Test("the notation", arguments: samples)
  func notation(sample: Sample) throws {
    let machine = try RuleMachine(gbnf: sample.grammar)
    #expect(machine.faults.isEmpty, "\(machine.faults)")
    let recognizer = StackRecognizer(machine)
    for text in sample.yes { #expect(recognizer.accepts(text.utf8), "\(text.debugDescription)") }
    for text in sample.no { #expect(!recognizer.accepts(text.utf8), "\(text.debugDescription)") }
  }

  struct Bad: CustomTestStringConvertible {
    let grammar: String
    let code: FoveaError.Code
    /// Each must stand in the error's line.
    let says: [String]

    init(_ grammar: String, _ code: FoveaError.Code = .invalidSchema, _ says: String...) {
      self.grammar = grammar
      self.code = code
      self.says = says
    }

    var testDescription: String { grammar }
  }

  static let bad = [
    Bad("", .invalidSchema, "'root'"),
    Bad("start ::= \"a\"", .invalidSchema, "'root'"),
    Bad(
      "root ::= item", .invalidSchema, "'item' is not defined", "line 1, column 10",
      "`root ::= item`"),
    Bad(
      "root ::= \"a\"\nroot ::= \"b\"", .invalidSchema, "second time", "line 1", "line 2, column 1"),
    Bad("root ::= \"a", .invalidSchema, "not closed", "column 10", "quote"),
    Bad("root ::= [a-", .invalidSchema, "not closed", "column 10", "']'"),
    Bad("root ::= (\"a\" | \"b\"", .invalidSchema, "'('", "not closed", "column 10"),
    Bad("root ::= (\"a\"\nx ::= \"b\"", .invalidSchema, "line 2, column 3", "line 1 opens"),
    Bad("root ::= \"a\")", .invalidSchema, "no '('", "column 13"),
    Bad("root ::= \"a\" |\nx ::= \"b\"", .invalidSchema, "line 2", "inside of another", "'|'"),
    Bad("root ::= \"a\"\n  | \"b\"", .invalidSchema, "line 2, column 3", "end the line with '|'"),
    Bad("root = \"a\"", .invalidSchema, "'::='", "column 6"),
    Bad("ro_ot ::= \"a\"", .invalidSchema, "'::='", "column 3"),
    Bad("root ::= a_b\na ::= \"a\"", .invalidSchema, "'_'", "letters, digits and dashes"),
    Bad("root ::= *", .invalidSchema, "nothing before '*'"),
    Bad("root ::= \"a\" | {2}", .invalidSchema, "nothing before '{'"),
    Bad("root ::= \"\\q\"", .invalidSchema, "'\\q' is no escape", "\\UHHHHHHHH"),
    Bad("root ::= \"\\x4\"", .invalidSchema, "2 hexadecimal digits"),
    Bad("root ::= \"\\u+123\"", .invalidSchema, "4 hexadecimal digits"),
    Bad("root ::= \"\\U00110000\"", .invalidSchema, "no such character"),
    Bad("root ::= \"\\ud83d\\ude00\"", .invalidSchema, "surrogate", "\\U"),
    Bad("root ::= [\\ud800-\\udfff]", .invalidSchema, "no character is in the class"),
    Bad("root ::= []", .invalidSchema, "no character is in the class"),
    Bad("root ::= [^]", .invalidSchema, "no character is in the class"),
    Bad("root ::= [^\\x00-\\U0010ffff]", .invalidSchema, "no character is in the class"),
    Bad("root ::= [z-a]", .invalidSchema, "from a higher to a lower", "column 11"),
    Bad("root ::= \"a\"{}", .invalidSchema, "malformed", "{2,5}"),
    Bad("root ::= \"a\"{,}", .invalidSchema, "malformed"),
    Bad("root ::= \"a\"{2", .invalidSchema, "malformed"),
    Bad("root ::= \"a\"{-1}", .invalidSchema, "malformed"),
    Bad("root ::= \"a\"{3,2}", .invalidSchema, "above its maximum"),
    Bad("root ::= <think> .*", .unsupportedSchema, "'<think>'", "token", "in quotes"),
    Bad("root ::= !<[1000]>*", .unsupportedSchema, "'!<[1000]>'"),
    Bad("root ::= root \"a\" | \"b\"", .unsupportedSchema, "root → root", "c b*"),
    Bad(
      "root ::= a\na ::= b \"x\" | \"y\"\nb ::= c\nc ::= a \"z\" | \"q\"", .unsupportedSchema,
      "a → b → c → a", "line 2"),
    Bad(
      "root ::= \"s\" a\na ::= e f? a \"x\" | \"y\"\ne ::= \"\" | \"e\"\nf ::= \"f\"",
      .unsupportedSchema, "a → a"),
    Bad(
      "root ::= \"s\" | a*\na ::= \"\"{3} (b)+\nb ::= a | \"q\"", .unsupportedSchema,
      "a → b → a"),
    Bad("root ::= \"a\" root", .invalidSchema, "'root'", "no finite text"),
    Bad("root ::= \"a\" | x\nx ::= y+\ny ::= \"(\" x \")\"", .invalidSchema, "'x'", "line 2"),
    Bad("root ::= \"a\"{1,1000000}", .schemaTooComplex, "100000 repetitions", "column 16"),
    Bad("root ::= \"a\"?*?*?*?*?*", .schemaTooComplex, "repetitions of one item"),
    Bad(
      "root ::= " + String(repeating: "(", count: 5_000) + "\"a\"", .schemaTooComplex,
      "parentheses inside each other"),
  ]

  @Test("what is wrong is told with its place and a fix", arguments: bad)
  func errors(bad: Bad) {
    let error = #expect(throws: FoveaError.self) { try RuleMachine(gbnf: bad.grammar) }
    #expect(error?.code == bad.code)
    #expect(error?.fix != nil)
    let line = error?.description ?? ""
    for text in bad.says { #expect(line.contains(text), "\(line)") }
    #expect(line.count < 400)
  }

  @Test("the deepest grammar that is taken fits the small stack of a thread")
  func deep() throws {
    let depth = GBNFParser.deepestNesting
    let grammar =
      "root ::= " + String(repeating: "(\"a\" | ", count: depth) + "\"b\""
      + String(repeating: ")*", count: depth)
    // 512 kB, as Apple's systems give to every thread but the first.
    let outcome = Outcome()
    let thread = Thread {
      outcome.machine = Result { try RuleMachine(gbnf: grammar) }
      outcome.isDone.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    outcome.isDone.wait()
    let machine = try #require(try outcome.machine?.get())
    #expect(StackRecognizer(machine).accepts("aabab".utf8))
  }

  // Sendable: written before the semaphore is signalled, read after it was waited for.
  private final class Outcome: @unchecked Sendable {
    let isDone = DispatchSemaphore(value: 0)
    var machine: Result<RuleMachine, any Error>?
  }

  @Test("a damaged grammar is an error or another grammar, never a crash")
  func damage() throws {
    let text = Array(Self.samples.map(\.grammar).joined(separator: "\n").unicodeScalars)
    var generator = SeededGenerator(seed: 7)
    let pieces = Array("\"[]{}()|*+?<>!:=\\-^#\n .,0aé".unicodeScalars)
    var errors = 0
    for _ in 0..<500 {
      let start = Int.random(in: 0..<text.count - 60, using: &generator)
      var part = Array("root ::= ".unicodeScalars) + text[start..<start + 60]
      for _ in 0..<3 {
        let place = Int.random(in: 0..<part.count, using: &generator)
        part[place] = try #require(pieces.randomElement(using: &generator))
      }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: part)
      do throws(FoveaError) {
        let machine = try RuleMachine(gbnf: String(view))
        #expect(machine.faults.isEmpty, "\(String(view))")
      } catch {
        errors += 1
      }
    }
    #expect(errors > 100)
  }

  @Test("every range of characters becomes exactly its UTF-8")
  func characterRanges() {
    var generator = SeededGenerator(seed: 3)
    let edges: [UInt32] = [
      0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF, 0xE9, 0x1000,
    ]
    for _ in 0..<150 {
      let ends = (0..<4).map { _ in
        let edge = edges.randomElement(using: &generator) ?? 0
        let moved = Int(edge) + Int.random(in: -2...2, using: &generator)
        return UInt32(min(max(0, moved), 0x10FFFF))
      }.sorted()
      let set = CharacterRanges([ends[0]...ends[1], ends[2]...ends[3]])
      let inverted = set.inverted
      let (bytes, others) = (set.byteSequences, inverted.byteSequences)
      for value in Set(ends + edges + ends.map { $0 &+ 1 } + edges.map { $0 &- 1 }) {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let text = Array(String(scalar).utf8)
        func matches(_ sequences: [[ClosedRange<UInt8>]]) -> Int {
          sequences.filter { sequence in
            sequence.count == text.count && zip(sequence, text).allSatisfy { $0.contains($1) }
          }.count
        }
        let isIn = (ends[0]...ends[1]).contains(value) || (ends[2]...ends[3]).contains(value)
        #expect(matches(bytes) == (isIn ? 1 : 0), "\(value) in \(set.ranges)")
        #expect(matches(others) == (isIn ? 0 : 1), "\(value) not in \(set.ranges)")
      }
    }
  }
}
