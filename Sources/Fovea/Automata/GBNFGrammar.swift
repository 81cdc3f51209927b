/// A grammar as its file says it, with every rule defined and every repetition spelled out.
struct GBNFGrammar {
  /// What a rule, or a part of it, stands for.
  indirect enum Expression {
    /// One character of a set; the set is not empty.
    case characters(CharacterRanges)
    /// What another rule stands for.
    case rule(Int)
    /// One after the other; nothing at all when there are none.
    case sequence([Expression])
    /// One of these.
    case choice([Expression])
    /// So many times; `maximum` nil: without a limit.
    case repetition(Expression, minimum: Int, maximum: Int?)
  }

  /// A rule and where its name stands.
  struct Rule {
    var name: String
    var line: Int
    var body: Expression
  }

  var rules: [Rule]
  /// The rule that a whole text follows.
  var root: Int
}

extension GBNFGrammar.Expression {
  /// Calls a function for each rule that is named, in order of the text.
  func forEachRule(_ body: (Int) -> Void) {
    switch self {
    case .characters: break
    case .rule(let rule): body(rule)
    case .sequence(let parts), .choice(let parts): for part in parts { part.forEachRule(body) }
    case .repetition(let part, _, _): part.forEachRule(body)
    }
  }

  /// Whether there is a text, or an empty text, given the rules of which that is known.
  func holds(_ known: [Bool], ofCharacters value: Bool) -> Bool {
    switch self {
    case .characters: value
    case .rule(let rule): known[rule]
    case .sequence(let parts): parts.allSatisfy { $0.holds(known, ofCharacters: value) }
    case .choice(let parts): parts.contains { $0.holds(known, ofCharacters: value) }
    case .repetition(let part, let minimum, _):
      minimum == 0 || part.holds(known, ofCharacters: value)
    }
  }
}
