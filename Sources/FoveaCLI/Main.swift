internal import Dispatch
internal import Foundation
internal import Fovea

/// The program `fovea`.
@main
struct Main {
  /// All commands, in the order of the help.
  static let specifications = [
    ExtractCommand.specification, ChatCommand.specification, SchemaCommand.specification,
    TemplateCommand.specification, DevicesCommand.specification, BenchCommand.specification,
    CompletionCommand.specification,
  ]

  /// The version of the package; CHANGELOG.md says what is in it.
  static let version = "0.1.0"

  static func main() async {
    let command = Task { await run(Array(CommandLine.arguments.dropFirst())) }
    let interruption = cancelOnInterrupt(command)
    let code = await command.value
    interruption.cancel()
    exit(code.rawValue)
  }

  /// Ctrl-C stops the model at the next token, so that results so far are kept; a second one ends
  /// the process at once.
  private static func cancelOnInterrupt(
    _ command: Task<ExitCode, Never>
  ) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      command.cancel()
      signal(SIGINT, SIG_DFL)
    }
    source.resume()
    return source
  }

  private static func run(_ arguments: [String]) async -> ExitCode {
    do {
      return try await dispatch(arguments)
    } catch let error as UsageError {
      Console.note("error: \(error.line)")
      return .usage
    } catch let error as LoadingError {
      Console.note("error: \(error.error)")
      return error.exitCode
    } catch let error as FoveaError {
      if error.code == .cancelled { return .interrupted }
      Console.note("error: \(error)")
      return ExitCode(error)
    } catch let error as OutputError {
      Console.note("error: \(error.line)")
      return .input
    } catch {
      Console.note("error: \(error)")
      return .generation
    }
  }

  private static func dispatch(_ arguments: [String]) async throws -> ExitCode {
    guard let first = arguments.first else {
      throw UsageError("no command given")
    }
    switch first {
    case "--help", "-h", "help":
      let page = specifications.first { $0.name == arguments.dropFirst().first }
      try Console.write(page.map(HelpText.page) ?? HelpText.overview(specifications))
      return .ok
    case "--version":
      try Console.write("fovea \(version)\n")
      return .ok
    default: break
    }
    guard let specification = specifications.first(where: { $0.name == first }) else {
      throw UsageError("unknown command '\(first)'")
    }
    let rest = Array(arguments.dropFirst())
    if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      try Console.write(HelpText.page(for: specification))
      return .ok
    }
    let parsed = try ParsedArguments(rest, for: specification)
    switch specification.name {
    case ExtractCommand.specification.name: return try await ExtractCommand(parsed).run()
    case ChatCommand.specification.name: return try await ChatCommand(parsed).run()
    case SchemaCommand.specification.name: return try SchemaCommand(parsed).run()
    case TemplateCommand.specification.name: return try TemplateCommand(parsed).run()
    case DevicesCommand.specification.name: return try DevicesCommand(parsed).run()
    case BenchCommand.specification.name: return try await BenchCommand(parsed).run()
    default: return try CompletionCommand(parsed).run()
    }
  }
}
