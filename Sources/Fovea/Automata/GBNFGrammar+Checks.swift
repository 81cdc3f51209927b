extension GBNFGrammar {
  /// Which rules may stand for the empty text.
  var emptyRules: [Bool] { leastFixedPoint(ofCharacters: false) }

  /// Refuses grammars that cannot be followed.
  ///
  /// - Throws: `.unsupportedSchema` for left recursion, `.invalidSchema` for a rule without a
  ///   finite text; both name the rules.
  func check() throws(FoveaError) {
    let finite = leastFixedPoint(ofCharacters: true)
    if let rule = rules.indices.first(where: { !finite[$0] }) {
      throw FoveaError(
        .invalidSchema,
        "the rule '\(rules[rule].name)' (line \(rules[rule].line)) of the grammar has no finite "
          + "text: it always needs itself again",
        fix: "give it an alternative that ends")
    }
    let empty = emptyRules
    if let cycle = leftRecursion(empty: empty) {
      let names = (cycle + [cycle[0]]).map { rules[$0].name }.joined(separator: " → ")
      let first = rules[cycle[0]]
      throw FoveaError(
        .unsupportedSchema,
        "the grammar is left-recursive (\(names)): the rule '\(first.name)' (line \(first.line)) "
          + "can begin with itself",
        fix: "write 'a ::= a b | c' as 'a ::= c b*'")
    }
  }

  /// The least solution of ``Expression/holds(_:ofCharacters:)`` over all rules.
  private func leastFixedPoint(ofCharacters value: Bool) -> [Bool] {
    var users = [[Int]](repeating: [], count: rules.count)
    for (index, rule) in rules.enumerated() {
      rule.body.forEachRule { users[$0].append(index) }
    }
    var known = [Bool](repeating: false, count: rules.count)
    var pending = Array(rules.indices.reversed())
    while let rule = pending.popLast() {
      if known[rule] || !rules[rule].body.holds(known, ofCharacters: value) { continue }
      known[rule] = true
      pending += users[rule]
    }
    return known
  }

  /// The rules of a cycle in which each can begin with the next.
  private func leftRecursion(empty: [Bool]) -> [Int]? {
    var first: [[Int]] = []
    for rule in rules {
      var leading: [Int] = []
      collectLeading(of: rule.body, empty: empty, into: &leading)
      first.append(leading)
    }
    // Depth first; `path` is the way to the rule at hand.
    var isDone = [Bool](repeating: false, count: rules.count)
    var place = [Int?](repeating: nil, count: rules.count)
    for start in rules.indices where !isDone[start] {
      var path = [start]
      var next = [0]
      place[start] = 0
      while let rule = path.last {
        let position = next[path.count - 1]
        if position == first[rule].count {
          isDone[rule] = true
          place[rule] = nil
          path.removeLast()
          next.removeLast()
          continue
        }
        next[path.count - 1] += 1
        let target = first[rule][position]
        if let begin = place[target] { return Array(path[begin...]) }
        if isDone[target] { continue }
        place[target] = path.count
        path.append(target)
        next.append(0)
      }
    }
    return nil
  }

  /// The rules with which a text of the expression can begin.
  private func collectLeading(
    of expression: Expression, empty: [Bool], into result: inout [Int]
  ) {
    switch expression {
    case .characters: break
    case .rule(let rule): result.append(rule)
    case .sequence(let parts):
      for part in parts {
        collectLeading(of: part, empty: empty, into: &result)
        if !part.holds(empty, ofCharacters: false) { break }
      }
    case .choice(let parts):
      for part in parts { collectLeading(of: part, empty: empty, into: &result) }
    case .repetition(let part, _, _): collectLeading(of: part, empty: empty, into: &result)
    }
  }
}
