import FoveaTestSupport
import Testing

@testable import Fovea

/// Sets of code points, and which bytes are UTF-8.
@Suite("Code points and their UTF-8")
struct CodePointSetTests {
  @Test func algebra() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<50 {
      func random() -> CodePointSet {
        CodePointSet(
          (0..<4).map { _ in
            let low = UInt32.random(in: 0..<20, using: &generator)
            return CodePointSet.Range(
              low: low, high: low + UInt32.random(in: 0..<6, using: &generator))
          })
      }
      let (first, second) = (random(), random())
      for codePoint in 0...30 as ClosedRange<UInt32> {
        let (isFirst, isSecond) = (first.contains(codePoint), second.contains(codePoint))
        #expect(first.ranges.contains { $0.low <= codePoint && codePoint <= $0.high } == isFirst)
        #expect(first.union(second).contains(codePoint) == (isFirst || isSecond))
        #expect(first.complement.contains(codePoint) == !isFirst)
      }
      #expect(first.complement.complement == first)
      #expect(first.union(first.complement) == .any)
    }
    #expect(CodePointSet.any.complement.ranges.isEmpty)
    #expect(!CodePointSet.any.contains(0xD800))
    #expect(!CodePointSet.any.contains(0x110000))
  }

  @Test func properties() throws {
    let letters = try #require(CodePointSet.unicode("L"))
    let unassigned = try #require(CodePointSet.unicode("Cn"))
    let symbols = try #require(CodePointSet.unicode("Currency_Symbol"))
    let alphabetic = try #require(CodePointSet.unicode("Alphabetic"))
    for codePoint in stride(from: UInt32(0), through: 0x10FFFF, by: 7) {
      guard let scalar = Unicode.Scalar(codePoint) else { continue }
      let category = scalar.properties.generalCategory
      let isLetter = [
        .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      ].contains(category)
      let isRight =
        letters.contains(codePoint) == isLetter
        && unassigned.contains(codePoint) == (category == .unassigned)
        && symbols.contains(codePoint) == (category == .currencySymbol)
        && alphabetic.contains(codePoint) == scalar.properties.isAlphabetic
      if !isRight { Issue.record("\(scalar)") }
    }
    let parts = ["L", "M", "N", "P", "S", "Z", "C"].compactMap { CodePointSet.unicode($0) }
    #expect(parts.reduce(CodePointSet([])) { $0.union($1) } == .any)
    for name in ["", "l", "Script", "sc=Latn", "gc=", "gc=Script", "Emoji=Yes", "Latin"] {
      #expect(CodePointSet.unicode(name) == nil, "\(name)")
    }
  }

  @Test func everyCharacterIsAText() {
    for codePoint in stride(from: UInt32(0), through: 0x10FFFF, by: 3) {
      guard let scalar = Unicode.Scalar(codePoint) else { continue }
      if !TextLanguage.all.accepts(Array(UTF8.encode(scalar) ?? .init([0xFF]))) {
        Issue.record("\(codePoint)")
      }
    }
  }

  @Test func nothingElseIs() {
    // All sequences of bytes at the borders of the ranges in UTF-8's definition.
    let borders: [UInt8] = [
      0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
      0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var level: [[UInt8]] = [[]]
    for _ in 0..<4 {
      level = level.flatMap { text in borders.map { text + [$0] } }
      for text in level where level.count < 20_000 || text[0] >= 0xF0 {
        let isText = String(validating: text, as: UTF8.self) != nil
        if TextLanguage.all.accepts(text) != isText { Issue.record("\(text)") }
      }
    }
  }

  @Test func lengths() throws {
    let letters = ["a", "é", "€", "😀"]
    let texts = PatternLanguageTests.texts(upTo: 4, over: letters)
    for minimum in 0...3 {
      for maximum in [nil, 0, 1, 3] as [Int?] {
        let language = try TextLanguage.length(minimum: minimum, maximum: maximum)
        for text in texts {
          let count = text.unicodeScalars.count
          let isRight = count >= minimum && count <= maximum ?? .max
          if language.accepts(text.utf8) != isRight { Issue.record("\(minimum) \(maximum ?? -1)") }
        }
        #expect(!language.accepts([0xC3]))
      }
    }
    #expect(try TextLanguage.length(minimum: 0, maximum: nil) == TextLanguage.all)
    #expect(try TextLanguage.length(minimum: 2, maximum: 7) == TextLanguage.pattern("^[^]{2,7}$"))
    #expect(throws: AutomatonTooLarge.self) {
      try TextLanguage.length(minimum: 0, maximum: 1_000_000)
    }
  }

  @Test func complements() throws {
    let word = TextLanguage.exactly("né")
    let others = try TextLanguage.complement(word)
    #expect(word.accepts("né".utf8))
    #expect(!others.accepts("né".utf8))
    #expect(others.accepts("".utf8))
    #expect(others.accepts("né!".utf8))
    #expect(!others.accepts([0x6E, 0xC3]))
    #expect(try others.union(word) == TextLanguage.all)
    #expect(try TextLanguage.complement(TextLanguage.all) == .empty)
    #expect(TextLanguage.exactly("") == (try TextLanguage.length(minimum: 0, maximum: 0)))
  }
}
