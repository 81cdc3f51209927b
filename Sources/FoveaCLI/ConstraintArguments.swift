internal import Foundation
internal import Fovea

/// The options that say what an answer may be.
struct ConstraintArguments {
  static let specifications = [
    OptionSpecification("choice", value: "A,B,…", "answer with one of these texts"),
    OptionSpecification(
      "regex", value: "PATTERN", "answer with a text that the pattern matches as a whole"),
    OptionSpecification(
      "grammar", value: "FILE", "answer with a text of this grammar (.gbnf, as llama.cpp has them)"),
  ]

  private enum Source {
    case given(OutputConstraint)
    case file(String)
  }

  private let source: Source?

  init(_ arguments: ParsedArguments, of command: CommandSpecification) throws(UsageError) {
    let given = Self.specifications.map(\.name).filter { arguments.values[$0] != nil }
    guard given.count <= 1 else {
      throw UsageError("'--\(given[0])' and '--\(given[1])' exclude each other", command: command)
    }
    if let texts = arguments.values["choice"] {
      let choice = texts.split(separator: ",").map(String.init)
      guard !choice.isEmpty else {
        throw UsageError(
          "'--choice' needs texts with commas between them, not '\(texts)'", command: command)
      }
      source = .given(.choice(choice))
    } else if let pattern = arguments.values["regex"] {
      source = .given(.regex(pattern))
    } else {
      source = arguments.values["grammar"].map { .file($0) }
    }
  }

  /// Reads and checks what was given, so that a mistake is told before a model is loaded.
  ///
  /// - Throws: `.fileNotReadable`, and what ``OutputConstraint/check()`` throws, with the file's name.
  func read() throws(FoveaError) -> OutputConstraint? {
    switch source {
    case nil: return nil
    case .given(let constraint):
      try constraint.check()
      return constraint
    case .file(let path):
      let constraint = OutputConstraint.gbnf(try text(of: path))
      try FoveaError.naming(path) { () throws(FoveaError) in try constraint.check() }
      return constraint
    }
  }

  private func text(of path: String) throws(FoveaError) -> String {
    let data = try InputFile.bytes(of: path, as: "grammar")
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw FoveaError(
        .invalidSchema, "the grammar '\(path)' is not UTF-8", fix: "save it as UTF-8 text")
    }
    return text
  }
}
