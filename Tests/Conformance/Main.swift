internal import Foundation
internal import Fovea
internal import FoveaTestSupport

/// Judges public corpora of JSON Schemas with the grammar and the validator; see CONTRIBUTING.md.
@main
struct Main {
  private static let usage = """
    usage: fovea-conformance [--details FILE] [--update-ratchet]
           fovea-conformance --walks FILE [--count N] [--seed S]
    """

  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var details: String?
    var walks: String?
    var count = 3
    var seed: UInt64 = 1
    var updates = false
    while let argument = arguments.popFirst() {
      switch argument {
      case "--details": details = arguments.popFirst()
      case "--walks": walks = arguments.popFirst()
      case "--count": count = arguments.popFirst().flatMap { Int($0) } ?? count
      case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) } ?? seed
      case "--update-ratchet": updates = true
      default:
        print(usage)
        exit(2)
      }
    }
    let corpora = try Corpus.all()
    if !SharedData.isPresent { print("NOT RUN: the public corpora. \(SharedData.missing)") }
    if let walks {
      try Walks(count: count, seed: seed).write(corpora, to: walks)
    } else {
      exit(try judge(corpora, details: details, updatesRatchet: updates) ? 0 : 1)
    }
  }

  private static func judge(
    _ corpora: [Corpus], details: String?, updatesRatchet: Bool
  ) throws -> Bool {
    var total = Tally(name: "all")
    let tallies = corpora.map { corpus in
      var tally = Tally(name: corpus.name)
      tally.add(corpus)
      return tally
    }
    for tally in tallies { total.add(tally) }
    let declared = inDeclaredOrder(corpora)
    Report.printTable(tallies, total: total)
    Report.printRealShare(tallies)
    print("with keys in declared order alone, which is a choice and not the schema's:")
    Report.printTable(declared, total: nil)
    print(
      "slowest: \(total.slowest.name), \(String(format: "%.2f s", total.slowest.seconds))")
    if let details {
      try Report.details(total).write(toFile: details, atomically: true, encoding: .utf8)
    }
    var ratchet = try Ratchet()
    var worse: [String] = []
    var better: [String] = []
    if updatesRatchet {
      try ratchet.update(tallies + declared)
    } else {
      for tally in tallies + declared {
        let result = ratchet.compare(tally)
        worse += result.worse
        better += result.better
      }
    }
    for kind in [Tally.Kind.invalidAccepted, .invalidByValidator, .disagreement, .unnamedRefusal] {
      for finding in (declared + [total]).flatMap(\.findings) where finding.kind == kind {
        worse.append("\(kind.rawValue): \(finding.place)")
      }
    }
    for line in worse { print("worse: \(line)") }
    for line in better { print("better: \(line)") }
    if worse.isEmpty, !better.isEmpty {
      print("keep what was reached: scripts/conformance --update-ratchet")
    }
    print(
      "conformance: schemas=\(total.schemas) refused=\(total.refused) "
        + "invalid_accepted=\(total.count(.invalidAccepted)) valid_rejected=\(total.validRejected)")
    return worse.isEmpty
  }

  /// The corpora whose values mostly keep the declared order, judged with grammars that insist on
  /// it: one tally for each kind.
  private static func inDeclaredOrder(_ corpora: [Corpus]) -> [Tally] {
    ["maskbench", "faults"].compactMap { kind in
      var tally = Tally(name: "declared/\(kind)")
      for var corpus in corpora where corpus.name.hasPrefix(kind) {
        corpus.keys = .declared
        tally.add(corpus)
      }
      return tally.schemas == 0 ? nil : tally
    }
  }
}
