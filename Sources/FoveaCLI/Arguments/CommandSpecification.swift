/// What a command takes: the one source of its parsing, its help and its completion.
struct CommandSpecification {
  let name: String
  /// One line.
  let summary: String
  /// What stands behind the options, for example `IMAGE|TEXT…`; empty: nothing.
  let operands: String
  /// What the operands are.
  let operandsHelp: String
  let options: [OptionSpecification]
  /// Command lines with what they do.
  let examples: [(command: String, effect: String)]

  func option(named name: String) -> OptionSpecification? {
    options.first { "--\($0.name)" == name || $0.short.map { "-\($0)" } == name }
  }
}

/// An option of a command.
struct OptionSpecification {
  let name: String
  let short: Character?
  /// What its value is called in the help; nil: a flag without a value.
  let value: String?
  let help: String
  /// The values allowed, where they can be listed.
  let choices: [String]

  init(
    _ name: String, short: Character? = nil, value: String? = nil, choices: [String] = [],
    _ help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.choices = choices
    self.help = help
  }

  /// Taken by every command.
  static let help = OptionSpecification("help", short: "h", "show this help")
}
