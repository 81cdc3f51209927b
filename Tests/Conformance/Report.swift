internal import Foundation
internal import FoveaTestSupport

/// Tallies as a table, and all that needs a look as a list.
enum Report {
  /// Prints a row for each corpus, and one for all.
  static func printTable(_ tallies: [Tally], total: Tally?) {
    let rows = tallies + (total.map { [$0] } ?? [])
    let heads = [
      "schemas", "values", "refused", "of them empty", "invalid accepted", "valid rejected",
      "of them documented", "validator: invalid accepted", "disagreements",
    ]
    let widest = rows.map(\.name.count).max() ?? 0
    let row = { (name: String, cells: [String]) in
      var line = name + String(repeating: " ", count: widest - name.count)
      for (head, cell) in zip(heads, cells) {
        line += "  " + String(repeating: " ", count: max(0, head.count - cell.count)) + cell
      }
      print(line)
    }
    row("corpus", heads)
    for tally in rows {
      let cells = [
        tally.schemas, tally.instances, tally.refused, tally.count(.empty),
        tally.count(.invalidAccepted), tally.validRejected, tally.count(.documented),
        tally.count(.invalidByValidator), tally.count(.disagreement),
      ]
      row(tally.name, cells.map(String.init))
    }
  }

  /// Prints how many real schemas MaskBench's splits have and how many of them are refused.
  static func printRealShare(_ tallies: [Tally]) {
    var real = Tally(name: "")
    for tally in tallies
    where tally.name.hasPrefix("maskbench/") && !tally.name.hasSuffix("/Synthesized")
      && !tally.name.hasSuffix("/Handwritten")
    {
      real.add(tally)
    }
    if real.schemas == 0 { return }
    let share = Double(real.refused) * 100 / Double(real.schemas)
    print(
      "real schemas of MaskBench refused: \(real.refused) of \(real.schemas), "
        + String(format: "%.1f %%", share))
  }

  /// Every finding, by kind and reason, the most frequent first.
  static func details(_ tally: Tally) -> String {
    var text = ""
    for kind in Tally.Kind.allCases {
      let findings = tally.findings.filter { $0.kind == kind }
      if findings.isEmpty { continue }
      text += "\n== \(kind.rawValue): \(findings.count)\n"
      let groups = Dictionary(grouping: findings, by: \.reason).sorted {
        ($1.value.count, $0.key) < ($0.value.count, $1.key)
      }
      for (reason, places) in groups {
        text += "\n-- \(places.count): \(reason)\n"
        for place in places { text += "   \(place.place)\n" }
      }
    }
    return text
  }
}
