internal import Foundation
internal import Fovea
internal import FoveaTestSupport

/// The mask of a configuration is that of brute force over every token: for prefixes of the corpora's
/// values and for random walks, over real vocabularies and small random ones.
struct Oracle {
  /// How many configurations.
  let count: Int
  let seed: UInt64

  struct Tally: Sendable {
    var configurations = 0
    var dense = 0
    var failures: [String] = []
  }

  /// A schema, and a text that matches it where there is one.
  private struct Sample: Sendable {
    var name: String
    var schema: String
    var text: [UInt8]?
  }

  func run(_ files: [String]) async throws -> Bool {
    let samples = try Self.samples()
    print("oracle: \(samples.count) schemas of the corpora compile")
    var vocabularies: [(name: String, vocabulary: Vocabulary)] = []
    for file in files {
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      vocabularies.append((file, try Vocabulary(contentsOfDump: data)))
    }
    var generator = SeededGenerator(seed: seed)
    vocabularies.append(
      (
        "random",
        .random(
          count: 2_000,
          fragments: [
            "\"", "\",\"", "\":", "{\"", "}", "},{", "[", "]", ",", ":", "a", "aa", "名", "😀", "1",
            "0", ".", "-", "null", "name", "type", "id", "true", " ", "\\", "\\u", "d83d", "20",
            "                                ", "\n", "-02-", "T1", ":00Z", "é", "@", "://",
          ], using: &generator)
      ))
    // One thread for each vocabulary; as many run at once as there are cores.
    let share = max(1, count / vocabularies.count)
    var isGood = true
    try await withThrowingTaskGroup(of: (String, Tally, Double).self) { group in
      for (index, (name, vocabulary)) in vocabularies.enumerated() {
        group.addTask {
          let start = ContinuousClock.now
          let tally = try check(
            vocabulary, samples, share, seed: seed &+ UInt64(index) &* 1_000_003)
          return (name, tally, (ContinuousClock.now - start) / .seconds(1))
        }
      }
      for try await (name, tally, seconds) in group {
        print(
          "oracle: \(name): \(tally.configurations) configurations, \(tally.dense) with more than "
            + "1,000 tokens, \(tally.failures.count) wrong, \(String(format: "%.0f s", seconds))")
        for failure in tally.failures.prefix(20) { print("oracle: wrong: \(failure)") }
        isGood = isGood && tally.failures.isEmpty && tally.configurations >= share
      }
    }
    print("oracle: configurations=\(share * vocabularies.count) \(isGood ? "all equal" : "FAILED")")
    return isGood
  }

  /// The schemas that compile, each with the first text that its grammar accepts.
  private static func samples() throws -> [Sample] {
    var samples: [Sample] = []
    for corpus in try Corpus.all() {
      for entry in corpus.entries {
        let schema = entry.schema.text
        // A refused schema has no masks; what is refused is counted elsewhere.
        guard let compiled = try? CompiledSchema(schema) else { continue }
        let text = entry.instances.first { $0.isValid && compiled.allows($0.text) }?.text
        samples.append(
          Sample(
            name: "\(corpus.name) \(entry.name)", schema: schema, text: text.map { Array($0.utf8) })
        )
      }
    }
    return samples
  }

  private func check(
    _ vocabulary: Vocabulary, _ samples: [Sample], _ count: Int, seed: UInt64
  ) throws -> Tally {
    var generator = SeededGenerator(seed: seed)
    let trie = TokenTrie(vocabulary)
    let brute = BruteForceMask(vocabulary)
    let single = (0...255).map { byte in
      TokenID(vocabulary.pieces.firstIndex(of: [UInt8(byte)]) ?? -1)
    }
    var tally = Tally()
    while tally.configurations < count {
      guard let sample = samples.randomElement(using: &generator) else { break }
      let whitespaces: [Grammar.Whitespace] = [.compact, .spaced, .pretty(indent: 2)]
      let whitespace = whitespaces.randomElement(using: &generator)
      let isPrefix = sample.text != nil && Bool.random(using: &generator)
      let compiled = try CompiledSchema(
        sample.schema, whitespace: isPrefix ? .compact : whitespace ?? .compact,
        keys: Bool.random(using: &generator) ? .declared : .any)
      let matcher = GrammarMatcher(
        grammar: compiled.grammar, trie: trie, vocabulary: vocabulary)
      var comparison = Comparison(compiled.grammar, matcher, brute)
      if isPrefix, let text = sample.text {
        for _ in 0..<4 {
          let end = Int.random(in: 0...text.count, using: &generator)
          try comparison.start(text[..<end].map { single[Int($0)] })
          try comparison.compare(sample.name, using: &generator, &tally)
        }
      } else {
        try comparison.walk(sample.name, using: &generator, &tally)
      }
    }
    return tally
  }
}
