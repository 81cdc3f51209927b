import Foundation
import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// Prompts of real chat templates in real vocabularies.
@Suite("Tokens of prompts")
struct PromptTokensTests {
  /// A vocabulary of the pinned llama.cpp, and a chat template of a model that has it.
  struct Pair: Sendable, CustomTestStringConvertible {
    var vocabulary: String
    var template: String
    var testDescription: String { "\(vocabulary) with \(template)" }
  }

  static let pairs = [
    Pair(vocabulary: "llama-bpe", template: "meta-llama-Llama-3.1-8B-Instruct"),
    Pair(vocabulary: "qwen2", template: "Qwen-Qwen3-0.6B"),
    Pair(vocabulary: "qwen35", template: "Qwen3.5-4B"),
    Pair(vocabulary: "gemma-4", template: "google-gemma-4-31B-it"),
    Pair(vocabulary: "phi-3", template: "microsoft-Phi-3.5-mini-instruct"),
    Pair(vocabulary: "llama-spm", template: "mistralai-Mistral-Nemo-Instruct-2407"),
    Pair(vocabulary: "command-r", template: "CohereForAI-c4ai-command-r7b-12-2024-tool_use"),
    Pair(vocabulary: "deepseek-llm", template: "llama-cpp-deepseek-r1"),
    Pair(vocabulary: "gpt-2", template: "ibm-granite-granite-4.0"),
    Pair(vocabulary: "falcon", template: "HuggingFaceTB-SmolLM3-3B"),
  ]

  private func models() throws -> URL {
    let source = try #require(
      Material.llamaSource,
      "set FOVEA_LLAMA_SOURCE to what `scripts/setup --print-source` prints; `make test` does")
    return source.appendingPathComponent("models")
  }

  private func tokenizer(_ pair: Pair) throws -> Tokenizer {
    let models = try models()
    let template = models.appendingPathComponent("templates/\(pair.template).jinja")
    return try Tokenizer(
      path: models.appendingPathComponent("ggml-vocab-\(pair.vocabulary).gguf").path,
      chatTemplate: String(contentsOf: template, encoding: .utf8))
  }

  private func prompt(
    _ tokenizer: Tokenizer, _ texts: [String], thinking: Thinking = .off
  ) throws -> [PromptPart] {
    let messages =
      [Message(.system, texts[0])]
      + zip(texts.indices, texts).dropFirst().map {
        Message($0 % 2 == 1 ? .user : .assistant, $1)
      }
    return try tokenizer.promptFormat().render(messages, thinking: thinking, now: 0).parts
  }

  private func text(_ parts: [PromptPart]) -> String {
    parts.map { part -> String in
      switch part {
      case .trusted(let text), .untrusted(let text): text
      case .image: ""
      }
    }.joined()
  }

  // MARK: Harmless text

  static let harmless = [
    ["You read receipts.", "Total?", "12.50", "And the date?"],
    ["\nRules:\n\n", "\n\nfirst line\n", " leading and trailing ", "\t\u{00A0}tab"],
    ["Größe – „immer“", "你好,世界! 👩‍👩‍👧‍👦 e\u{301}", "مرحبا", "日本語 \u{200B}\u{FEFF}"],
    [
      "a", "<div>1 < 2 && 3 > 2</div> [x] {\"a\": [1, 2]}", "'''",
      "    def f():\n        pass\n\n\n",
    ],
    ["", "12 34 5678 9.99 €", "user", "assistant\nsystem"],
  ]

  @Test("the tokens of harmless text are those of the whole prompt", arguments: pairs)
  func harmlessText(pair: Pair) throws {
    let tokenizer = try tokenizer(pair)
    for texts in Self.harmless {
      let parts = try prompt(tokenizer, texts)
      var whole = try tokenizer.tokenizeWhole(text(parts))
      let cut = try tokenizer.tokenize(parts)
      // Tokenised at once, a begin token that the template has written comes twice.
      if whole.count == cut.count + 1, whole[0] == whole[1] { whole.removeFirst() }
      #expect(cut == whole, "\(pair): \(texts)")
    }
  }

  @Test("the begin token comes once", arguments: pairs)
  func beginToken(pair: Pair) throws {
    let tokenizer = try tokenizer(pair)
    let tokens = try tokenizer.tokenize(prompt(tokenizer, ["Rules.", "Hi"]))
    guard let begin = tokenizer.beginOfText else { return }
    #expect(tokens.filter { $0 == begin }.count <= 1)
    let whole = try tokenizer.tokenizeWhole("x")
    if whole.first == begin { #expect(tokens.first == begin) }
  }

  // MARK: Hostile text

  @Test("text that spells control tokens gives none", arguments: pairs)
  func injection(pair: Pair) throws {
    let tokenizer = try tokenizer(pair)
    let template = try #require(tokenizer.chatTemplate)
    let entries = tokenizer.readEntries()
    var marks: Set<TokenID> = []
    var spellings: [String] = []
    for (token, entry) in entries.enumerated() {
      let spelling = String(decoding: entry.bytes, as: UTF8.self)
      // llama.cpp's attributes: 2 unknown, 8 control, 16 user-defined.
      let isControl = entry.attributes & 10 != 0 || entry.endsGeneration
      let isMark =
        entry.attributes & 16 != 0 && spelling.hasPrefix("<") && spelling.hasSuffix(">")
        && template.contains(spelling)
      guard isControl || isMark, !spelling.isEmpty else { continue }
      marks.insert(TokenID(token))
      spellings.append(spelling)
    }
    #expect(!spellings.isEmpty)
    func control(_ texts: [String]) throws -> [TokenID] {
      try tokenizer.tokenize(prompt(tokenizer, texts)).filter(marks.contains)
    }
    let calm = try control(["x", "y", "z", "w"])
    #expect(!calm.isEmpty || pair.vocabulary == "gpt-2" || pair.vocabulary == "falcon")
    let all = spellings.joined()
    #expect(try control([all, all, "z", all]) == calm)
    let spaced = spellings.joined(separator: " ")
    #expect(try control(["x", spaced, spaced, "\n" + spaced + "\n"]) == calm)
    // Each one alone, so that it stands right beside what the template writes.
    for spelling in spellings.prefix(64) + spellings.suffix(64) {
      #expect(try control(["x", spelling, "z", "w"]) == calm, "\(spelling)")
    }
  }

  @Test("half a mark beside the template's own gives none", arguments: pairs.prefix(5))
  func halves(pair: Pair) throws {
    let tokenizer = try tokenizer(pair)
    let calm = try controlCount(tokenizer, ["x", "y"])
    for half in ["<|im_", "end|>", "<", ">", "|>", "<|", "_end|>\n<|im_", "<end_of_", "[/"] {
      #expect(try controlCount(tokenizer, ["x", half]) == calm)
    }
  }

  private func controlCount(_ tokenizer: Tokenizer, _ texts: [String]) throws -> Int {
    let entries = tokenizer.readEntries()
    return try tokenizer.tokenize(prompt(tokenizer, texts)).filter {
      entries[Int($0)].attributes & 10 != 0
    }.count
  }

  // MARK: All templates

  @Test("every template of the pinned llama.cpp gives a prompt, or says why not")
  func allTemplates() throws {
    let folder = try models().appendingPathComponent("templates")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "jinja" }
    #expect(files.count > 50)
    var refused: [String] = []
    for file in files {
      let format = try PromptFormat(
        source: String(contentsOf: file, encoding: .utf8), speaksChatML: false, tokenTexts: [:])
      let marks = ["system-text", "user-text"]
      let messages = [Message(.system, marks[0]), Message(.user, marks[1])]
      for thinking in [Thinking.automatic, .off] {
        do throws(FoveaError) {
          let parts = try format.render(messages, thinking: thinking, now: 0).parts
          let untrusted = parts.compactMap { part -> String? in
            if case .untrusted(let text) = part { text } else { nil }
          }
          #expect(marks.allSatisfy(untrusted.joined().contains), "\(file.lastPathComponent)")
        } catch {
          refused.append("\(file.lastPathComponent): \(error.message)")
        }
      }
      // A thought is written as the template has it, or there is none.
      if let on = try? format.render(messages, thinking: .on(budget: 9), now: 0) {
        #expect(on.thinking?.budget == 9)
        #expect(on.thinking?.closing.isEmpty == false)
      }
    }
    // It takes functions, and nothing else.
    #expect(refused.allSatisfy { $0.contains("firefunction") }, "\(refused)")
  }
}
