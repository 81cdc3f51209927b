/// A command line, sorted into options and operands.
struct ParsedArguments {
  private(set) var values: [String: String] = [:]
  private(set) var flags: Set<String> = []
  private(set) var operands: [String] = []

  /// Sorts arguments by a command's specification. `--name=value`, `--name value`, `-n value` and
  /// `--` (all that follows is an operand) are understood.
  ///
  /// - Throws: ``UsageError`` that names the argument.
  init(_ arguments: [String], for command: CommandSpecification) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = command.option(named: name) else {
        throw UsageError(
          "unknown option '\(name)'\(Self.suggestion(for: name, in: command))", command: command)
      }
      guard let valueName = option.value else {
        guard parts.count == 1 else {
          throw UsageError("option '\(name)' takes no value", command: command)
        }
        flags.insert(option.name)
        continue
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("option '\(name)' needs a value (\(valueName))", command: command)
      }
      guard option.choices.isEmpty || option.choices.contains(value) else {
        throw UsageError(
          "'\(value)' is not a value of '\(name)'; it is one of: "
            + option.choices.joined(separator: ", "), command: command)
      }
      guard values.updateValue(value, forKey: option.name) == nil else {
        throw UsageError("option '\(name)' is given twice", command: command)
      }
    }
  }

  /// Takes an operand as the model, for commands that are about one.
  mutating func setModel(_ path: String) { values["model"] = path }

  /// The value of an option as a whole number within a range.
  func integer(
    _ name: String, in range: ClosedRange<Int>, of command: CommandSpecification
  ) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "'--\(name)' needs a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "not '\(text)'", command: command)
    }
    return number
  }

  /// The value of an option as a decimal number of at least 0.
  func number(_ name: String, of command: CommandSpecification) throws(UsageError) -> Float? {
    guard let text = values[name] else { return nil }
    guard let number = Float(text), number >= 0, number.isFinite else {
      throw UsageError("'--\(name)' needs a number of at least 0, not '\(text)'", command: command)
    }
    return number
  }

  /// The option that is nearest to a misspelt one.
  private static func suggestion(for name: String, in command: CommandSpecification) -> String {
    let close = command.options.map { "--\($0.name)" }
      .map { ($0, distance(name, $0)) }
      .filter { $0.1 <= 2 }
      .min { $0.1 < $1.1 }
    return close.map { "; did you mean '\($0.0)'?" } ?? ""
  }

  /// Levenshtein's distance.
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let next = min(row[j + 1] + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[right.count]
  }
}

/// A command line that makes no sense.
struct UsageError: Error {
  let message: String
  let command: String?

  init(_ message: String, command: CommandSpecification? = nil) {
    self.message = message
    self.command = command?.name
  }

  /// The message and where to read more.
  var line: String {
    "\(message); see 'fovea \(command.map { "\($0) " } ?? "")--help'"
  }
}
