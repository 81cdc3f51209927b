import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Tokens in keys with patterns")
struct KeyBodyTests {
  @Test(
    "the states behind all tokens that stay inside are known, also where no shorter token leads")
  func states() throws {
    let schema = try Schema(
      jsonSchema: #"{"type":"object","patternProperties":{"^x":{"type":"null"}}}"#)
    let grammar = try Grammar(schema)
    let vocabulary = Vocabulary(pieces: [Array("ab".utf8), Array("xyz".utf8)], endTokens: [])
    let trie = TokenTrie(vocabulary)
    var loops = LoopStates()
    let start = grammar.undeclared(try #require(grammar.objects.first).keyStart)
    let body = KeyBody(
      start: start, grammar: grammar, vocabulary: vocabulary, all: trie.all, loops: &loops)
    let reached = vocabulary.pieces.map { piece in
      piece.reduce(start) { grammar.table.next(grammar.table.states[Int($0)], $1) }
    }
    #expect(body.inside.tokens == [0, 1])
    #expect(body.states == Set(reached))
  }
}
