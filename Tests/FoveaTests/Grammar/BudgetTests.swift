import FoveaTestSupport
import Testing

@testable import Fovea

/// A limit of tokens: the text is complete within it, and valid.
@Suite("Budget closing")
struct BudgetTests {
  static let schemas = [
    #"{"type":"integer"}"#, #"{"type":"number","minimum":10}"#, #"{"type":"string","minLength":3}"#,
    #"{"type":"string","pattern":"^(ab|c{4})+$","minLength":5}"#, #"{}"#,
    #"{"type":"array","items":{"type":"integer"},"minItems":3}"#,
    #"{"type":"array","items":{"type":"string"},"minItems":3,"uniqueItems":true}"#,
    #"{"type":"array","items":{"enum":["aaaa","b",1,null,true]},"minItems":4,"uniqueItems":true}"#,
    #"{"type":"array","items":{"type":"integer"},"contains":{"const":77},"minContains":2}"#,
    #"{"prefixItems":[{},{"type":"null"},{}],"items":false,"contains":{"const":"x"},"minItems":2}"#,
    #"{"type":"object","additionalProperties":{"type":"null"},"minProperties":3}"#,
    ##"{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":9},"ab":{"type":"null"},"b":{"type":"boolean"}},"required":["a"],"minProperties":3}"##,
    #"{"type":"object","properties":{"a":{},"b":{"const":"long value"},"c":{"type":"null"}},"dependentRequired":{"a":["b"],"c":["a"]},"minProperties":2}"#,
    #"{"type":"object","properties":{"a":{},"b":{}},"maxProperties":2,"required":["b"]}"#,
    #"{"type":"object","patternProperties":{"^x[0-9]$":{"type":"null"},"^y":{"const":12345}},"additionalProperties":false,"minProperties":2}"#,
    #"{"type":"object","properties":{"xa":{}},"propertyNames":{"pattern":"^(x.?|long)$"},"minProperties":3}"#,
    #"{"type":"object","properties":{"f\"o":{"type":"null"},"f\\":{"type":"boolean"}},"required":["f\"o"]}"#,
    // One token can lead from a short rest to a long one.
    #"{"type":"object","properties":{"a":{"type":"null"}},"minProperties":1,"additionalProperties":{"type":"string","minLength":30}}"#,
    #"{"type":"object","properties":{"xa":{"type":"null"}},"patternProperties":{"^x":{"type":"string","minLength":30},"^y":{"type":"null"}},"additionalProperties":false,"minProperties":1}"#,
    #"{"type":"string","pattern":"^(x|a[0-9]{30})*$"}"#,
    #"{"type":"string","pattern":"^(x|a[0-9]{30})*x*$","maxLength":200}"#,
    #"{"type":"string","pattern":"^[a-z1]{12,20}$"}"#,
    #"{"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"string","minLength":9}},"required":["k","x"]},{"type":"object","properties":{"k":{"const":"ab"}},"required":["k"],"additionalProperties":false}]}"#,
    ##"{"$defs":{"n":{"type":"object","properties":{"v":{"type":"boolean"},"next":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}},"required":["v","next"]}},"$ref":"#/$defs/n"}"##,
  ]

  static let vocabularies: [(name: String, vocabulary: Vocabulary, trie: TokenTrie)] = {
    var generator = SeededGenerator(seed: 4)
    let random = Vocabulary.random(
      count: 600,
      fragments: ["\"", "\":", "{\"", "}", "[", "]", ",", "a", "x", "1", "\\u", "null"],
      using: &generator)
    return [("awkward", .awkward), ("bytes", .bytes), ("random", random)].map {
      ($0.0, $0.1, TokenTrie($0.1))
    }
  }()

  @Test(arguments: schemas.indices, [Grammar.KeyOrder.declared, .any])
  func everyBudgetFromTheLeastOn(index: Int, keys: Grammar.KeyOrder) throws {
    let text = Self.schemas[index]
    let schema = try Schema(jsonSchema: text)
    var generator = SeededGenerator(seed: UInt64(index))
    for whitespace in GrammarSamples.whitespaces {
      let grammar = try Grammar(schema, whitespace: whitespace, keyOrder: keys)
      for (name, vocabulary, trie) in Self.vocabularies {
        let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
        // The same text without a limit; that its masks are right is tested elsewhere.
        let free = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
        let least = matcher.shortestCompletion
        for budget in least...least + 40 where whitespace == .compact || budget % 5 == 0 {
          matcher.reset()
          free.reset()
          matcher.limit(toTokens: budget)
          var isWithheld = false
          var tokens = 0
          while !matcher.isFinished, tokens < budget {
            let mask = try matcher.allowedTokens()
            let all = try free.allowedTokens()
            isWithheld = isWithheld || mask != all
            let allowed = mask.tokens.filter { !vocabulary.endTokens.contains($0) }
            guard let token = allowed.randomElement(using: &generator) else { break }
            try matcher.accept(token)
            try free.accept(token)
            tokens += 1
          }
          let written = String(decoding: matcher.text, as: UTF8.self)
          let place = "\(text), \(whitespace), \(name), budget \(budget): \(written)"
          #expect(matcher.isComplete, "\(place)")
          #expect(matcher.isTruncatedByBudget == isWithheld, "\(place)")
          if matcher.isComplete {
            #expect(try schema.violation(of: JSONValue(parsing: written)) == nil, "\(place)")
          }
        }
      }
    }
  }

  /// Down to the end there is always a byte that makes the rest shorter, by one if not by more.
  @Test(arguments: schemas.indices, [Grammar.KeyOrder.declared, .any])
  func theShortestWayIsOneByteAtATime(index: Int, keys: Grammar.KeyOrder) throws {
    let schema = try Schema(jsonSchema: Self.schemas[index])
    for whitespace in GrammarSamples.whitespaces {
      let grammar = try Grammar(schema, whitespace: whitespace, keyOrder: keys)
      let matcher = GrammarMatcher(
        grammar: grammar, trie: Self.vocabularies[1].trie, vocabulary: .bytes)
      var generator = SeededGenerator(seed: UInt64(index))
      for steps in 0..<30 {
        matcher.reset()
        for _ in 0..<steps where !matcher.isFinished {
          let allowed = try matcher.allowedTokens().tokens.filter { $0 < 256 }
          guard let token = allowed.randomElement(using: &generator) else { break }
          try matcher.accept(token)
        }
        while matcher.shortestCompletion > 0 {
          let missing = matcher.shortestCompletion
          let here = matcher.snapshot()
          var least = Int.max
          var best: TokenID?
          for token in try matcher.allowedTokens().tokens where token < 256 {
            matcher.restore(here)
            try matcher.accept(token)
            if matcher.shortestCompletion < least {
              least = matcher.shortestCompletion
              best = token
            }
          }
          matcher.restore(here)
          let written = String(decoding: matcher.text, as: UTF8.self)
          #expect(least < missing, "\(Self.schemas[index]), \(whitespace), after \(written)")
          guard least < missing, let best else { return }
          try matcher.accept(best)
        }
        #expect(matcher.isComplete)
      }
    }
  }

  @Test func spareProperties() throws {
    let grammar = try Grammar(Schema(jsonSchema: Self.schemas[11]))
    #expect(grammar.shortestLength == #"{"a":0,"":0,"b":0}"#.utf8.count)
  }

  @Test func aLimitBelowTheLeastLeavesAllAsItWas() throws {
    let grammar = try Grammar(Schema(jsonSchema: #"{"type":"string","minLength":3}"#))
    let matcher = GrammarMatcher(
      grammar: grammar, trie: Self.vocabularies[0].trie, vocabulary: .awkward)
    matcher.limit(toTokens: 2)
    let mask = try matcher.allowedTokens()
    #expect(mask == MaskOracleTests.bruteForce(grammar, after: [], .awkward))
    #expect(!matcher.isTruncatedByBudget)
  }
}
