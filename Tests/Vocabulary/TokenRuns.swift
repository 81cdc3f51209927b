internal import Foundation
internal import Fovea
internal import FoveaLlama
internal import FoveaTestSupport

/// The values of the corpora, cut into tokens by llama.cpp's own tokenizer: the matcher accepts
/// exactly those whose bytes the grammar accepts, and every token it accepts was in the mask before.
struct TokenRuns {
  /// How many values for each vocabulary; 0 for all.
  let count: Int
  let seed: UInt64

  private struct Case: Sendable {
    var name: String
    var schema: String
    var texts: [String]
  }

  private struct Tally: Sendable {
    var values = 0
    var tokens = 0
    var apart: [String: Int] = [:]
    var failures: [String] = []
  }

  func run(_ files: [String]) async throws -> Bool {
    let cases = try Self.cases(count: count, seed: seed)
    var isGood = true
    try await withThrowingTaskGroup(of: (String, Tally, Double).self) { group in
      for file in files {
        group.addTask {
          let start = ContinuousClock.now
          let tally = try check(file, cases)
          return (file, tally, (ContinuousClock.now - start) / .seconds(1))
        }
      }
      for try await (file, tally, seconds) in group {
        print(
          "tokens: \(file.split(separator: "/").last ?? ""): \(tally.values) values, \(tally.tokens) "
            + "tokens, \(tally.failures.count) wrong, \(String(format: "%.0f s", seconds))")
        for (why, number) in tally.apart { print("tokens: \(number) values apart: \(why)") }
        for failure in tally.failures.prefix(20) { print("tokens: wrong: \(failure)") }
        isGood = isGood && tally.failures.isEmpty
      }
    }
    return isGood
  }

  private static func cases(count: Int, seed: UInt64) throws -> [Case] {
    var cases: [Case] = []
    for corpus in try Corpus.all() {
      for entry in corpus.entries where !entry.instances.isEmpty {
        cases.append(
          Case(
            name: "\(corpus.name) \(entry.name)", schema: entry.schema.text,
            texts: entry.instances.map(\.text)))
      }
    }
    var generator = SeededGenerator(seed: seed)
    cases.shuffle(using: &generator)
    if count == 0 { return cases }
    var left = count
    return cases.prefix { entry in
      defer { left -= entry.texts.count }
      return left > 0
    }
  }

  private func check(_ file: String, _ cases: [Case]) throws -> Tally {
    let tokenizer = try Tokenizer(path: file)
    let vocabulary = tokenizer.vocabulary
    let trie = TokenTrie(vocabulary)
    var tally = Tally()
    for entry in cases {
      // A refused schema has no masks; what is refused is counted elsewhere.
      guard let compiled = try? CompiledSchema(entry.schema) else { continue }
      let matcher = GrammarMatcher(
        grammar: compiled.grammar, trie: trie, vocabulary: vocabulary)
      for text in entry.texts {
        let tokens = try tokenizer.tokenize(text)
        tally.values += 1
        tally.tokens += tokens.count
        let bytes = tokens.flatMap { vocabulary.pieces[Int($0)] }
        guard bytes == Array(text.utf8) else {
          let odd = tokens.contains { vocabulary.pieces[Int($0)].isEmpty }
          let why =
            odd
            ? "the tokenizer takes a part for a placeholder, which no mask allows"
            : "the tokenizer changes the text"
          tally.apart[why, default: 0] += 1
          continue
        }
        matcher.reset()
        var isAllowed = true
        for token in tokens {
          // A finished text allows nothing; the mask is not asked for then.
          let inMask = try !matcher.isFinished && matcher.allowedTokens().contains(token)
          let isAccepted = Self.accepts(matcher, token)
          if inMask != isAccepted {
            tally.failures.append(
              "\(entry.name): token \(token) of \(text.prefix(200)): mask \(inMask), accept \(isAccepted)"
            )
          }
          isAllowed = isAccepted
          if !isAllowed { break }
        }
        let accepted = isAllowed && matcher.isComplete
        if accepted != compiled.allows(text) {
          tally.failures.append(
            "\(entry.name): \(text.prefix(200)): tokens \(accepted), bytes \(!accepted)")
        }
      }
    }
    return tally
  }

  private static func accepts(_ matcher: GrammarMatcher, _ token: TokenID) -> Bool {
    do {
      try matcher.accept(token)
      return true
    } catch {
      return false
    }
  }
}
