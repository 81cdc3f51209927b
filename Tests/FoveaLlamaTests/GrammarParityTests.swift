import Foundation
import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// The grammars that the pinned llama.cpp brings along: its own grammar sampler and Fovea allow the
/// same tokens, but for the differences in the table below.
@Suite("Grammars, compared with llama.cpp", .serialized)
struct GrammarParityTests {
  /// Where llama.cpp's sampler differs, and why Fovea does not do as it does.
  enum Difference: String, CaseIterable {
    /// It takes a control token for the text of its name, so `<|eot_id|>`-like tokens may stand
    /// where their letters may, and a reader of the text sees nothing there.
    case controlToken = "llama.cpp allows a control token by its name"
    /// It decodes loosely: bytes that no UTF-8 text has (overlong forms, surrogates, characters
    /// beyond the last, FE and FF) pass where any or almost any character may come.
    case invalidUTF8 = "llama.cpp allows bytes that are no UTF-8"
    /// For a token that ends inside a character it refuses a negated class as soon as one of the
    /// characters that could come of it is in the class, though others are not.
    case partOfCharacter = "llama.cpp refuses the beginning of a character that a class allows"
    /// It ends texts at a byte 0, and refuses each token that begins with one.
    case zeroByte = "llama.cpp refuses the character U+0000"
  }

  static let grammars = [
    "arithmetic", "c", "chess", "english", "japanese", "json", "json_arr", "list",
  ]

  private static func source() throws -> URL {
    try #require(
      Material.llamaSource,
      "set FOVEA_LLAMA_SOURCE to what `scripts/setup --print-source` prints; `make test` does")
  }

  private static func text(of grammar: String) throws -> String {
    try String(
      contentsOf: source().appendingPathComponent("grammars/\(grammar).gbnf"), encoding: .utf8)
  }

  private static func model() throws -> ModelHandle {
    let path = try source().appendingPathComponent("models/ggml-vocab-llama-bpe.gguf").path
    return try ModelHandle.load(path: path, gpuLayers: 0, extent: .vocabulary)
  }

  @Test("all grammars of llama.cpp are known and compile")
  func compile() throws {
    let folder = try Self.source().appendingPathComponent("grammars")
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".gbnf") }.map { String($0.dropLast(5)) }
    #expect(found.sorted() == Self.grammars)
    for grammar in found {
      let machine = try RuleMachine(gbnf: try Self.text(of: grammar))
      #expect(machine.states.count > 2, "\(grammar)")
    }
  }

  @Test("over random texts the masks agree token by token, but for the table")
  func masks() throws {
    let model = try Self.model()
    let tokens = SortedTokens(model.readVocabulary())
    let trie = TokenTrie(tokens.vocabulary)
    var seen: [Difference: Int] = [:]
    for (index, grammar) in Self.grammars.enumerated() {
      let text = try Self.text(of: grammar)
      let machine = try RuleMachine(gbnf: text)
      let sources: [MaskSource] = [
        .recognizer(machine, tokens), .matcher(machine, trie, tokens.vocabulary),
      ]
      for (seed, source) in sources.enumerated() {
        let sampler = try #require(LlamaGrammarSampler(grammar: text, model: model))
        var generator = SeededGenerator(seed: UInt64(index * 10 + seed))
        let outcome = try compare(
          sampler, source, vocabulary: tokens.vocabulary, steps: 24, using: &generator)
        #expect(outcome.unexplained.isEmpty, "\(grammar): \(outcome.unexplained.prefix(5))")
        #expect(outcome.steps > 3, "\(grammar)")
        seen.merge(outcome.explained, uniquingKeysWith: +)
      }
    }
    for difference in Difference.allCases {
      #expect(seen[difference, default: 0] > 0, "no longer true: \(difference.rawValue)")
    }
  }

  @Test("one character more or less is found")
  func sensitivity() throws {
    let model = try Self.model()
    let tokens = SortedTokens(model.readVocabulary())
    for (theirs, ours) in [("[a-c]", "[a-b]"), ("[a-b]", "[a-c]"), ("[a-c]+", "[a-c]*")] {
      let sampler = try #require(LlamaGrammarSampler(grammar: "root ::= \(theirs)", model: model))
      var generator = SeededGenerator(seed: 1)
      let outcome = try compare(
        sampler, .recognizer(try RuleMachine(gbnf: "root ::= \(ours)"), tokens),
        vocabulary: tokens.vocabulary, steps: 1, using: &generator)
      #expect(!outcome.unexplained.isEmpty)
    }
  }

  struct Outcome {
    var steps = 0
    var explained: [Difference: Int] = [:]
    var unexplained: [String] = []
  }

  /// Walks at random through tokens that both allow, and compares the masks at each step.
  private func compare(
    _ sampler: LlamaGrammarSampler, _ source: MaskSource, vocabulary: Vocabulary, steps: Int,
    using generator: inout SeededGenerator
  ) throws -> Outcome {
    var outcome = Outcome()
    var text: [UInt8] = []
    for _ in 0..<steps {
      let theirs = sampler.allowedTokens()
      let ours = try source.allowedTokens()
      var both: [UInt8: [TokenID]] = [:]
      for token in 0..<TokenID(vocabulary.count) {
        let isTheirs = theirs.contains(token)
        let isOurs = ours.contains(token)
        let piece = vocabulary.pieces[Int(token)]
        if isTheirs, isOurs, let first = piece.first { both[first, default: []].append(token) }
        if isTheirs == isOurs { continue }
        if let reason = reason(isOurs: isOurs, piece, after: text, vocabulary, token) {
          outcome.explained[reason, default: 0] += 1
        } else {
          let side = isOurs ? "only here" : "only llama.cpp"
          outcome.unexplained.append(
            "\(side): \(piece) after \(String(decoding: text, as: UTF8.self))")
        }
      }
      outcome.steps += 1
      // By first byte, so that signs of structure come as often as words do.
      let first = both.keys.sorted().randomElement(using: &generator)
      guard let token = first.flatMap({ both[$0]?.randomElement(using: &generator) }) else { break }
      sampler.accept(token)
      try source.accept(token)
      text += vocabulary.pieces[Int(token)]
    }
    return outcome
  }

  private func reason(
    isOurs: Bool, _ piece: [UInt8], after text: [UInt8], _ vocabulary: Vocabulary, _ token: TokenID
  ) -> Difference? {
    if vocabulary.endTokens.contains(token) { return nil }
    if !isOurs {
      if piece.isEmpty { return .controlToken }
      return UTF8Beginning(text + piece).isValid ? nil : .invalidUTF8
    }
    if piece.contains(0) { return .zeroByte }
    return UTF8Beginning(text + piece).isWhole ? nil : .partOfCharacter
  }

  /// A grammar that one of the two refuses, and why that is right.
  struct Reading: CustomTestStringConvertible {
    let grammar: String
    let isTheirs: Bool
    let isOurs: Bool
    let reason: String

    var testDescription: String { reason }
  }

  static let readings = [
    Reading(
      grammar: "root ::= \"a\" | root \"b\"", isTheirs: false, isOurs: false,
      reason: "left recursion is refused by both"),
    Reading(grammar: "root ::= a", isTheirs: false, isOurs: false, reason: "an undefined rule"),
    Reading(
      grammar: "root ::= \"a\"{,3}", isTheirs: false, isOurs: true,
      reason: "the notation without a minimum is clear"),
    Reading(
      grammar: "root ::= \"a\"\nroot ::= \"b\"", isTheirs: true, isOurs: false,
      reason: "the first of two definitions would be dropped in silence"),
    Reading(
      grammar: "root ::= [] \"a\"", isTheirs: true, isOurs: false,
      reason: "an empty class would be the empty text"),
    Reading(
      grammar: "root ::= [z-a] | \"b\"", isTheirs: true, isOurs: false,
      reason: "a range from high to low would match nothing"),
    Reading(
      grammar: "root ::= \"a\" root", isTheirs: true, isOurs: false,
      reason: "a rule without a finite text would never end"),
    Reading(
      grammar: "root ::= \"b\"{2001}", isTheirs: false, isOurs: true,
      reason: "more than 2,000 repetitions are no trouble"),
  ]

  @Test("what the two read differently", arguments: readings)
  func reading(reading: Reading) throws {
    let model = try Self.model()
    let sampler = LlamaGrammarSampler(grammar: reading.grammar, model: model)
    #expect((sampler != nil) == reading.isTheirs)
    var machine: RuleMachine?
    do throws(FoveaError) { machine = try RuleMachine(gbnf: reading.grammar) } catch {
      #expect(error.fix != nil)
    }
    #expect((machine != nil) == reading.isOurs)
  }

  @Test("a maximum above 2,000 is kept, where llama.cpp drops it")
  func maximum() throws {
    let grammar = "root ::= \"a\"{0,2001}"
    let model = try Self.model()
    let sampler = try #require(LlamaGrammarSampler(grammar: grammar, model: model))
    let vocabulary = model.readVocabulary()
    let letter = TokenID(try #require(vocabulary.pieces.firstIndex(of: [UInt8(ascii: "a")])))
    let recognizer = StackRecognizer(try RuleMachine(gbnf: grammar))
    for _ in 0..<2_001 { sampler.accept(letter) }
    #expect(sampler.allowedTokens().contains(letter))
    #expect(recognizer.accepts([UInt8](repeating: UInt8(ascii: "a"), count: 2_001)))
    #expect(!recognizer.accepts([UInt8](repeating: UInt8(ascii: "a"), count: 2_002)))
  }
}

/// Whether bytes are UTF-8, the last character perhaps not complete.
struct UTF8Beginning {
  /// Nothing is missing at the end.
  let isWhole: Bool
  /// It can be completed.
  let isValid: Bool

  init(_ bytes: [UInt8]) {
    func isText(_ bytes: [UInt8]) -> Bool { String(bytes: bytes, encoding: .utf8) != nil }
    isWhole = isText(bytes)
    // Behind any first byte of a character one of these is possible, and then 0x80 always.
    let tails: [[UInt8]] = [0x80, 0x90, 0xA0].flatMap { [[$0], [$0, 0x80], [$0, 0x80, 0x80]] }
    isValid = isWhole || tails.contains { isText(bytes + $0) }
  }
}
