import FoveaTestSupport
import Testing

@testable import Fovea

/// Subtrees that are passed over because their bytes stay in a loop hold what looking at each token
/// finds.
@Suite("Loops of states")
struct LoopStatesTests {
  static let patterns = [
    "", "^[a-z]*$", #"^(\S+\s)*\S+$"#, "/api/v1", "^[^é]*$", "^[^\\u2003]*$", "^[0-9a-f]*z?$",
    "^\\p{L}*$", "^(ab|名)*$", "^[a-zA-Z0-9]{3,9}$", #"^"?[^"]*\\?$"#, "^[^\\x00-\\x1f]*$",
    "^[\\u{10000}-\\u{10ffff}a]*$", "^(.{2})*$",
  ]

  /// Pieces of one to six parts, some of which are no UTF-8.
  private static func vocabulary(seed: UInt64) -> Vocabulary {
    var generator = SeededGenerator(seed: seed)
    let parts: [[UInt8]] =
      [
        "a", "b", "z", "G", "0", "9", " ", "/", "é", "名", "😀", "\u{2003}", "\\n", "\\u001f", "\"",
        "~",
      ]
      .map { Array($0.utf8) } + [
        [0x80], [0xC3], [0xE5, 0x90], [0xF0, 0x9F], [0xFF], [0xED, 0xA0],
      ]
    let pieces = (0..<800).map { _ in
      (0..<Int.random(in: 1...6, using: &generator)).flatMap { _ in
        parts.randomElement(using: &generator) ?? []
      }
    }
    return Vocabulary(pieces: pieces, endTokens: [])
  }

  @Test(arguments: patterns, [1, 2] as [UInt64])
  func walksAreTheSameWithAndWithoutThem(pattern: String, seed: UInt64) throws {
    let pieces = Self.vocabulary(seed: seed).pieces
    let order = pieces.indices.sorted { pieces[$0].lexicographicallyPrecedes(pieces[$1]) }
    let plain = FlatTrie(sorted: order.map { TokenID($0) }, pieces: pieces)
    var noting = plain
    noting.noteBytesBelow()

    var table = MachineTable.base.table
    let first = UInt32(table.states.count)
    _ = table.append(text: try TextLanguage.pattern(pattern), role: .text, detail: 0)
    var loops = LoopStates()
    var passed = 0
    for start in first..<UInt32(table.states.count) {
      var expected: [TokenID: UInt32] = [:]
      plain.walkStates(from: start, in: table, loops: &loops) { visit, _, state, _ in
        if case .inside(let range) = visit {
          for index in range { expected[plain.tokens[index]] = state }
        }
        return true
      }
      var found: [TokenID: UInt32] = [:]
      noting.walkStates(from: start, in: table, loops: &loops) { visit, _, state, _ in
        switch visit {
        case .inside(let range): for index in range { found[noting.tokens[index]] = state }
        case .loop(let range):
          passed += range.count
          for index in range {
            let token = noting.tokens[index]
            // Within a character the state is another one.
            found[token] = expected[token].map { table.states[Int($0)].isBoundary ? state : $0 }
          }
        case .closed: break
        }
        return true
      }
      #expect(found == expected, "\(pattern), state \(start - first)")
    }
    if ["", #"^(\S+\s)*\S+$"#, "/api/v1", "^[^é]*$"].contains(pattern) { #expect(passed > 0) }
  }
}
