internal import Foundation
internal import Fovea

/// How results are written.
enum OutputFormat: String, CaseIterable {
  /// One input: its value, indented. Several: an array of records.
  case json
  /// A record for each input, on a line of its own.
  case jsonl
}

/// The outcome for one input.
struct Record {
  let input: String
  /// What is wrong with a picture that was used all the same.
  let damage: FoveaError?
  let outcome: Result<Extraction<JSONValue>, FoveaError>

  /// The record as JSON: input, damage where there is some, then value, finish reason, whether the limit closed it early, usage
  /// and timings, or the error.
  var json: JSONValue {
    var members: [JSONValue.Member] = [.init("input", .string(input))]
    if let damage {
      var details: [JSONValue.Member] = [.init("message", .string(damage.message))]
      if let cause = damage.cause { details.append(.init("cause", .string(cause))) }
      members.append(.init("damage", .object(details)))
    }
    switch outcome {
    case .success(let extraction):
      members.append(.init("value", extraction.value))
      members.append(.init("finish_reason", .string(extraction.finishReason.rawValue)))
      members.append(
        .init("truncated_by_budget", .boolean(extraction.isTruncatedByBudget)))
      members.append(.init("usage", Summary.usage(extraction.usage)))
      members.append(.init("timings", Summary.timings(extraction.timings)))
    case .failure(let error):
      var details: [JSONValue.Member] = [
        .init("code", .string(error.code.rawValue)), .init("message", .string(error.message)),
      ]
      if let cause = error.cause { details.append(.init("cause", .string(cause))) }
      if let fix = error.fix { details.append(.init("fix", .string(fix))) }
      if let partial = error.partialText { details.append(.init("partial", .string(partial))) }
      members.append(.init("error", .object(details)))
    }
    return .object(members)
  }
}

/// Writes records as they come, so that an interrupted run keeps what it has.
struct RecordOutput {
  private let format: OutputFormat
  private let path: String?
  private let isArray: Bool
  private var file: FileHandle?
  private var count = 0

  /// Nothing is opened or overwritten before the first record is there.
  init(format: OutputFormat, path: String?, isArray: Bool) {
    self.format = format
    self.path = path
    self.isArray = isArray
  }

  mutating func append(_ record: Record) throws(OutputError) {
    switch (format, isArray) {
    case (.jsonl, _): try write("\(record.json.text)\n")
    case (.json, true): try write("\(count == 0 ? "[\n" : ",\n")\(record.json.text)")
    case (.json, false):
      if case .success(let extraction) = record.outcome {
        try write("\(extraction.value.text(pretty: true))\n")
      }
    }
    count += 1
  }

  /// Closes an array, also that of an interrupted run.
  mutating func finish() throws(OutputError) {
    if format == .json, isArray { try write(count == 0 ? "[]\n" : "\n]\n") }
    // Every write was checked; closing only gives the descriptor back.
    try? file?.close()
    file = nil
  }

  private mutating func write(_ text: String) throws(OutputError) {
    guard let path else { return try Console.write(text) }
    try Console.write(text, to: try open(path), name: "'\(path)'")
  }

  private mutating func open(_ path: String) throws(OutputError) -> FileHandle {
    if let file { return file }
    do {
      try Data().write(to: URL(fileURLWithPath: path))
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      self.file = file
      return file
    } catch {
      throw OutputError(name: "'\(path)'", reason: SystemReason.of(error))
    }
  }
}
