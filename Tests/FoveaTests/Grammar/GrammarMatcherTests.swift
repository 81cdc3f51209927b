import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Grammar matcher")
struct GrammarMatcherTests {
  static let trie = TokenTrie(Vocabulary.awkward)

  static func matcher(
    _ schema: Schema, _ whitespace: Grammar.Whitespace = .compact
  ) throws -> GrammarMatcher {
    GrammarMatcher(
      grammar: try Grammar(schema, whitespace: whitespace), trie: trie, vocabulary: .awkward)
  }

  static func token(_ text: String) -> TokenID {
    TokenID(Vocabulary.awkward.pieces.firstIndex(of: Array(text.utf8)) ?? -1)
  }

  static func write(_ text: String, _ matcher: GrammarMatcher) throws {
    for byte in text.utf8 { try matcher.accept(TokenID(byte)) }
  }

  static let end = Vocabulary.awkward.endTokens[0]

  @Test func finishesWithTheLastByte() throws {
    let matcher = try Self.matcher(Schema(.object([.init("a", GrammarSamples.integer(0, 9))])))
    try Self.write(#"{"a":1"#, matcher)
    #expect(!matcher.isFinished)
    #expect(try !matcher.allowedTokens().contains(Self.end))
    try matcher.accept(Self.token("}"))
    #expect(matcher.isFinished)
    #expect(String(decoding: matcher.text, as: UTF8.self) == #"{"a":1}"#)
    // One step past the end is an error, not a crash.
    #expect(try matcher.allowedTokens().tokens == [Self.end])
    #expect(throws: FoveaError.self) { try matcher.accept(Self.token("}")) }
    try matcher.accept(Self.end)
    #expect(matcher.isFinished)
  }

  @Test func aBareNumberEndsWithAnEndToken() throws {
    let matcher = try Self.matcher(GrammarSamples.integer(0, 120))
    #expect(try !matcher.allowedTokens().contains(Self.end))
    try matcher.accept(Self.token("12"))
    #expect(!matcher.isFinished)
    #expect(matcher.isComplete)
    let mask = try matcher.allowedTokens()
    #expect(mask.contains(Self.end))
    #expect(mask.contains(Self.token("0")))
    #expect(!mask.contains(Self.token("1")))
    let before = matcher.snapshot()
    try matcher.accept(Self.end)
    #expect(matcher.isFinished)
    #expect(matcher.shortestCompletion == 0)
    #expect(matcher.forcedBytes().isEmpty)
    #expect(throws: FoveaError.self) { try matcher.accept(Self.token("0")) }
    matcher.restore(before)
    try matcher.accept(Self.token("0"))
    #expect(matcher.isFinished)
  }

  @Test func aForbiddenTokenChangesNothing() throws {
    let matcher = try Self.matcher(GrammarSamples.list(GrammarSamples.text(1)))
    try Self.write(#"["a"#, matcher)
    let mask = try matcher.allowedTokens()
    let here = matcher.configuration
    let count = TokenID(Vocabulary.awkward.count)
    for token in -1...count where token < 0 || token == count || !mask.contains(token) {
      let error = #expect(throws: FoveaError.self) { try matcher.accept(token) }
      #expect(error?.code == (token < 0 || token == count ? .invalidArgument : .engineFailed))
      #expect(matcher.configuration == here)
      #expect(matcher.text == Array(#"["a"#.utf8))
      #expect(try matcher.allowedTokens() == mask)
    }
    // And every allowed token is accepted.
    let start = matcher.snapshot()
    for token in mask.tokens {
      matcher.restore(start)
      try matcher.accept(token)
    }
  }

  @Test func twinsAreAllAllowedAndEmptyPiecesNever() throws {
    let matcher = try Self.matcher(Schema(.object([])))
    let mask = try matcher.allowedTokens()
    let twins = Vocabulary.awkward.pieces.indices.filter {
      [Array("{".utf8), Array("{}".utf8)].contains(Vocabulary.awkward.pieces[$0])
    }
    #expect(mask.tokens == twins.map(TokenID.init))
    #expect(mask.count == 3)
    #expect(throws: FoveaError.self) { try matcher.accept(Self.token("")) }
  }

  @Test func theTextOfAnEndTokenIsNotText() throws {
    let matcher = try Self.matcher(GrammarSamples.text())
    try Self.write("\"", matcher)
    #expect(try !matcher.allowedTokens().contains(Self.end))
    #expect(throws: FoveaError.self) { try matcher.accept(Self.end) }
    try Self.write("</s>\"", matcher)
    #expect(matcher.isFinished)
  }

  @Test func snapshotsGoBackAndForward() throws {
    let matcher = try Self.matcher(GrammarSamples.receipt)
    var generator = SeededGenerator(seed: 5)
    var points: [(GrammarMatcher.Snapshot, TokenMask, Configuration, [UInt8])] = []
    _ = try RandomWalk().run(matcher, using: &generator) { mask in
      points.append((matcher.snapshot(), mask, matcher.configuration, matcher.text))
    }
    for (snapshot, mask, configuration, text) in points.shuffled(using: &generator) {
      matcher.restore(snapshot)
      #expect(try matcher.allowedTokens() == mask)
      #expect(matcher.configuration == configuration)
      #expect(matcher.text == text)
    }
    matcher.reset()
    #expect(matcher.text.isEmpty)
    #expect(try matcher.allowedTokens() == points[0].1)
  }

  @Test(arguments: GrammarSamples.all.map(\.name), GrammarSamples.whitespaces)
  func forcedBytesAreForced(name: String, whitespace: Grammar.Whitespace) throws {
    for sample in GrammarSamples.all where sample.name == name {
      let matcher = try Self.matcher(sample.schema, whitespace)
      var generator = SeededGenerator(seed: 3)
      var steps = 0
      _ = try RandomWalk(patience: 30).run(matcher, using: &generator) { _ in
        steps += 1
        if steps > 12 { return }
        var expected: [UInt8] = []
        let here = matcher.snapshot()
        while !matcher.isComplete {
          let point = matcher.snapshot()
          var possible: [UInt8] = []
          for byte in UInt8.min...UInt8.max where possible.count < 2 {
            matcher.restore(point)
            // A byte that is not allowed throws, which is the answer.
            if (try? matcher.accept(TokenID(byte))) != nil { possible.append(byte) }
          }
          matcher.restore(point)
          guard possible.count == 1 else { break }
          expected += possible
          try matcher.accept(TokenID(possible[0]))
        }
        matcher.restore(here)
        #expect(matcher.forcedBytes() == expected)
      }
    }
  }

  @Test func forcedBytesOfAnObject() throws {
    let matcher = try Self.matcher(GrammarSamples.receipt, .spaced)
    #expect(String(decoding: matcher.forcedBytes(), as: UTF8.self) == #"{"vendor": ""#)
    try Self.write(#"{"vendor": "x""#, matcher)
    #expect(String(decoding: matcher.forcedBytes(), as: UTF8.self) == #", "date": "#)
    let endless = try Self.matcher(GrammarSamples.list(Schema(.null), 1 << 30))
    #expect(endless.forcedBytes().count == GrammarMatcher.mostForcedBytes)
  }

  @Test func aVocabularyWithoutAByteIsNoticed() throws {
    let vocabulary = Vocabulary.everyString(upTo: 2, over: #"{}"a1"#)
    let trie = TokenTrie(vocabulary)
    #expect(trie.missingBytes.count == 256 - 5)
    let grammar = try Grammar(Schema(.object([.init("a", Schema(.boolean))])))
    let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
    for text in ["{\"", "a\""] {
      let token = vocabulary.pieces.firstIndex(of: Array(text.utf8)).map(TokenID.init) ?? -1
      try matcher.accept(token)
    }
    let error = #expect(throws: FoveaError.self) { try matcher.allowedTokens() }
    #expect(error?.code == .unsupportedByModel)
    #expect(error?.message.contains("3a") ?? false)
  }

  @Test func masksThatAreKeptComeBackAsTheyWere() throws {
    let count = Vocabulary.awkward.count
    var cache = MaskCache()
    var masks: [Configuration: TokenMask] = [:]
    var generator = SeededGenerator(seed: 2)
    for state in UInt32(0)..<100 {
      for base in [MaskCache.Base.nothing, .key, .text(2)] {
        let key = Configuration(state: state, count: UInt32(masks.count), frame: 0)
        var mask = Self.trie.mask(base) ?? TokenMask(count: count)
        for _ in 0..<20 { mask.insert(TokenID.random(in: 0..<TokenID(count), using: &generator)) }
        mask.remove(TokenID.random(in: 0..<TokenID(count), using: &generator))
        var found = TokenMask(count: count)
        #expect(cache.find(key, withGrowth: false, trie: Self.trie, into: &found) == nil)
        let note = MaskCache.Note(
          needsCorrection: state % 3 == 0, growth: state % 2 == 0 ? nil : Int(state))
        cache.insert(mask, base: base, note, trie: Self.trie, for: key)
        masks[key] = mask
      }
    }
    for (key, mask) in masks {
      var found = TokenMask(count: count)
      found.insert(3)
      let note = try #require(cache.find(key, withGrowth: false, trie: Self.trie, into: &found))
      #expect(found == mask)
      #expect(note.needsCorrection == (key.state % 3 == 0))
      #expect(note.growth == (key.state % 2 == 0 ? nil : Int(key.state)))
      let again = cache.find(key, withGrowth: true, trie: Self.trie, into: &found)
      #expect((again == nil) == (note.growth == nil))
    }
  }
}
