internal import Foundation
internal import Fovea

/// The options that name a schema and say how it is read, the same for every command.
struct SchemaArguments {
  /// Which schema.
  static let sources = [
    OptionSpecification(
      "type", short: "t", value: "NAME", choices: BuiltInType.allCases.map(\.rawValue),
      "a built-in type of value")
  ]

  /// How it is read.
  static let choices = [
    OptionSpecification(
      "unknown-formats", value: "HOW", choices: ["refuse", "annotate"],
      "a \"format\" that is not known"),
    OptionSpecification(
      "one-of", value: "HOW", choices: ["refuse", "any-of"],
      "a \"oneOf\" whose overlap cannot be excluded"),
    OptionSpecification(
      "unique", value: "HOW", choices: ["refuse", "ignore"],
      "\"uniqueItems\" of lists or objects"),
    OptionSpecification("strict", "refuse names that are no keywords, instead of warning"),
  ]

  private let path: String?
  private let type: BuiltInType
  private let options: SchemaOptions

  /// `path` nil: the built-in type.
  init(_ arguments: ParsedArguments, path: String?) {
    self.path = path
    type = arguments.values["type"].flatMap(BuiltInType.init) ?? .receipt
    options = SchemaOptions(
      unknownFormats: arguments.values["unknown-formats"] == "annotate" ? .annotate : .refuse,
      overlappingOneOf: arguments.values["one-of"] == "any-of" ? .asAnyOf : .refuse,
      uniqueContainers: arguments.values["unique"] == "ignore" ? .ignoreAndReport : .refuse,
      isStrict: arguments.flags.contains("strict"))
  }

  /// Reads the schema, and tells on standard error what in it has no effect.
  ///
  /// - Throws: `.fileNotReadable`, and what ``Schema/parse(jsonSchema:options:)`` throws, with the
  ///   file's name.
  func read() throws(FoveaError) -> Schema {
    guard let path else { return try type.schema() }
    let data = try InputFile.bytes(of: path, as: "schema")
    return try named { () throws(FoveaError) in
      let (schema, warnings) = try Schema.parse(jsonSchema: data, options: options)
      for warning in warnings { Console.note("warning: \(name(of: path)): \(warning)") }
      return schema
    }
  }

  /// Does something with the schema; what it throws names the file.
  func named<Result>(_ body: () throws(FoveaError) -> Result) throws(FoveaError) -> Result {
    guard let path else { return try body() }
    return try FoveaError.naming(name(of: path), body)
  }

  private func name(of path: String) -> String { path == "-" ? "standard input" : path }
}

extension FoveaError {
  /// What `body` throws, with the name of the file that is at fault.
  static func naming<Result>(
    _ path: String, _ body: () throws(FoveaError) -> Result
  ) throws(FoveaError) -> Result {
    do throws(FoveaError) {
      return try body()
    } catch {
      throw FoveaError(error.code, "\(path): \(error.message)", fix: error.fix, cause: error.cause)
    }
  }
}
