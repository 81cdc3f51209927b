package import Fovea

extension Vocabulary {
  /// The 256 single bytes, and an end token: with it a matcher is a plain automaton.
  package static let bytes = Vocabulary(
    pieces: (0...255).map { [UInt8($0)] } + [[]], endTokens: [256])

  /// Every string of one to `length` letters of `alphabet`, and one end token, the last.
  package static func everyString(upTo length: Int, over alphabet: String) -> Vocabulary {
    let letters = Array(alphabet.utf8)
    var pieces: [[UInt8]] = []
    var last: [[UInt8]] = [[]]
    for _ in 0..<length {
      last = last.flatMap { start in letters.map { start + [$0] } }
      pieces += last
    }
    pieces.append([])
    return Vocabulary(pieces: pieces, endTokens: [TokenID(pieces.count - 1)])
  }

  /// All 256 single bytes (twice: some models have twins), what spans the parts of JSON, pieces
  /// of characters, an unused entry in the middle, and an end token with text of its own.
  package static let awkward: Vocabulary = {
    var pieces = (0...255).map { [UInt8($0)] }
    pieces.append([])
    pieces += (0...255).map { [UInt8($0)] }
    let texts = [
      "\",\"", "\"}", "\"}]", "}]", "\":[{\"", "\":\"", "\":", ",\"", "{\"", "[{", "},{", "\"},{\"",
      "\"]", "],", "[[", "]]", "[]", "{}", "null", "true", "false", "nu", "ll", ",null", "-1", "12",
      "0.", ".5", "00", "99", "10", "2024", "-02-", "29\"", "T00:", ":00Z", "ab", "abc", " ", "  ",
      ", ", ": ", "\": ", "\n", "\n  ", "\\u", "\\\"", "\\n", "\\ud83d", "\\ude00", "d83d", "\\\\",
      "é", "名前", "名", "😀", "😀😀", "a😀\"", "é\",\"", "\u{7F}", "\t", "a\"b", "\"\"", "\",\"\"",
    ]
    pieces += texts.map { Array($0.utf8) }
    // The pieces of one character that byte-level vocabularies have, and what never fits.
    pieces += [
      [0xE5, 0x90], [0x8D], [0x90, 0x8D], [0xF0, 0x9F], [0x98, 0x80], [0x9F, 0x98, 0x80, 0x22],
      [0x61, 0xF0, 0x9F], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
      [0x80, 0x22, 0x7D],
    ]
    pieces.append(Array("</s>".utf8))
    return Vocabulary(pieces: pieces, endTokens: [TokenID(pieces.count - 1)])
  }()

  /// `count` pieces put together from fragments of JSON, after all single bytes.
  package static func random(
    count: Int, fragments: [String], using generator: inout SeededGenerator
  ) -> Vocabulary {
    var pieces = (0...255).map { [UInt8($0)] }
    while pieces.count < count {
      var piece: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        piece += Array((fragments.randomElement(using: &generator) ?? "a").utf8)
      }
      // A cut anywhere leaves parts of characters.
      if Int.random(in: 0..<4, using: &generator) == 0 {
        piece.removeFirst(Int.random(in: 0..<piece.count, using: &generator))
      }
      pieces.append(piece)
    }
    pieces.append([])
    return Vocabulary(pieces: pieces, endTokens: [TokenID(pieces.count - 1)])
  }
}
