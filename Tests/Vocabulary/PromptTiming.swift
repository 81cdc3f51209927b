internal import Foundation
internal import Fovea
internal import FoveaLlama

/// How long it takes from messages to a prompt's tokens.
struct PromptTiming {
  let count: Int

  /// Renders and tokenises the messages of a file `count` times and prints the means.
  ///
  /// - Parameters:
  ///   - model: A GGUF file; its vocabulary is enough.
  ///   - template: The source of a chat template.
  ///   - messages: JSON, `[{"role": …, "content": …}, …]`, contents as texts.
  func run(model: String, template: String, messages: String) throws {
    let source = try String(contentsOfFile: template, encoding: .utf8)
    let tokenizer = try Tokenizer(path: model, chatTemplate: source)
    let start = ContinuousClock.now
    let format = try tokenizer.promptFormat()
    let reading = ContinuousClock.now - start
    let messages = try Self.messages(messages)
    var rendering = Duration.zero
    var whole = Duration.zero
    var plain = Duration.zero
    var tokens: [TokenID] = []
    for _ in 0..<count {
      let start = ContinuousClock.now
      let prompt = try format.render(messages, thinking: .off, now: 0)
      rendering += ContinuousClock.now - start
      tokens = try tokenizer.tokenize(prompt.parts)
      whole += ContinuousClock.now - start
      let text = Self.text(of: prompt)
      let plainStart = ContinuousClock.now
      _ = try tokenizer.tokenizeWhole(text)
      plain += ContinuousClock.now - plainStart
    }
    print(
      "prompt: \(tokens.count) tokens; template read \(Self.text(reading)) ms; "
        + "rendered \(Self.text(rendering / count)) ms, "
        + "with tokens \(Self.text(whole / count)) ms; llama.cpp alone, which trusts all text, takes "
        + "\(Self.text(plain / count)) ms for the tokens")
  }

  private static func text(of prompt: RenderedPrompt) -> String {
    prompt.parts.map { part -> String in
      switch part {
      case .trusted(let text), .untrusted(let text): text
      case .image: ""
      }
    }.joined()
  }

  private static func messages(_ path: String) throws -> [Message] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard case .array(let items) = try JSONValue(parsing: text) else { return [] }
    return items.compactMap { item in
      guard case .string(let role)? = item[name: "role"],
        case .string(let content)? = item[name: "content"]
      else { return nil }
      return Message.Role(rawValue: role).map { Message($0, content) }
    }
  }

  private static func text(_ duration: Duration) -> String {
    String(format: "%.3f", duration / .milliseconds(1))
  }
}
