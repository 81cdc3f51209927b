/// How many tokens to guess, by how often guesses were right.
///
/// A guess that is right saves a token's time and costs that of one more in a batch; so the n-th token
/// of a guess pays while the chance that all n are right is more than that cost. Where guesses go
/// wrong too often, none are made.
struct DraftPolicy {
  /// What speaks for a guess.
  enum Evidence: Int, CaseIterable, Sendable {
    /// The schema forces it; only how the model cuts it into tokens is guessed.
    case forced
    /// A few letters before it are the same in the document.
    case shortMatch
    /// Many letters are.
    case longMatch
    /// It stands behind a word like the key.
    case key
    /// The document's line or column ends here, and so may the value.
    case fieldEnd
  }

  private struct Chances {
    var right: Double
    var wrong: Double
    var rate: Double { right / (right + wrong) }
  }

  /// By evidence; what a few guesses would outweigh.
  private var chances = [
    Chances(right: 6, wrong: 1), Chances(right: 2, wrong: 1), Chances(right: 4, wrong: 1),
    Chances(right: 2, wrong: 1), Chances(right: 2, wrong: 1),
  ]

  /// What an old guess still counts when another one is noted.
  private static let memory = 0.95
  /// The most tokens of a guess.
  static let mostTokens = 16

  /// How sure a token of a guess is.
  func chance(_ evidence: Evidence) -> Double { chances[evidence.rawValue].rate }

  /// Notes whether a token of a guess was right.
  mutating func record(_ evidence: Evidence, isRight: Bool) {
    let kind = evidence.rawValue
    chances[kind].right = chances[kind].right * Self.memory + (isRight ? 1 : 0)
    chances[kind].wrong = chances[kind].wrong * Self.memory + (isRight ? 0 : 1)
  }

  /// How many tokens of a guess pay: as long as the chance that all up to one are right is more than
  /// what one costs.
  ///
  /// - Parameter extraTokenCost: What a token more in a batch costs, where one alone costs 1.
  func count(of evidence: [Evidence], extraTokenCost: Double) -> Int {
    var all = 1.0
    for (index, evidence) in evidence.prefix(Self.mostTokens).enumerated() {
      all *= chance(evidence)
      if all <= extraTokenCost { return index }
    }
    return min(evidence.count, Self.mostTokens)
  }
}
