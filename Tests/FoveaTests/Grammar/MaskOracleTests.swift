import FoveaTestSupport
import Testing

@testable import Fovea

/// The fast mask against the plain automaton, token by token.
@Suite("Mask equals brute force")
struct MaskOracleTests {
  /// Allowed tokens by running the bytes of each through an automaton that never clamps.
  static func bruteForce(_ grammar: Grammar, after text: [UInt8], _ vocabulary: Vocabulary)
    -> TokenMask
  {
    var automaton = ByteAutomaton(grammar, reach: 1 << 40)
    var here = automaton.start
    for byte in text { here = automaton.step(here, byte) }
    var mask = TokenMask(count: vocabulary.count)
    for (index, piece) in vocabulary.pieces.enumerated() {
      let token = TokenID(index)
      if vocabulary.endTokens.contains(token) {
        if automaton.isComplete(here) { mask.insert(token) }
        continue
      }
      if piece.isEmpty { continue }
      var next = here
      for byte in piece where !next.isDead { next = automaton.step(next, byte) }
      if !next.isDead { mask.insert(token) }
    }
    return mask
  }

  /// The texts of every configuration that at most `depth` bytes of the vocabulary reach.
  static func reachable(_ grammar: Grammar, within depth: Int, alphabet: [UInt8]) -> [[UInt8]] {
    var automaton = ByteAutomaton(grammar, reach: 1 << 40)
    var seen: Set<Configuration> = [automaton.start]
    var level: [(Configuration, [UInt8])] = [(automaton.start, [])]
    var texts: [[UInt8]] = [[]]
    for _ in 0..<depth {
      var next: [(Configuration, [UInt8])] = []
      for (configuration, text) in level {
        for byte in alphabet {
          let after = automaton.step(configuration, byte)
          if after.isDead || !seen.insert(after).inserted { continue }
          next.append((after, text + [byte]))
        }
      }
      texts += next.map(\.1)
      level = next
    }
    return texts
  }

  func compare(
    _ name: String, _ schema: Schema, _ whitespace: Grammar.Whitespace, _ vocabulary: Vocabulary,
    _ trie: TokenTrie, depth: Int
  ) throws {
    let grammar = try Grammar(schema, whitespace: whitespace)
    let alphabet = Set(vocabulary.pieces.filter { $0.count == 1 }.map { $0[0] }).sorted()
    let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
    let single = alphabet.map { byte in
      vocabulary.pieces.firstIndex(of: [byte]).map(TokenID.init) ?? -1
    }
    for text in Self.reachable(grammar, within: depth, alphabet: alphabet) {
      matcher.reset()
      for byte in text { try matcher.accept(single[alphabet.firstIndex(of: byte) ?? 0]) }
      let expected = Self.bruteForce(grammar, after: text, vocabulary)
      if expected.count == 0 {
        #expect(throws: FoveaError.self) { try matcher.allowedTokens() }
        continue
      }
      let mask = try matcher.allowedTokens()
      if mask != expected {
        Issue.record("\(name), \(whitespace), after \(String(decoding: text, as: UTF8.self))")
        return
      }
    }
  }

  @Test(arguments: GrammarSamples.all.map(\.name))
  func everyStringOfThreeLetters(name: String) throws {
    let vocabulary = Vocabulary.everyString(upTo: 3, over: #"{}[]:,"a\10-."#)
    let trie = TokenTrie(vocabulary)
    for sample in GrammarSamples.all where sample.name == name {
      try compare(name, sample.schema, .compact, vocabulary, trie, depth: 7)
    }
  }

  @Test(arguments: ["list of 2...3 texts", "list of lists", "text 2...3", "any of all types"])
  func everyStringOfFiveLetters(name: String) throws {
    let vocabulary = Vocabulary.everyString(upTo: 5, over: #"[],"a1"#)
    let trie = TokenTrie(vocabulary)
    for sample in GrammarSamples.all where sample.name == name {
      try compare(name, sample.schema, .compact, vocabulary, trie, depth: 8)
    }
  }

  @Test(arguments: GrammarSamples.all.map(\.name), GrammarSamples.whitespaces)
  func awkwardVocabulary(name: String, whitespace: Grammar.Whitespace) throws {
    let vocabulary = Vocabulary.awkward
    let trie = TokenTrie(vocabulary)
    #expect(trie.missingBytes.isEmpty)
    for sample in GrammarSamples.all where sample.name == name {
      try compare(name, sample.schema, whitespace, vocabulary, trie, depth: 4)
    }
  }

  @Test(arguments: 0..<6)
  func randomVocabulariesAlongWalks(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let fragments = [
      "\"", "\",\"", "\":", "{\"", "}", "},{", "[", "]", ",", ":", "a", "aa", "名", "😀", "1", "0",
      ".", "-", "null", "name", "price", "items", "EUR", " ", "\\", "\\u", "d83d",
      "                                ", "12", "2024-02-",
    ]
    let vocabulary = Vocabulary.random(
      count: 2_000, fragments: fragments, using: &generator)
    let trie = TokenTrie(vocabulary)
    for (name, schema) in GrammarSamples.all {
      for whitespace in GrammarSamples.whitespaces {
        let grammar = try Grammar(schema, whitespace: whitespace)
        let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
        var agree = true
        var steps = 0
        _ = try RandomWalk(patience: 60).run(matcher, using: &generator) { mask in
          steps += 1
          if steps % 3 == 0 {
            agree =
              agree && mask == Self.bruteForce(grammar, after: matcher.text, vocabulary)
          }
        }
        #expect(agree, "\(name), \(whitespace): \(String(decoding: matcher.text, as: UTF8.self))")
      }
    }
  }
}
