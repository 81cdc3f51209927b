import Foundation
import FoveaTestSupport

/// Runs the real program.
enum Program {
  struct Outcome {
    let code: Int32
    let output: String
    let error: String

    var errorLines: [Substring] { error.split(separator: "\n") }
  }

  struct Missing: Error, CustomStringConvertible {
    let description =
      "no built program: run the tests with `make test`, or build it with `make build`"
  }

  /// `make test` names the release build; without it, whatever has been built is taken.
  static func path() throws -> String {
    let candidates =
      [ProcessInfo.processInfo.environment["FOVEA_BINARY"]].compactMap { $0 }
      + ["release", "debug"].map {
        Material.root.appendingPathComponent(".build/\($0)/fovea").path
      }
    guard let found = candidates.first(where: FileManager.default.isExecutableFile) else {
      throw Missing()
    }
    return found
  }

  /// Runs `fovea` with arguments; `interruptAfter` sends it Ctrl-C's signal after that time, and
  /// `addressSpace` limits it to so many kilobytes of it.
  static func run(
    _ arguments: [String], input: Data? = nil, in folder: URL? = nil,
    interruptAfter: TimeInterval? = nil, addressSpace: Int? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try path())
    process.arguments = arguments
    if let addressSpace {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -v \(addressSpace) && exec \"$0\" \"$@\"", try path()] + arguments
    }
    if let folder { process.currentDirectoryURL = folder }
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    let stdin = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : stdin
    try process.run()
    if let input {
      try stdin.fileHandleForWriting.write(contentsOf: input)
      try stdin.fileHandleForWriting.close()
    }
    if let interruptAfter {
      DispatchQueue.global().asyncAfter(deadline: .now() + interruptAfter) { process.interrupt() }
    }
    // Both pipes are read at the same time: a full one would stop the process.
    let errorReader = Reader(error.fileHandleForReading)
    let outputData = try output.fileHandleForReading.readToEnd() ?? Data()
    let errorData = errorReader.wait()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
      error: String(decoding: errorData, as: UTF8.self))
  }

  /// Reads a pipe on a thread of its own.
  private final class Reader: Sendable {
    private let group = DispatchGroup()
    private let box = Box()

    // Sendable: written once before the group is left, read after it was.
    private final class Box: @unchecked Sendable {
      var data = Data()
    }

    init(_ handle: FileHandle) {
      DispatchQueue.global().async(group: group) { [box] in
        // A pipe that breaks ends the text; the exit code tells the rest.
        box.data = (try? handle.readToEnd()) ?? Data()
      }
    }

    func wait() -> Data {
      group.wait()
      return box.data
    }
  }
}
