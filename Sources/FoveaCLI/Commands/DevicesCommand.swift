internal import Fovea
internal import FoveaLlama

/// `fovea devices`: what this machine has, how a model is computed on it, and why.
struct DevicesCommand {
  static let specification = CommandSpecification(
    name: "devices",
    summary: "Show what this machine has, and how a model would be computed here, with reasons.",
    operands: "[MODEL]",
    operandsHelp: """
      MODEL is a GGUF file. Only its header and vocabulary are read: llama.cpp lays everything out as
      for a load, but allocates nothing. Without a model, only the machine is shown.

      Ends with code 4 where the model does not fit into memory, and tells what would.
      """,
    options: [
      OptionSpecification("json", "write one JSON object")
    ] + ModelArguments.specifications.filter { !["model", "chat-template"].contains($0.name) },
    examples: [
      ("fovea devices", "the machine's processors, memory and GPUs"),
      ("fovea devices model.gguf", "what it takes to run a model"),
      ("fovea devices model.gguf --context 32768 --kv-cache q8_0", "and with a long context"),
    ])

  private let files: ModelFiles?
  private let options: LlamaOptions
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let command = Self.specification
    guard arguments.operands.count <= 1 else {
      throw UsageError("name one model", command: command)
    }
    var arguments = arguments
    if let path = arguments.operands.first { arguments.setModel(path) }
    let model = try ModelArguments(arguments, of: command)
    files = model.files
    options = model.options
    isJSON = arguments.flags.contains("json")
  }

  func run() throws -> ExitCode {
    guard let files else {
      let report = DevicesReport(machine: LoadPlan.machine())
      try Console.write(isJSON ? report.json.text + "\n" : report.text)
      return .ok
    }
    let load: LoadPlan
    do throws(FoveaError) {
      load = try LoadPlan.inspect(files, options: options)
    } catch {
      throw LoadingError(error: error)
    }
    let report = DevicesReport(machine: load.machine, load: load)
    try Console.write(isJSON ? report.json.text + "\n" : report.text)
    if let refusal = load.refusal { throw LoadingError(error: refusal) }
    return .ok
  }
}
