internal import Foundation
internal import Fovea
internal import FoveaImages

/// `fovea chat`: a conversation, so that any model can be tried.
struct ChatCommand {
  static let specification = CommandSpecification(
    name: "chat",
    summary: "Talk with a model; its answers stream.",
    operands: "[MESSAGE]",
    operandsHelp: """
      With a message: answers it and ends. Without: one turn for each line of standard input.
      """,
    options: ModelArguments.specifications + [
      OptionSpecification("system", value: "TEXT", "rules for the model"),
      OptionSpecification("image", short: "i", value: "FILE", "a picture to talk about"),
      OptionSpecification("verbose", short: "v", "tell token counts and times on standard error"),
    ] + ConstraintArguments.specifications + SamplingArguments.specifications
      + ThinkingArguments.specifications,
    examples: [
      ("fovea chat -m model.gguf", "a conversation at the terminal"),
      ("fovea chat -m model.gguf 'Why is the sky blue?'", "one answer"),
      (
        "fovea chat -m model.gguf --projector mmproj.gguf -i photo.jpg 'What is this?'",
        "about a picture"
      ),
      (
        "fovea chat -m model.gguf --choice yes,no 'Is 91 a prime number?'",
        "one of two answers and nothing else"
      ),
    ])

  private let model: ModelArguments
  private let system: String?
  private let imagePath: String?
  private let message: String?
  private let isVerbose: Bool
  private let constraint: ConstraintArguments
  private let sampling: SamplingArguments
  private var options = ResponseOptions()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let command = Self.specification
    model = try ModelArguments(arguments, of: command)
    guard model.files != nil else {
      throw UsageError(
        "chat needs '--model': the embedded model only reads receipts", command: command)
    }
    system = arguments.values["system"]
    imagePath = arguments.values["image"]
    isVerbose = arguments.flags.contains("verbose")
    guard arguments.operands.count <= 1 else {
      throw UsageError(
        "\(arguments.operands.count) messages given; put one message into quotes", command: command)
    }
    message = arguments.operands.first
    constraint = try ConstraintArguments(arguments, of: command)
    sampling = try SamplingArguments(arguments, of: command, maxTokens: &options.maxTokens)
    try ThinkingArguments.apply(arguments, of: command, to: &options.thinking)
  }

  func run() async throws -> ExitCode {
    let constraint = try self.constraint.read()
    let model = try await self.model.load(isForOneRequest: true)
    var messages: [Message] = system.map { [Message(.system, $0)] } ?? []
    var image: Message.Part? = try imagePath.map { .image(try model.fit(.file($0))) }
    while let text = nextMessage() {
      messages.append(Message(.user, (image.map { [$0] } ?? []) + [.text(text)]))
      image = nil  // the picture belongs to the first turn
      let result = try await answer(to: messages, within: constraint, with: model)
      messages.append(Message(.assistant, result.text))
      if message != nil { break }
    }
    return .ok
  }

  private func nextMessage() -> String? {
    if let message { return message }
    while true {
      Console.prompt("> ")
      guard let line = readLine() else { return nil }
      if !line.allSatisfy(\.isWhitespace) { return line }
    }
  }

  private func answer(
    to messages: [Message], within constraint: OutputConstraint?, with model: LanguageModel
  ) async throws -> GenerationResult {
    var result: GenerationResult?
    var answer = StreamedAnswer()
    var options = options
    options.sampling = sampling.applied(to: model.description.sampling ?? .conversation)
    for try await event in model.streamResponse(
      to: messages, constraint: constraint, options: options)
    {
      switch event {
      case .thinking(let piece): answer.think(piece)
      case .text(let piece): try answer.write(piece)
      case .finished(let final): result = final
      }
    }
    try Console.write("\n")
    guard let result else { throw FoveaError(.cancelled, "the task was cancelled") }
    if result.finishReason.isTruncated {
      Console.note(
        "the answer was cut after \(result.usage.completionTokens) tokens; raise --max-tokens or "
          + "--context")
    }
    if result.isTruncatedByBudget {
      Console.note(
        "warning: the answer was closed early to fit its limit of tokens; raise --max-tokens or "
          + "--context")
    }
    if isVerbose { Console.note(Summary.line(usage: result.usage, timings: result.timings)) }
    return result
  }
}
