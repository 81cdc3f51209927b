/// Renders help from specifications.
enum HelpText {
  /// The page of `fovea --help`.
  static func overview(_ commands: [CommandSpecification]) -> String {
    let width = commands.map(\.name.count).max() ?? 0
    let list = commands.map { "  \(pad($0.name, width))  \($0.summary)" }.joined(separator: "\n")
    return """
      fovea: typed values from pictures, on this machine, offline.

      usage: fovea COMMAND [OPTIONS] …

      \(list)

      'fovea COMMAND --help' shows a command's options with examples.

      Exit codes: 0 ok, 1 invalid (schema --check), 2 usage, 3 input, 4 model, 5 generation, 130 interrupted.

      Try it:
        fovea extract Examples/receipts/*.png

      """
  }

  /// The page of `fovea COMMAND --help`.
  static func page(for command: CommandSpecification) -> String {
    var text = "\(command.summary)\n\nusage: fovea \(command.name)"
    if !command.options.isEmpty { text += " [OPTIONS]" }
    if !command.operands.isEmpty { text += " \(command.operands)" }
    text += "\n"
    if !command.operandsHelp.isEmpty { text += "\n\(command.operandsHelp)\n" }
    let options = (command.options + [.help]).map { (label(of: $0), help(of: $0)) }
    let width = options.map(\.0.count).max() ?? 0
    text += "\noptions:\n"
    for (label, help) in options { text += "  \(pad(label, width))  \(help)\n" }
    if !command.examples.isEmpty {
      text += "\nexamples:\n"
      for example in command.examples {
        text += "  \(example.command)\n      \(example.effect)\n"
      }
    }
    return text
  }

  private static func label(of option: OptionSpecification) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return "\(short)--\(option.name)\(option.value.map { " \($0)" } ?? "")"
  }

  private static func help(of option: OptionSpecification) -> String {
    guard !option.choices.isEmpty else { return option.help }
    return "\(option.help): \(option.choices.joined(separator: ", "))"
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
