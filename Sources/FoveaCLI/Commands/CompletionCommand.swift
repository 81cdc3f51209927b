/// `fovea completion`: a script that lets a shell complete commands and options.
struct CompletionCommand {
  static let specification = CommandSpecification(
    name: "completion",
    summary: "Print a completion script for a shell.",
    operands: CompletionScript.shells.joined(separator: "|"),
    operandsHelp: "",
    options: [],
    examples: [("source <(fovea completion bash)", "completes commands and options from now on")])

  private let shell: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let shells = CompletionScript.shells
    guard arguments.operands.count == 1, shells.contains(arguments.operands[0]) else {
      throw UsageError(
        "name one shell: \(shells.joined(separator: ", "))", command: Self.specification)
    }
    shell = arguments.operands[0]
  }

  func run() throws -> ExitCode {
    try Console.write(CompletionScript.script(for: shell, commands: Main.specifications))
    return .ok
  }
}
