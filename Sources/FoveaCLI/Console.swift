internal import Foundation
internal import Fovea

/// The process's three streams. JSON goes to standard output and nothing else does; words for
/// people go to standard error.
enum Console {
  /// Whether people read standard error as it is written.
  static let errorIsTerminal = isatty(STDERR_FILENO) == 1
  /// Whether a person types the input.
  static let inputIsTerminal = isatty(STDIN_FILENO) == 1

  /// Writes to standard output at once.
  static func write(_ text: String) throws(OutputError) {
    try write(text, to: .standardOutput, name: "standard output")
  }

  /// Writes to an open file at once.
  static func write(_ text: String, to file: FileHandle, name: String) throws(OutputError) {
    do {
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      throw OutputError(name: name, reason: SystemReason.of(error))
    }
  }

  /// Writes a line for people.
  static func note(_ line: String) {
    clearProgress()
    tell("fovea: \(line)\n")
  }

  /// Shows what is going on, in place, where standard error is a terminal.
  static func progress(_ line: String) {
    if errorIsTerminal { tell("\r\u{1B}[K\(line)") }
  }

  /// Removes what ``progress(_:)`` showed.
  static func clearProgress() { progress("") }

  /// Asks for a line, where a person types the input.
  static func prompt(_ text: String) {
    if inputIsTerminal { tell(text) }
  }

  /// Writes words for people as they are.
  static func tell(_ text: String) {
    // With standard error closed there is nobody to tell.
    try? write(text, to: .standardError, name: "standard error")
  }
}

/// An answer as it streams: the thought before it is for people, the answer itself is output.
struct StreamedAnswer {
  private var isThinking = false

  /// Shows more of what the model thinks.
  mutating func think(_ piece: String) {
    Console.tell(piece)
    isThinking = true
  }

  /// Writes more of the answer, set apart from the thought.
  mutating func write(_ piece: String) throws(OutputError) {
    if isThinking { Console.tell("\n\n") }
    isThinking = false
    try Console.write(piece)
  }
}

/// Output that could not be written: a full disk, no permission.
struct OutputError: Error {
  let name: String
  let reason: String

  var line: String {
    "cannot write \(name) (\(reason)); check the path, its permissions and the free space"
  }
}
