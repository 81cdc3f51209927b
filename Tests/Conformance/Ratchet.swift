internal import Foundation
internal import Fovea
internal import FoveaTestSupport

/// The numbers that were reached, by corpus, in a file of the repository: they may get better,
/// never worse.
struct Ratchet {
  struct Numbers: Equatable {
    var schemas: Int
    var refused: Int
    var invalidAccepted: Int
    var validRejected: Int
  }

  static let file = Material.root.appendingPathComponent("Tests/Conformance/ratchet.txt")
  private static let header = """
    # What `make conformance` reached. It fails when a number gets worse; when one gets better, run
    # scripts/conformance --update-ratchet.
    # corpus  schemas  refused  invalid-accepted  valid-rejected

    """

  private(set) var numbers: [String: Numbers] = [:]

  /// Reads the file; where there is none, nothing was reached yet.
  init() throws {
    guard FileManager.default.fileExists(atPath: Self.file.path) else { return }
    for line in try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      let parts = line.split(separator: " ")
      let values = parts.dropFirst().compactMap { Int($0) }
      guard parts.count == 5, values.count == 4 else {
        throw FoveaError(.invalidArgument, "the ratchet has a line that is none: \(line)")
      }
      numbers[String(parts[0])] = Numbers(
        schemas: values[0], refused: values[1], invalidAccepted: values[2], validRejected: values[3]
      )
    }
  }

  /// Compares a corpus with what was reached. Another number of schemas means another sample.
  func compare(_ tally: Tally) -> (worse: [String], better: [String]) {
    guard let before = numbers[tally.name] else {
      return ([], ["\(tally.name) is not in the ratchet yet"])
    }
    let now = Numbers(tally)
    guard now.schemas == before.schemas else {
      return (
        ["\(tally.name) has \(now.schemas) schemas, not the \(before.schemas) of the ratchet"], []
      )
    }
    var worse: [String] = []
    var better: [String] = []
    func look(_ what: String, _ now: Int, _ before: Int) {
      if now > before { worse.append("\(tally.name): \(what) \(now), was \(before)") }
      if now < before { better.append("\(tally.name): \(what) \(now), was \(before)") }
    }
    look("refused", now.refused, before.refused)
    look("invalid accepted", now.invalidAccepted, before.invalidAccepted)
    // A schema that is no longer refused brings values of its own: that is no step back.
    if now.refused >= before.refused {
      look("valid rejected", now.validRejected, before.validRejected)
    }
    return (worse, better)
  }

  mutating func update(_ tallies: [Tally]) throws {
    for tally in tallies { numbers[tally.name] = Numbers(tally) }
    var text = Self.header
    for (name, reached) in numbers.sorted(by: { $0.key < $1.key }) {
      text +=
        "\(name) \(reached.schemas) \(reached.refused) \(reached.invalidAccepted) \(reached.validRejected)\n"
    }
    try text.write(to: Self.file, atomically: true, encoding: .utf8)
  }
}

extension Ratchet.Numbers {
  init(_ tally: Tally) {
    schemas = tally.schemas
    refused = tally.refused
    invalidAccepted = tally.count(.invalidAccepted)
    validRejected = tally.validRejected
  }
}
