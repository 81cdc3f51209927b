internal import Fovea

/// `fovea schema`: the JSON Schema of a built-in type, to start one's own from.
struct SchemaCommand {
  static let specification = CommandSpecification(
    name: "schema",
    summary: "Print the JSON Schema of a built-in type.",
    operands: "", operandsHelp: "",
    options: [
      OptionSpecification(
        "type", short: "t", value: "NAME", choices: BuiltInType.allCases.map(\.rawValue),
        "the type; receipt by default")
    ],
    examples: [
      ("fovea schema --type receipt > receipt.json", "a schema to change and use with --schema")
    ])

  private let type: BuiltInType

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.operands.isEmpty else {
      throw UsageError("unexpected '\(arguments.operands[0])'", command: Self.specification)
    }
    type = arguments.values["type"].flatMap(BuiltInType.init) ?? .receipt
  }

  func run() throws -> ExitCode {
    try Console.write(try type.schema().jsonSchema(pretty: true) + "\n")
    return .ok
  }
}
