import FoveaTestSupport
import Testing

@testable import Fovea

/// Limits of tokens on masks, over a vocabulary with tokens of many bytes.
@Suite("Grammar matcher with a limit of tokens")
struct GrammarBudgetTests {
  private static let trie = GrammarMatcherTests.trie

  private static func end(_ matcher: GrammarMatcher, after limit: Int, seed: UInt64) throws -> Int {
    var generator = SeededGenerator(seed: seed)
    let ends = Set(Vocabulary.awkward.endTokens)
    matcher.limit(toTokens: limit)
    var count = 0
    while !matcher.isFinished, count < limit {
      let text = String(decoding: matcher.text, as: UTF8.self)
      let allowed = try #require(
        try? matcher.allowedTokens().tokens,  // a dead end is what this test looks for
        "no token after \(text) with \(limit - count) of \(limit) left, seed \(seed)")
      let token = allowed[Int.random(in: 0..<allowed.count, using: &generator)]
      try matcher.accept(token)
      if !ends.contains(token) { count += 1 }
    }
    return count
  }

  @Test(
    "any choice of tokens gets to the end within any limit from the shortest text on",
    arguments: GrammarSamples.all.map(\.name), GrammarSamples.whitespaces)
  func closes(name: String, whitespace: Grammar.Whitespace) throws {
    let schema = try #require(GrammarSamples.all.first { $0.name == name }?.schema)
    let matcher = try GrammarMatcherTests.matcher(schema, whitespace)
    let shortest = matcher.shortestCompletion
    for limit in shortest..<shortest + 12 {
      matcher.reset()
      _ = try Self.end(matcher, after: limit, seed: UInt64(limit))
      let text = String(decoding: matcher.text, as: UTF8.self)
      #expect(matcher.isComplete, "\(limit): \(text)")
      #expect(throws: Never.self) { try JSONValue(parsing: text) }
    }
  }

  @Test("with less than the shortest text each token brings the end nearer")
  func closesInTime() throws {
    let matcher = try GrammarMatcherTests.matcher(GrammarSamples.receipt)
    let shortest = matcher.shortestCompletion
    for limit in stride(from: 1, to: shortest, by: 7) {
      matcher.reset()
      matcher.limit(toTokens: limit)
      var generator = SeededGenerator(seed: UInt64(limit))
      var missing = shortest
      for left in stride(from: limit, to: 0, by: -1) where !matcher.isFinished {
        let allowed = try matcher.allowedTokens().tokens
        try matcher.accept(allowed[Int.random(in: 0..<allowed.count, using: &generator)])
        if missing > left { #expect(matcher.shortestCompletion < missing) }
        missing = matcher.shortestCompletion
      }
    }
  }

  @Test("reset lifts the limit, and what was masked under it leaves no trace")
  func resets() throws {
    let matcher = try GrammarMatcherTests.matcher(GrammarSamples.receipt)
    let fresh = try GrammarMatcherTests.matcher(GrammarSamples.receipt)
    _ = try Self.end(matcher, after: matcher.shortestCompletion + 3, seed: 1)
    #expect(matcher.isTruncatedByBudget)
    matcher.reset()
    #expect(!matcher.isTruncatedByBudget)
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<60 where !fresh.isFinished {
      let mask = try fresh.allowedTokens()
      #expect(try matcher.allowedTokens() == mask)
      let token = try #require(mask.tokens.randomElement(using: &generator))
      try fresh.accept(token)
      try matcher.accept(token)
    }
    #expect(matcher.isReusable)
  }

  @Test("a matcher whose situations have become many is not kept")
  func wearsOut() throws {
    let schema = try Schema(
      jsonSchema: #"{"type":"array","items":{"type":"string"},"uniqueItems":true}"#)
    let matcher = try GrammarMatcherTests.matcher(schema)
    #expect(matcher.isReusable)
    try GrammarMatcherTests.write("[\"" + String(repeating: "x", count: 1 << 17), matcher)
    #expect(!matcher.isReusable)
  }
}
