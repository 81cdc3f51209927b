import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Rule machines")
struct RuleMachineTests {
  /// Each is tried on every short text over `ab(é`, so it uses only these.
  static let grammars = [
    "root ::= \"\"",
    "root ::= | \"a\"",
    "root ::= \"ab\" | \"aé\" | \"a\"",
    "root ::= [ab]* \"a\" [ab]",
    "root ::= (\"a\"* \"b\"?)* \"(\"",
    "root ::= \"(\" root? \"a\"",
    "root ::= \"(\" root \"a\" | ",
    "root ::= list\nlist ::= \"a\" | \"a\" \"b\" list",
    "root ::= x x x\nx ::= (y | \"\") \"a\"?\ny ::= \"b\" y? \"b\"",
    "root ::= pair{2}\npair ::= \"a\" pair? \"b\"",
    "root ::= pair{,2}\npair ::= \"a\" pair? \"b\"",
    "root ::= pair{1,}\npair ::= \"a\" pair \"b\" | \"é\"",
    "root ::= x{0}\nx ::= \"a\" x | \"b\"",
    "root ::= \"a\"{3} | \"b\"{2,3} | \"(\"{,2} | \"é\"{1,}",
    "root ::= (\"a\"?){3,5} \"b\"",
    "root ::= ((\"a\" | \"b\")* \"(\")+",
    "root ::= a | b\na ::= \"a\" a? \"b\"\nb ::= \"a\" b? \"b\" \"b\"",
    "root ::= .{2} | [^ab]",
    "root ::= [^é] [é-é] .",
    "root ::= s\ns ::= \"a\" s \"a\" | \"b\" s \"b\" | \"a\" | \"b\" | ",
    "root ::= e\ne ::= t (\"b\" t)*\nt ::= \"a\" | \"(\" e \"(\"",
    "root ::= x | y\nx ::= \"a\" z\ny ::= \"a\" z \"b\"\nz ::= \"(\" z? \"(\"",
    "root ::= (x y?)*\nx ::= \"a\" root \"a\"\ny ::= \"b\"",
    "root ::= a\na ::= b\nb ::= c\nc ::= \"a\" a?",
  ]

  @Test("the machine's texts are the grammar's, each beginning included", arguments: grammars)
  func exhaustive(grammar: String) throws {
    let texts = everyText(over: "ab(é", upTo: 5)
    let language = BoundedLanguage(
      try GBNFParser.parse(grammar), alphabet: "ab(é", longest: 6)
    compare(try RuleMachine(gbnf: grammar), language, texts, grammar)
  }

  @Test("random grammars: the machine's texts are the grammar's, or left recursion is refused")
  func random() throws {
    let texts = everyText(over: "abé", upTo: 5)
    var compiled = 0
    var refused: [FoveaError.Code: Int] = [:]
    for seed in 0..<400 {
      var generator = RandomGrammar(seed: UInt64(seed))
      let text = generator.grammar()
      let grammar = try GBNFParser.parse(text)
      do throws(FoveaError) {
        let machine = try RuleMachine(gbnf: text)
        let language = BoundedLanguage(grammar, alphabet: "abé", longest: 6)
        compare(machine, language, texts, "seed \(seed): \(text)")
        compiled += 1
      } catch {
        refused[error.code, default: 0] += 1
        switch error.code {
        case .unsupportedSchema:
          #expect(RandomGrammar.isLeftRecursive(grammar), "seed \(seed): \(text)")
        case .invalidSchema:
          // Texts so long that none is short enough would count as none here.
          let language = BoundedLanguage(grammar, alphabet: "abé", longest: 6)
          #expect(language.texts.isEmpty || error.message.contains("no finite"), "seed \(seed)")
        default: Issue.record("seed \(seed): \(error)")
        }
      }
    }
    #expect(compiled > 100, "\(compiled) compiled")
    #expect(refused[.unsupportedSchema, default: 0] > 20, "\(refused)")
    #expect(refused[.invalidSchema, default: 0] > 5, "\(refused)")
  }

  @Test("loops and right recursion leave no frames")
  func constantStack() throws {
    let grammars = [
      "root ::= (\"a\" | pair)*\npair ::= \"(\" pair? \")\"",
      "root ::= \"a\" root | \"b\"",
      "root ::= x \"b\"\nx ::= \"a\" y\ny ::= \"\" | \"a\" | x",
    ]
    for grammar in grammars {
      let recognizer = StackRecognizer(try RuleMachine(gbnf: grammar))
      var configuration = recognizer.start
      var deepest = 0
      for _ in 0..<200 {
        configuration = recognizer.step(configuration, UInt8(ascii: "a"))
        deepest = max(deepest, recognizer.depth(configuration))
      }
      #expect(configuration != StackRecognizer.dead)
      #expect(deepest <= 3, "\(grammar)")
    }
  }

  @Test("a grammar without recursion is one deterministic automaton")
  func regular() throws {
    let machine = try RuleMachine(
      gbnf: """
        root ::= item ("," item)*
        item ::= word | number
        word ::= [a-z]+
        number ::= [0-9]{1,3}
        """)
    #expect(machine.states.allSatisfy { $0.calls.isEmpty })
    #expect(machine.states.count == 6, "dead, begin or after a comma, word, and 3 for numbers")
  }

  @Test("equal rules are one")
  func merging() throws {
    let once = try RuleMachine(
      gbnf: "root ::= \"(\" a \")\" | \"[\" a \"]\"\na ::= \"x\" a \"y\" | \"z\"")
    let twice = try RuleMachine(
      gbnf: """
        root ::= "(" a ")" | "[" b "]"
        a ::= "x" a "y" | "z"
        b ::= "z" | "x" b "y"
        """)
    #expect(once == twice)
  }

  @Test("where determinism is too dear, the machine follows several states at once")
  func forks() throws {
    // The n-th letter from the end is an a: 2^25 sets.
    let machine = try RuleMachine(gbnf: "root ::= [ab]* \"a\" [ab]{24}")
    #expect(machine.faults.isEmpty, "\(machine.faults.prefix(3))")
    let recognizer = StackRecognizer(machine)
    var generator = SeededGenerator(seed: 24)
    for _ in 0..<50 {
      let text = (0..<60).map { _ in
        Bool.random(using: &generator) ? UInt8(ascii: "a") : UInt8(ascii: "b")
      }
      #expect(recognizer.accepts(text) == (text[60 - 25] == UInt8(ascii: "a")))
    }
  }

  @Test("large repetitions compile or are refused, and never hang")
  func large() throws {
    let fine = [
      "root ::= [a-z]{0,20000}", "root ::= ([a-z]+ \" \"){2000}",
      "root ::= (\"a\"? \"b\"?){0,3000}", "root ::= x{1,1000} y{1,1000}\nx ::= .\ny ::= x x",
      "root ::= r0\n"
        + (0..<3_000).map { "r\($0) ::= r\($0 + 1) \"a\"?\n" }.joined() + "r3000 ::= \"b\"",
    ]
    for grammar in fine {
      let machine = try RuleMachine(gbnf: grammar)
      #expect(machine.states.count > 1)
    }
    let huge = [
      "root ::= \"a\"{1,1000000}", "root ::= (((\"a\"{1000}){1000}){1000}){1000}",
      "root ::= \"a\"{99999999999999999999}", "root ::= ([a-z]{60000} | [0-9]{60000}) \"x\"",
      "root ::= a{9}\na ::= b{9999}\nb ::= c{9999}\nc ::= \"x\"{9999}",
      (0..<200).map { "r\($0) ::= r\($0 + 1) r\($0 + 1)" }.joined(separator: "\n")
        + "\nr200 ::= \"a\"\nroot ::= r0",
    ]
    for grammar in huge {
      let error = #expect(throws: FoveaError.self) { try RuleMachine(gbnf: grammar) }
      #expect(error?.code == .schemaTooComplex, "\(grammar.prefix(60)): \(error?.message ?? "")")
      #expect(error?.fix != nil)
    }
  }
}
