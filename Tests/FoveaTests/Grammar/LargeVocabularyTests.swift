import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// Masks of a vocabulary as large as real ones. Work is asserted as visited nodes, which are the
/// same on every machine; the times are printed for the reader of
/// `swift test -c release -Xswiftc -enable-testing --filter LargeVocabulary`.
@Suite("Large vocabulary")
struct LargeVocabularyTests {
  static let document = #"""
    {"vendor":"Café Construction & Söhne 名前","date":"2024-02-29","items":[\#
    {"name":"Reran tea (ground), 250 g","quantity":2,"price":14.50},\#
    {"name":"Cheese \"old\" from the mountain","quantity":12,"price":129.99},\#
    {"name":"Paper bag","quantity":1,"price":0.15},\#
    {"name":"Restoring of one ceramic pot","quantity":1,"price":1999.00}],\#
    "currency":"EUR","total":2559.03,"paid":true}
    """#

  @Test func aReceiptIsNarrowAndExact() throws {
    let clock = ContinuousClock()
    let vocabulary = Vocabulary.large()
    var trie = TokenTrie(Vocabulary(pieces: [], endTokens: []))
    let indexing = clock.measure { trie = TokenTrie(vocabulary) }
    let tokens = vocabulary.longestPieces(of: Self.document)
    let start = clock.now
    let grammar = try Grammar(GrammarSamples.receipt)
    let compiling = clock.now - start
    let compilingAgain = try clock.measure {
      for _ in 0..<20 { _ = try Grammar(GrammarSamples.receipt) }
    }

    let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
    var times: [Duration] = []
    var warm: [Duration] = []
    for round in 0..<20 {
      matcher.reset()
      for (index, token) in tokens.enumerated() {
        let before = clock.now
        let mask = try matcher.allowedTokens()
        (round == 0) ? times.append(clock.now - before) : warm.append(clock.now - before)
        if round == 0, index % 8 == 0 {
          #expect(
            mask == MaskOracleTests.bruteForce(grammar, after: matcher.text, vocabulary))
        }
        try matcher.accept(token)
      }
      #expect(matcher.isFinished)
    }
    #expect(matcher.text == Array(Self.document.utf8))
    let masks = times.count + warm.count
    // Far fewer than the 250,000 nodes of the trie.
    #expect(matcher.visitedNodes / masks < 1_500)
    func microseconds(_ durations: [Duration]) -> String {
      let values = durations.map { Double($0.components.attoseconds) / 1e12 }.sorted()
      let mean = values.reduce(0, +) / Double(values.count)
      let shown = [
        mean, values[values.count / 2], values[values.count * 99 / 100], values.last ?? 0,
      ]
      return shown.map { String(format: "%.1f", $0) }.joined(separator: " / ")
    }
    print(
      """
      large vocabulary: \(vocabulary.count) tokens indexed in \(indexing), grammar of \
      \(grammar.stateCount) states in \(compiling), again \(compilingAgain / 20), \(tokens.count) masks: mean / median / 99 % \
      / most us first \(microseconds(times)), again \(microseconds(warm)); \
      \(matcher.visitedNodes / masks) nodes a mask
      """)
  }
}
