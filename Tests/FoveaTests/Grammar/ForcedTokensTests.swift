import FoveaTestSupport
import Testing

@testable import Fovea

/// Forced text as the tokens that the model's tokenizer would have written.
@Suite("Forced tokens")
struct ForcedTokensTests {
  static let pieces = [
    "{\"", "order", "orderId", "orderName", "Id", "Name", "\":", "\"", "\":\"", "{", ":", "[", "x",
    "null", "}", "ab",
  ]
  static let vocabulary: Vocabulary = {
    let all = (0...255).map { [UInt8($0)] } + pieces.map { Array($0.utf8) } + [[]]
    return Vocabulary(pieces: all, endTokens: [TokenID(all.count - 1)])
  }()
  static let trie = TokenTrie(vocabulary)

  /// The longest token that fits, from the left.
  static func greedy(_ bytes: [UInt8]) -> [TokenID] {
    var result: [TokenID] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let fitting = vocabulary.pieces.indices.filter {
        !vocabulary.pieces[$0].isEmpty && rest.starts(with: vocabulary.pieces[$0])
      }
      guard
        let longest = fitting.max(by: { vocabulary.pieces[$0].count < vocabulary.pieces[$1].count })
      else { return result }
      result.append(TokenID(longest))
      rest = rest.dropFirst(vocabulary.pieces[longest].count)
    }
    return result
  }

  static func text(_ tokens: [TokenID]) -> [String] {
    tokens.map { String(decoding: vocabulary.pieces[Int($0)], as: UTF8.self) }
  }

  static func matcher(_ schema: String) throws -> GrammarMatcher {
    GrammarMatcher(
      grammar: try Grammar(Schema(jsonSchema: schema)), trie: trie, vocabulary: vocabulary)
  }

  @Test func allOfAClosedObject() throws {
    let matcher = try Self.matcher(
      #"{"type":"object","properties":{"orderId":{"type":"null"}},"required":["orderId"],"additionalProperties":false}"#
    )
    let tokens = try matcher.forcedTokens(after: [], tokenize: Self.greedy)
    #expect(Self.text(tokens) == ["{\"", "orderId", "\":", "null", "}"])
    for token in tokens { try matcher.accept(token) }
    #expect(matcher.isFinished)
    #expect(try matcher.forcedTokens(after: tokens, tokenize: Self.greedy).isEmpty)
  }

  @Test func whatMayGoOnIsLeftToTheModel() throws {
    let matcher = try Self.matcher(
      #"{"type":"object","properties":{"orderId":{"type":"null"},"orderName":{"type":"null"}},"minProperties":1,"additionalProperties":false}"#
    )
    #expect(String(decoding: matcher.forcedBytes(), as: UTF8.self) == #"{"order"#)
    let tokens = try matcher.forcedTokens(after: [], tokenize: Self.greedy)
    #expect(Self.text(tokens) == ["{\""])
    try matcher.accept(tokens[0])
    let names = ["orderId", "orderName", "order", "o"]
    #expect(Set(Self.text(try matcher.allowedTokens().tokens)) == Set(names))
  }

  @Test func aValueThatMayBeginInTheSameToken() throws {
    // `":` is forced, and `":"` may come.
    let matcher = try Self.matcher(
      #"{"type":"object","properties":{"order":{"type":["string","null"]}},"required":["order"],"additionalProperties":false}"#
    )
    let tokens = try matcher.forcedTokens(after: [], tokenize: Self.greedy)
    #expect(Self.text(tokens) == ["{\"", "order"])
  }

  @Test func tokensBeforeCountWhereTheyComeOutAsTheyWere() throws {
    let matcher = try Self.matcher(
      #"{"type":"object","properties":{"ab":{"type":"null"}},"required":["ab"],"additionalProperties":false}"#
    )
    // The tokenizer would have written the last token and the forced text as one token; the model
    // did not, and goes on with what is left.
    let brace = TokenID(UInt8(ascii: "{"))
    try matcher.accept(brace)
    #expect(
      Self.text(try matcher.forcedTokens(after: [brace], tokenize: Self.greedy))
        == ["\"", "ab", "\":", "null", "}"])
    // A prompt's last tokens that stay as they are do no harm.
    matcher.reset()
    let context = Self.greedy(Array("xx[".utf8))
    #expect(
      Self.text(try matcher.forcedTokens(after: context, tokenize: Self.greedy))
        == ["{\"", "ab", "\":", "null", "}"])
  }

  @Test func nothingIsForcedInAText() throws {
    let matcher = try Self.matcher(#"{"type":["string","null"]}"#)
    #expect(try matcher.forcedTokens(after: [], tokenize: Self.greedy).isEmpty)
  }

  /// What is forced stays forced token by token: each is what the model could write, and behind
  /// it the same text is still the only one.
  @Test(arguments: GrammarSamples.all.map(\.name))
  func onlyWhatIsCertain(name: String) throws {
    for sample in GrammarSamples.all where sample.name == name {
      let matcher = GrammarMatcher(
        grammar: try Grammar(sample.schema), trie: Self.trie, vocabulary: Self.vocabulary)
      var generator = SeededGenerator(seed: 9)
      for _ in 0..<6 {
        matcher.reset()
        var tokens: [TokenID] = []
        while !matcher.isFinished, matcher.text.count < 60 {
          let forced = matcher.forcedBytes()
          let run = try matcher.forcedTokens(after: tokens, tokenize: Self.greedy)
          #expect(forced.starts(with: run.flatMap { Self.vocabulary.pieces[Int($0)] }))
          for token in run {
            try matcher.accept(token)
            tokens.append(token)
          }
          if matcher.isFinished { break }
          let allowed = try matcher.allowedTokens().tokens
          guard let token = allowed.randomElement(using: &generator) else { break }
          try matcher.accept(token)
          tokens.append(token)
        }
      }
    }
  }
}
