import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("UTF-8 assembly")
struct UTF8AssemblerTests {
  static let samples = [
    "", "abc", "é", "東京", "😸", "a😸é歪z", "👩‍👩‍👧",
    "\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}",
  ]

  @Test("every way to cut a text gives the same text", arguments: samples)
  func cuts(text: String) {
    let bytes = Array(text.utf8)
    for size in 1...5 {
      var assembler = UTF8Assembler()
      var result = ""
      for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = assembler.append(Array(bytes[start..<min(start + size, bytes.count)]))
        #expect(!piece.unicodeScalars.contains("\u{FFFD}"))
        result += piece
      }
      result += assembler.finish()
      #expect(Array(result.utf8) == bytes)
    }
  }

  @Test("a character comes when its last byte does, not before")
  func waits() {
    var assembler = UTF8Assembler()
    #expect(assembler.append([0xF0]).isEmpty)
    #expect(assembler.append([0x9F, 0x98]).isEmpty)
    #expect(assembler.append([0xB8, 0x41]) == "😸A")
  }

  @Test("any bytes at all give what String gives for the whole")
  func anyBytes() {
    var random = SeededGenerator(seed: 7)
    // Bytes near the borders of UTF-8's ranges are the interesting ones.
    let pool: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
      0xED,
      0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        pool.randomElement(using: &random) ?? 0
      }
      var assembler = UTF8Assembler()
      var result = ""
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...3, using: &random))
        result += assembler.append(Array(bytes[start..<end]))
        start = end
      }
      result += assembler.finish()
      #expect(result == String(decoding: bytes, as: UTF8.self), "bytes \(bytes)")
    }
  }

  @Test("a text that ends inside a character says so")
  func danglingEnd() {
    var assembler = UTF8Assembler()
    #expect(assembler.append([0x41, 0xE6, 0x9D]) == "A")
    #expect(assembler.finish() == "\u{FFFD}")
    #expect(assembler.finish().isEmpty)
  }
}
