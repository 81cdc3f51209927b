internal import Fovea
internal import FoveaTestSupport

/// One schema, and what happens to texts under it. All of it follows from the seed and the schema.
struct FuzzCase {
  /// What went wrong.
  struct Failure: Error {
    let what: String
  }

  enum Outcome {
    case refused(FoveaError)
    case walked(texts: Int, unclosed: Int)
  }

  /// The refusals that a schema may bring.
  private static let refusals: Set<FoveaError.Code> = [
    .invalidSchema, .unsupportedSchema, .schemaTooComplex,
  ]
  /// A text that needs more bytes than this to end is left open.
  private static let longestClosing = 1_500

  let schema: String
  let vocabulary: Vocabulary
  let trie: TokenTrie

  func run(using generator: inout SeededGenerator) throws -> Outcome {
    let whitespaces: [Grammar.Whitespace] = [.compact, .compact, .spaced, .pretty(indent: 1)]
    let compiled: CompiledSchema
    do {
      compiled = try CompiledSchema(
        schema, whitespace: whitespaces.randomElement(using: &generator) ?? .compact,
        keys: Bool.random(using: &generator) ? .declared : .any)
    } catch {
      guard Self.refusals.contains(error.code) else {
        throw Failure(what: "refused as \(error.code.rawValue): \(error.message)")
      }
      return .refused(error)
    }
    let matcher = GrammarMatcher(grammar: compiled.grammar, trie: trie, vocabulary: vocabulary)
    var unclosed = 0
    let rounds = 3
    for _ in 0..<rounds {
      matcher.reset()
      let steps = Int.random(in: 0...120, using: &generator)
      try walk(matcher, steps: steps, using: &generator)
      guard try close(matcher) else {
        unclosed += 1
        continue
      }
      try judge(matcher.text, compiled)
      try damage(matcher.text, compiled, using: &generator)
    }
    return .walked(texts: rounds - unclosed, unclosed: unclosed)
  }

  /// Tokens by chance: allowed ones must be accepted, others not.
  private func walk(
    _ matcher: GrammarMatcher, steps: Int, using generator: inout SeededGenerator
  ) throws {
    for _ in 0..<steps {
      if matcher.isFinished { return }
      let mask = try matcher.allowedTokens()
      let allowed = mask.tokens
      guard let token = allowed.randomElement(using: &generator) else {
        throw Failure(what: "nothing may follow \(text(matcher))")
      }
      // A number of hundreds of digits is forced to its end, from each of them.
      let forced = Int.random(in: 0..<8, using: &generator) == 0 ? matcher.forcedBytes() : []
      if let first = forced.first, !allowed.allSatisfy({ piece($0).first == first }) {
        throw Failure(what: "after \(text(matcher)) \(first) is forced, but not alone in the mask")
      }
      let other = TokenID(Int.random(in: 0..<vocabulary.count, using: &generator))
      if !mask.contains(other) {
        let before = matcher.text
        if accepts(matcher, other) || matcher.text != before {
          throw Failure(what: "token \(other), not in the mask, is accepted after \(text(matcher))")
        }
      }
      if vocabulary.endTokens.contains(token) { return }
      let here = matcher.snapshot()
      try matcher.accept(token)
      // Back and forth again must lead to the same place.
      if Int.random(in: 0..<8, using: &generator) == 0 {
        let there = matcher.shortestCompletion
        matcher.restore(here)
        guard try matcher.allowedTokens() == mask else {
          throw Failure(what: "another mask after coming back to \(text(matcher))")
        }
        try matcher.accept(token)
        guard matcher.shortestCompletion == there else {
          throw Failure(what: "another shortest completion after coming back to \(text(matcher))")
        }
      }
    }
  }

  /// Brings the text to its end, byte by byte, each time nearer. False where the end is far away.
  private func close(_ matcher: GrammarMatcher) throws -> Bool {
    while !matcher.isComplete {
      let left = matcher.shortestCompletion
      if left > Self.longestClosing { return false }
      let here = matcher.snapshot()
      var isNearer = false
      for token in try matcher.allowedTokens().tokens where piece(token).count == 1 {
        try matcher.accept(token)
        isNearer = matcher.shortestCompletion < left
        if isNearer { break }
        matcher.restore(here)
      }
      if !isNearer {
        throw Failure(
          what: "no byte leads nearer to the end, \(left) bytes away, of \(text(matcher))")
      }
    }
    return true
  }

  /// What the grammar completed is JSON, and the validator accepts it.
  private func judge(_ bytes: [UInt8], _ compiled: CompiledSchema) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { throw Failure(what: "not UTF-8: \(text)") }
    guard compiled.allows(text) else {
      throw Failure(what: "the matcher completed what the grammar does not accept: \(text)")
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: text)
    } catch {
      throw Failure(what: "not JSON: \(text): \(error.message)")
    }
    if let violation = compiled.violation(of: value) {
      throw Failure(what: "the validator rejects \(text): \(violation)")
    }
  }

  /// A text with other bytes in it: whatever the grammar still accepts must be valid too.
  private func damage(
    _ bytes: [UInt8], _ compiled: CompiledSchema, using generator: inout SeededGenerator
  ) throws {
    for _ in 0..<20 {
      var bytes = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: place)
        }
      }
      if compiled.grammar.accepts(bytes) { try judge(bytes, compiled) }
    }
  }

  private func accepts(_ matcher: GrammarMatcher, _ token: TokenID) -> Bool {
    do {
      try matcher.accept(token)
      return true
    } catch {
      return false
    }
  }

  private func piece(_ token: TokenID) -> [UInt8] { vocabulary.pieces[Int(token)] }

  private func text(_ matcher: GrammarMatcher) -> String {
    String(decoding: matcher.text.suffix(300), as: UTF8.self)
  }
}
