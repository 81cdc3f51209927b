import FoveaTestSupport
import Testing

@testable import Fovea

/// Masks of rules, choices and patterns against a recognizer that shares nothing with them.
@Suite("Grammars of rules")
struct RuleGrammarTests {
  static let grammars = [
    #"root ::= "a" | "ab" | "b""#, #"root ::= [a-c]+ "1""#,
    "root ::= \"(\" root \")\" | \"a\"",
    "root ::= item (\",\" item)*\nitem ::= [0-9]{1,3} | \"-\" item",
    "root ::= expr\nexpr ::= term ([-+] term)*\nterm ::= \"a\" | \"(\" expr \")\"",
    "root ::= x x\nx ::= \"a\" | \"aa\" | \"b\" x", #"root ::= [^"\\名] [é-ü]* "😀"?"#,
    "root ::= \"\\\"\" [^\"]* \"\\\"\" | \"null\"",
    "root ::= a | b\na ::= \"x\" a | \"x\"\nb ::= \"x\" b | \"xy\"",
  ]

  @Test(arguments: grammars)
  func masksAreTheRecognizers(text: String) throws {
    let machine = try RuleMachine(gbnf: text)
    let grammar = Grammar(machine: machine)
    let recognizer = StackRecognizer(machine)
    let vocabulary = Vocabulary.awkward
    let matcher = GrammarMatcher(
      grammar: grammar, trie: GrammarMatcherTests.trie, vocabulary: vocabulary)
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<8 {
      matcher.reset()
      var here = recognizer.start
      for _ in 0..<12 where !matcher.isFinished {
        let mask = try matcher.allowedTokens()
        var expected = TokenMask(count: vocabulary.count)
        for (index, piece) in vocabulary.pieces.enumerated() where !piece.isEmpty {
          let token = TokenID(index)
          if vocabulary.endTokens.contains(token) { continue }
          if recognizer.step(here, piece) != StackRecognizer.dead { expected.insert(token) }
        }
        if recognizer.isComplete(here) {
          for token in vocabulary.endTokens { expected.insert(token) }
        }
        #expect(mask == expected, "\(text) after \(String(decoding: matcher.text, as: UTF8.self))")
        #expect(matcher.isComplete == recognizer.isComplete(here))
        #expect(matcher.shortestCompletion == recognizer.shortestCompletion(here))
        let allowed = mask.tokens.filter { !vocabulary.endTokens.contains($0) }
        guard let token = allowed.randomElement(using: &generator) else { break }
        try matcher.accept(token)
        here = recognizer.step(here, vocabulary.pieces[Int(token)])
      }
    }
  }

  @Test func tooManyReadingsAreAnError() throws {
    // After n letters each way to cut them into pieces of one and two is a reading of its own,
    // because each piece must be closed again.
    let machine = try RuleMachine(
      gbnf: "root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"aa\" root \"d\" | \"e\"")
    let matcher = GrammarMatcher(
      grammar: Grammar(machine: machine), trie: GrammarMatcherTests.trie, vocabulary: .awkward)
    let error = #expect(throws: FoveaError.self) {
      for _ in 0..<40 {
        _ = try matcher.allowedTokens()
        try matcher.accept(TokenID(UInt8(ascii: "a")))
      }
    }
    #expect(error?.code == .schemaTooComplex)
  }
}
