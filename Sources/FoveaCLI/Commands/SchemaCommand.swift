internal import Foundation
internal import Fovea

/// `fovea schema`: what Fovea makes of a schema, and whether a value matches it.
struct SchemaCommand {
  static let specification = CommandSpecification(
    name: "schema",
    summary: "Show what a JSON Schema allows, or check a value against it.",
    operands: "[FILE] [INSTANCE]",
    operandsHelp: """
      FILE is a JSON Schema of draft 4 to 2020-12; with --type or without FILE it is a built-in type.
      Shown are the sets of values that the schema stands for, the shortest instance and some made by
      chance, as a model could write them. A schema that cannot be enforced is refused, with the place
      and the keyword; what has no effect is a warning.

      With --check the value in INSTANCE (standard input without it) is checked instead: 'valid', or
      'invalid:' with a JSON pointer and the reason, and exit code 1.
      """,
    options: SchemaArguments.sources + [
      OptionSpecification("check", short: "c", "check a value against the schema"),
      OptionSpecification("json", "print the JSON Schema alone"),
      OptionSpecification("outline", "print the outline alone, as prompts show it"),
      OptionSpecification("examples", value: "N", "how many instances to make; 3 by default"),
      OptionSpecification("seed", value: "N", "makes other instances; 1 by default"),
      OptionSpecification(
        "key-order", value: "ORDER", choices: ["declared", "any"], "how keys follow each other"),
      OptionSpecification(
        "whitespace", value: "HOW", choices: ["compact", "spaced", "pretty"],
        "the blanks of instances"),
    ] + SchemaArguments.choices,
    examples: [
      ("fovea schema order.json", "what became of the schema, and instances of it"),
      ("fovea schema --check order.json order-17.json", "'valid', or where it is not"),
      (
        "fovea schema --unknown-formats annotate order.json",
        "lets a format that Fovea does not know be any text"
      ),
      (
        "fovea schema --type receipt --json > receipt.json",
        "a schema to change and use with --schema"
      ),
    ])

  private let schema: SchemaArguments
  private let instancePath: String?
  private let isJSON: Bool
  private let isOutline: Bool
  private let examples: Int
  private let seed: UInt64
  private let keyOrder: Grammar.KeyOrder
  private let whitespace: Grammar.Whitespace

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let command = Self.specification
    var operands = arguments.operands[...]
    let path = arguments.values["type"] == nil ? operands.popFirst() : nil
    let checks = arguments.flags.contains("check")
    isJSON = arguments.flags.contains("json")
    isOutline = arguments.flags.contains("outline")
    instancePath = checks ? operands.popFirst() ?? "-" : nil
    if let surplus = operands.first {
      throw UsageError("unexpected '\(surplus)'", command: command)
    }
    guard [checks, isJSON, isOutline].filter({ $0 }).count <= 1 else {
      throw UsageError("'--check', '--json' and '--outline' exclude each other", command: command)
    }
    guard path != "-" || instancePath != "-" else {
      throw UsageError(
        "standard input cannot be the schema and the value; name a file for one", command: command)
    }
    schema = SchemaArguments(arguments, path: path)
    examples = try arguments.integer("examples", in: 0...1_000, of: command) ?? 3
    seed = UInt64(try arguments.integer("seed", in: 0...Int(UInt32.max), of: command) ?? 1)
    keyOrder = arguments.values["key-order"] == "any" ? .any : .declared
    whitespace =
      switch arguments.values["whitespace"] {
      case "spaced": .spaced
      case "pretty": .pretty(indent: 2)
      default: .compact
      }
  }

  func run() throws -> ExitCode {
    let schema = try schema.read()
    if let instancePath { return try check(instancePath, schema) }
    if isOutline {
      try Console.write(schema.outline() + "\n")
    } else if isJSON {
      try Console.write(schema.jsonSchema(pretty: true) + "\n")
    } else {
      try show(schema)
    }
    return .ok
  }

  // MARK: Show

  private func show(_ schema: Schema) throws {
    let (form, grammar) = try self.schema.named { () throws(FoveaError) in
      let form = try schema.normalForm()
      return (form, try Grammar(form, whitespace: whitespace, keyOrder: keyOrder))
    }
    try Console.write(form.describe())
    try Console.write("\nnodes: \(form.nodes.count), states: \(grammar.stateCount)\n")
    let shortest = grammar.shortestInstance()
    try write([shortest], under: "shortest instance, \(shortest.count) bytes")
    var generator = SeededGenerator(seed: seed)
    let instances = (0..<examples).map { _ in grammar.randomInstance(using: &generator) }
    try write(instances, under: "instances by chance, seed \(seed)")
  }

  private func write(_ instances: [[UInt8]], under title: String) throws(OutputError) {
    if instances.isEmpty { return }
    let lines = instances.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
    try Console.write("\n\(title):\n" + lines.map { "  \($0)\n" }.joined())
  }

  // MARK: Check

  /// By the validator, which shares nothing with the grammar.
  private func check(_ path: String, _ schema: Schema) throws -> ExitCode {
    guard let breach = Self.breach(of: try InputFile.bytes(of: path, as: "value"), schema) else {
      try Console.write("valid\n")
      return .ok
    }
    try Console.write("invalid: \(breach)\n")
    return .invalid
  }

  /// What is wrong with a text that should be a value; nil: nothing.
  private static func breach(of bytes: Data, _ schema: Schema) -> String? {
    guard let text = String(bytes: bytes, encoding: .utf8) else { return "the text is not UTF-8" }
    do throws(FoveaError) {
      return schema.violation(of: try JSONValue(parsing: text))
    } catch {
      return error.message
    }
  }
}
