internal import Foundation
internal import Fovea
internal import FoveaImages
internal import FoveaLlama

/// Answers requests from standard input with one loaded model, for programs that measure; see
/// `scripts/bench-server`.
///
/// First comes a line with the messages of a prompt, then for each line, the path of a document, a line
/// with the JSON, the counts and the milliseconds of its extraction. A line with several paths, with
/// tabs between them, asks for all of them at once and gives `answers` in their order.
@main
struct Main {
  private static let usage = """
    usage: fovea-worker --model MODEL [--projector MMPROJ] --schema FILE [--prompt TEXT]
                        [--threads COUNT] [--context TOKENS] [--max-tokens COUNT] [--parallel COUNT]
                        [--without jumps|drafts|reuse]… < PATHS
    """

  static func main() async throws {
    guard let options = WorkerOptions(CommandLine.arguments.dropFirst()) else {
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(2)
    }
    let schema = try Schema(jsonSchema: String(contentsOfFile: options.schema, encoding: .utf8))
    let model = try await LanguageModel.load(
      .gguf(options.model, projector: options.projector), options: options.engine)
    let style = model.description.promptStyle
    let messages = ExtractionPrompt.messages(
      document: .text("DOCUMENT"), instruction: options.prompt, outline: schema.outline(),
      style: style)
    write(.object([.init("messages", .array(messages.map(json)))]))
    while let line = readLine() {
      let paths = line.split(separator: "\t").map(String.init)
      let start = ContinuousClock.now
      let answers = try await withThrowingTaskGroup(of: (Int, JSONValue).self) { group in
        for (index, path) in paths.enumerated() {
          group.addTask { (index, try await answer(path, model, schema, options)) }
        }
        var answers: [Int: JSONValue] = [:]
        for try await (index, answer) in group { answers[index] = answer }
        return answers
      }
      if paths.count == 1, let answer = answers[0] {
        write(answer)
      } else {
        let elapsed = (ContinuousClock.now - start) / .milliseconds(1)
        write(
          .object([
            .init("ms", .number(String(elapsed))),
            .init("answers", .array(paths.indices.compactMap { answers[$0] })),
          ]))
      }
    }
  }

  private static func answer(
    _ path: String, _ model: LanguageModel, _ schema: Schema, _ options: WorkerOptions
  ) async throws -> JSONValue {
    let limits = ExtractionOptions(maxTokens: options.maxTokens)
    let start = ContinuousClock.now
    let extraction =
      if options.projector != nil {
        try await model.extract(
          image: .file(path), prompt: options.prompt, schema: schema, options: limits)
      } else {
        try await model.extract(
          text: try String(contentsOfFile: path, encoding: .utf8), prompt: options.prompt,
          schema: schema, options: limits)
      }
    let elapsed = (ContinuousClock.now - start) / .milliseconds(1)
    return record(of: extraction, milliseconds: elapsed)
  }

  private static func json(_ message: Message) -> JSONValue {
    .object([
      .init("role", .string(message.role.rawValue)), .init("content", .string(message.text)),
    ])
  }

  private static func record(
    of extraction: Extraction<JSONValue>, milliseconds: Double
  ) -> JSONValue {
    let usage = extraction.usage
    let counts = [
      ("prompt", usage.promptTokens), ("reused", usage.reusedTokens),
      ("encoded_images", usage.encodedImages), ("written", usage.completionTokens),
      ("forced", usage.forcedTokens), ("drafted", usage.draftedTokens),
      ("accepted", usage.acceptedDraftTokens),
    ]
    return .object([
      .init("ms", .number(String(milliseconds))), .init("json", .string(extraction.json)),
      .init("usage", .object(counts.map { .init($0.0, .number("\($0.1)")) })),
    ])
  }

  private static func write(_ value: JSONValue) {
    print(value.text)
    fflush(nil)
  }
}
