internal import Foundation
internal import Fovea
internal import FoveaLlama

/// `fovea template`: the prompt that a model gets.
struct TemplateCommand {
  static let specification = CommandSpecification(
    name: "template",
    summary: "Show the prompt that a chat template makes of messages, and its tokens.",
    operands: "MODEL|FILE.jinja",
    operandsHelp: """
      MODEL is a GGUF file, of which only the vocabulary is read; a file of any other kind is a chat
      template in Jinja, for which no tokens are shown.

      The segments tell who wrote them: 'template' may write control tokens, in 'message' they are plain
      letters, whatever they spell. Messages are a JSON list of objects with 'role' (system, user,
      assistant) and 'content', a text or a list of {"type": "text", "text": …} and {"type": "image"}.
      """,
    options: [
      OptionSpecification(
        "messages", value: "FILE",
        "the messages, JSON; '-' for standard input; a short talk without"),
      OptionSpecification(
        "chat-template", value: "FILE", "a chat template in Jinja, instead of the model file's own"),
    ] + ThinkingArguments.specifications,
    examples: [
      ("fovea template model.gguf", "how prompts for this model look"),
      ("fovea template model.gguf --thinking off", "and how it is kept from thinking"),
      ("fovea template chat.jinja --messages talk.json", "a template under development"),
    ])

  private let path: String
  private let messagesPath: String?
  private let templatePath: String?
  private var thinking = Thinking.automatic

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let command = Self.specification
    guard let path = arguments.operands.first, arguments.operands.count == 1 else {
      throw UsageError("name one model or template", command: command)
    }
    self.path = path
    messagesPath = arguments.values["messages"]
    templatePath = arguments.values["chat-template"]
    try ThinkingArguments.apply(arguments, of: command, to: &thinking)
  }

  func run() throws -> ExitCode {
    let isModel = try Self.isModel(path)
    if !isModel, templatePath != nil {
      throw UsageError("'--chat-template' needs a model", command: Self.specification)
    }
    let messages =
      try messagesPath.map { try MessageList(path: $0).messages } ?? Self.exampleMessages
    let tokenizer =
      isModel
      ? try Tokenizer(path: path, chatTemplate: templatePath.map(InputFile.template)) : nil
    let format =
      try tokenizer?.promptFormat()
      ?? PromptFormat(
        source: InputFile.template(path), speaksChatML: false, tokenTexts: Self.tokenNames)
    let prompt = try format.render(messages, thinking: thinking, now: LocalTime.now)
    try Console.write(Self.heading(format, prompt))
    for part in prompt.parts { try Console.write(Self.line(part)) }
    if let tokenizer { try writeTokens(of: prompt, tokenizer) }
    return .ok
  }

  private static let exampleMessages = [
    Message(.system, "Answer briefly."), Message(.user, "What is the capital of France?"),
  ]

  /// What stands for the tokens of a model that is not there.
  private static let tokenNames = [
    "bos_token": "<bos_token>", "eos_token": "<eos_token>", "pad_token": "<pad_token>",
  ]

  private static func isModel(_ path: String) throws(FoveaError) -> Bool {
    if path == "-" { return false }
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }  // nothing was written: a failed close loses nothing
      return try file.read(upToCount: 4) == Data("GGUF".utf8)
    } catch {
      throw FoveaError(
        .fileNotReadable, "'\(path)' cannot be read", fix: "check the path and its permissions",
        cause: SystemReason.of(error))
    }
  }

  // MARK: What is shown

  private static func heading(_ format: PromptFormat, _ prompt: RenderedPrompt) -> String {
    var lines: [String] = []
    switch format.origin {
    case .template: lines.append("format    the chat template")
    case .chatML: lines.append("format    ChatML, since the file has no chat template")
    case .plain:
      lines.append("format    plain words, since the file has no chat template and no ChatML")
    }
    if let thought = prompt.thinking {
      let start = thought.opening.map { "when the model begins with \(quoted($0)); " } ?? ""
      let budget = thought.budget.map { " after at most \($0) tokens" } ?? ""
      lines.append("thought   \(start)closed by \(quoted(thought.closing))\(budget)")
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private static func line(_ part: PromptPart) -> String {
    switch part {
    case .trusted(let text): "template  \(quoted(text))\n"
    case .untrusted(let text): "message   \(quoted(text))\n"
    case .image: "image\n"
    }
  }

  private static func quoted(_ text: String) -> String { JSONValue.string(text).text }

  private func writeTokens(of prompt: RenderedPrompt, _ tokenizer: Tokenizer) throws {
    let tokens = try tokenizer.tokenize(prompt.parts)
    var line = ""
    try Console.write("\n\(tokens.count) tokens, without those of images:\n")
    for token in tokens {
      let text = String(decoding: tokenizer.spelling(of: token), as: UTF8.self)
      let entry = "\(token) \(Self.quoted(text))"
      if !line.isEmpty, line.count + entry.count > 96 {
        try Console.write("  \(line)\n")
        line = ""
      }
      line += (line.isEmpty ? "" : "  ") + entry
    }
    if !line.isEmpty { try Console.write("  \(line)\n") }
  }
}
