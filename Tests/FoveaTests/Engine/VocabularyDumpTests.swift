import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// The reader of vocabularies that `fovea-vocabulary --dump` writes.
@Suite("Vocabulary dumps")
struct VocabularyDumpTests {
  private static let ends: UInt32 = 1 << 31

  private func dump(_ tokens: [(text: String, attributes: UInt32)]) -> Data {
    var data = Data()
    func add(_ word: UInt32) {
      for shift in stride(from: 0, to: 32, by: 8) {
        data.append(UInt8(word >> UInt32(shift) & 255))
      }
    }
    for word in [UInt32(tokens.count), 0, .max] { add(word) }
    for token in tokens {
      add(UInt32(token.text.utf8.count))
      add(token.attributes)
      data.append(contentsOf: token.text.utf8)
    }
    return data
  }

  @Test func tokensThatAreNeverTextHaveNoBytes() throws {
    let vocabulary = try Vocabulary(
      contentsOfDump: dump([
        ("a", 4), ("<s>", 8), ("<unk>", 1), ("b", 2), ("<unused7>", 16), ("[PAD3]", 16), ("<b", 16),
        ("</s>", 4 | Self.ends), ("é", 32), ("", 4),
      ]))
    #expect(
      vocabulary.pieces.map { String(decoding: $0, as: UTF8.self) }
        == ["a", "", "", "", "", "", "<b", "", "é", ""])
    #expect(vocabulary.endTokens == [7])
  }

  @Test func everyCutIsAnError() throws {
    let whole = dump([("ab", 4), ("c", 4)])
    for length in 0..<whole.count {
      #expect(throws: FoveaError.self) {
        try Vocabulary(contentsOfDump: whole.prefix(length))
      }
    }
    #expect(try Vocabulary(contentsOfDump: whole).count == 2)
  }
}
