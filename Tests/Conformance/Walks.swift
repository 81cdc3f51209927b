internal import Foundation
internal import Fovea
internal import FoveaTestSupport

/// Writes values that the grammar makes by chance, for an independent validator: `scripts/check-walks`.
struct Walks {
  /// How many for each schema.
  let count: Int
  let seed: UInt64

  /// A value of more bytes than this is not written.
  private static let longestValue = 4_000

  func write(_ corpora: [Corpus], to path: String) throws {
    var generator = SeededGenerator(seed: seed)
    var lines = ""
    var written = 0
    var refused = 0
    var tooLong = 0
    let vocabulary = Vocabulary.bytes
    let trie = TokenTrie(vocabulary)
    for corpus in corpora {
      for entry in corpus.entries {
        for keys in [Grammar.KeyOrder.declared, .any] {
          let name = "\(corpus.name) \(entry.name)"
          let compiled: CompiledSchema
          do {
            compiled = try CompiledSchema(entry.schema.text, keys: keys)
          } catch {
            refused += 1
            continue
          }
          let matcher = GrammarMatcher(
            grammar: compiled.grammar, trie: trie, vocabulary: vocabulary)
          if matcher.shortestCompletion > Self.longestValue {
            tooLong += 1
            continue
          }
          for round in 0..<count {
            let text = try walk(matcher, compiled, name, round: round, using: &generator)
            let line = JSONValue.object([
              .init("id", .string(name)), .init("schema", entry.schema),
              .init("instance", .string(text)),
            ])
            lines += line.text + "\n"
            written += 1
          }
        }
      }
    }
    try lines.write(toFile: path, atomically: true, encoding: .utf8)
    print(
      "walks: \(written) values, in declared and in any order; grammars refused: \(refused), "
        + "with long values only: \(tooLong)")
  }

  /// A value that the grammar allows. Our own validator has its say first.
  private func walk(
    _ matcher: GrammarMatcher, _ compiled: CompiledSchema, _ name: String, round: Int,
    using generator: inout SeededGenerator
  ) throws -> String {
    matcher.reset()
    // Most close early, some reach deep.
    let result = try RandomWalk(patience: round % 3 == 2 ? 400 : 60).run(
      matcher, using: &generator)
    let text = String(decoding: result.text, as: UTF8.self)
    if let violation = compiled.violation(of: try JSONValue(parsing: text)) {
      throw FoveaError(
        .engineFailed, "\(name): the validator rejects \(text): \(violation)")
    }
    return text
  }
}
