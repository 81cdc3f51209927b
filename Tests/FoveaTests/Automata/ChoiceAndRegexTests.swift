import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Choices and regular expressions as machines")
struct ChoiceAndRegexTests {
  @Test("a choice is its texts, byte for byte")
  func choice() throws {
    let texts = ["yes", "no", "yes, please", "no", "", "e\u{301}", "naïve"]
    let machine = try RuleMachine(choice: texts)
    #expect(machine.faults.isEmpty, "\(machine.faults)")
    let recognizer = StackRecognizer(machine)
    for text in texts { #expect(recognizer.accepts(text.utf8), "\(text)") }
    for text in ["ye", "yes,", "nono", "é", "n"] {
      #expect(!recognizer.accepts(text.utf8), "\(text)")
    }
    #expect(recognizer.shortestCompletion(recognizer.step(recognizer.start, "yes,".utf8)) == 7)
  }

  @Test("a choice among nothing, and among too much")
  func badChoices() {
    let none = #expect(throws: FoveaError.self) { try RuleMachine(choice: []) }
    #expect(none?.code == .invalidArgument)
    let many = (0..<2).map { String(repeating: "\($0)", count: 60_000) }
    let tooMany = #expect(throws: FoveaError.self) { try RuleMachine(choice: many) }
    #expect(tooMany?.code == .schemaTooComplex)
  }

  @Test("a deterministic automaton keeps its language")
  func automaton() throws {
    let language = try DFA.words(["ab", "ac", "b", "bcc"].map { Array($0.utf8) })
    let machine = RuleMachine(language)
    #expect(machine.faults.isEmpty, "\(machine.faults)")
    let recognizer = StackRecognizer(machine)
    for text in everyText(over: "abc", upTo: 4) {
      #expect(recognizer.accepts(text) == language.accepts(text))
    }
    #expect(RuleMachine(DFA.empty) == RuleMachine(states: [RuleMachine.dead], start: 0))
  }

  @Test(
    "a regular expression matches whole texts",
    .enabled(if: !TextLanguage.all.isEmpty, "patterns are not compiled in this tree yet"))
  func regex() throws {
    let samples = [
      (#"[A-Z]{3}-\d{2}"#, ["ABC-01"], ["ABC-0", "xABC-01", "ABC-012", ""]),
      ("a|bc", ["a", "bc"], ["ac", "ab", "abc", "xa"]), ("^a$|b", ["a", "b"], ["ab", "xb"]),
      ("(é|東)+", ["é東é"], ["e", ""]),
    ]
    for (pattern, yes, no) in samples {
      let recognizer = StackRecognizer(try RuleMachine(regex: pattern))
      for text in yes { #expect(recognizer.accepts(text.utf8), "\(pattern): \(text)") }
      for text in no { #expect(!recognizer.accepts(text.utf8), "\(pattern): \(text)") }
    }
    // The first would be a pattern inside of parentheses, the last matches nothing.
    for pattern in ["a)|(b", "(", "a\\", "a^b"] {
      let error = #expect(throws: FoveaError.self) { try RuleMachine(regex: pattern) }
      #expect(error?.message.contains("\"\(pattern)\"") == true)
    }
  }
}
