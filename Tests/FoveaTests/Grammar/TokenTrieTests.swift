import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Token trie")
struct TokenTrieTests {
  @Test func whatStaysInsideAString() {
    let texts = ["a", "ab", "é", "名前", "a\"", "\\", "\n", "😀", " ", "\u{7F}", "\\n"]
    let pieces = texts.map { Array($0.utf8) } + [[], [0xE5, 0x90], [0x80], [0xED, 0xA0, 0x80]]
    let trie = TokenTrie(Vocabulary(pieces: pieces, endTokens: []))
    // A piece that ends within a character needs room for it, as if it were whole.
    #expect(trie.text.inside(room: nil)?.tokens == [0, 1, 2, 3, 5, 7, 8, 9, 10, 12])
    #expect(trie.text.inside(room: 5)?.tokens == [0, 1, 2, 3, 5, 7, 8, 9, 10, 12])
    #expect(trie.text.inside(room: 1)?.tokens == [0, 2, 5, 7, 8, 9, 10, 12])
    #expect(trie.text.inside(room: 0)?.tokens == nil)
    #expect(trie.longestPiece == 6)
  }

  @Test func emptyVocabulariesAndPiecesBeyondTheLimit() throws {
    let grammar = try Grammar(GrammarSamples.text())
    for pieces in [[], [[]], [[UInt8](repeating: 0x22, count: 5_000)]] as [[[UInt8]]] {
      let vocabulary = Vocabulary(pieces: pieces, endTokens: [])
      let trie = TokenTrie(vocabulary)
      #expect(trie.missingBytes.count == 256)
      let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
      #expect(throws: FoveaError.self) { try matcher.allowedTokens() }
      #expect(throws: FoveaError.self) { try matcher.accept(0) }
    }
  }

  @Test func byteSetsHoldWhatWasInserted() {
    var set = ByteSet()
    for byte: UInt8 in 0x3F...0x41 { set.insert(byte) }
    set.insert(0)
    set.insert(0x80)
    for byte: UInt8 in 0xC0...0xFF { set.insert(byte) }
    let expected = [0] + Array(UInt8(0x3F)...0x41) + [0x80] + Array(UInt8(0xC0)...0xFF)
    #expect(set.bytes == expected)
    #expect(set.count == expected.count)
    for byte in UInt8.min...UInt8.max { #expect(set.contains(byte) == expected.contains(byte)) }
  }
}
