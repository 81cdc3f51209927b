internal import Foundation
internal import Fovea
internal import FoveaLlama
internal import FoveaTestSupport

/// Proves masks over the vocabularies of real models, and times prompts; see CONTRIBUTING.md.
@main
struct Main {
  private static let usage = """
    usage: fovea-vocabulary --dump MODEL.gguf FILE
           fovea-vocabulary --oracle COUNT FOLDER [SEED]    FOLDER has the dumps *.vocab
           fovea-vocabulary --tokens COUNT FOLDER [SEED]    FOLDER has the ggml-vocab-*.gguf
           fovea-vocabulary --prompt COUNT MODEL.gguf TEMPLATE MESSAGES
    """
  /// The vocabularies that are proved.
  private static let names = ["llama-bpe", "qwen35", "gemma-4"]

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 5, arguments[0] == "--prompt", let count = Int(arguments[1]), count > 0 {
      return try PromptTiming(count: count).run(
        model: arguments[2], template: arguments[3], messages: arguments[4])
    }
    let seed = arguments.count == 4 ? UInt64(arguments[3]) : 1
    guard arguments.count >= 3, arguments.count <= 4, let seed else { return leave() }
    let count = Int(arguments[1])
    switch (arguments[0], count) {
    case ("--dump", _): try Dump.write(model: arguments[1], to: arguments[2])
    case ("--oracle", let count?):
      let files = names.map { "\(arguments[2])/\($0).vocab" }
      exit(try await Oracle(count: count, seed: seed).run(files) ? 0 : 1)
    case ("--tokens", let count?):
      let files = names.map { "\(arguments[2])/ggml-vocab-\($0).gguf" }
      exit(try await TokenRuns(count: count, seed: seed).run(files) ? 0 : 1)
    default: leave()
    }
  }

  private static func leave() {
    print(usage)
    exit(2)
  }
}
