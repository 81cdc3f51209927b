internal import Foundation
internal import Fovea

/// One schema and the instances that are fed through it, as `peers/tasks.py` wrote them: every
/// engine of a run gets the same text and the same tokens.
struct BenchTask {
  struct Run {
    let isValid: Bool
    let tokens: [TokenID]
  }

  let id: String
  let schema: String
  let runs: [Run]

  /// Reads a file with one task a line.
  static func read(_ path: String) throws -> [BenchTask] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try text.split(separator: "\n").map { try BenchTask(JSONValue(parsing: String($0))) }
  }

  private init(_ value: JSONValue) throws(FoveaError) {
    guard case .string(let id)? = value[name: "id"],
      case .string(let schema)? = value[name: "schema"],
      case .array(let runs)? = value[name: "runs"]
    else {
      throw FoveaError(
        .invalidArgument, "a line of the task file has no id, schema and runs",
        fix: "write it with Benchmarks/peers/tasks.py")
    }
    self.id = id
    self.schema = schema
    self.runs = runs.map { run in
      guard case .array(let tokens)? = run[name: "tokens"] else {
        return Run(isValid: run[name: "valid"] == .boolean(true), tokens: [])
      }
      let numbers = tokens.compactMap { token in
        if case .number(let digits) = token { TokenID(digits) } else { nil }
      }
      return Run(isValid: run[name: "valid"] == .boolean(true), tokens: numbers)
    }
  }
}
