@testable import Fovea

/// All texts of a grammar up to a length, made by putting texts together: no automaton in it.
struct BoundedLanguage {
  /// The characters of the texts; others of the grammar's are left out.
  let alphabet: [Unicode.Scalar]
  /// The most bytes of a text.
  let longest: Int
  private(set) var texts: Set<[UInt8]> = []

  init(_ grammar: GBNFGrammar, alphabet: String, longest: Int) {
    self.alphabet = Array(alphabet.unicodeScalars)
    self.longest = longest
    var known = [Set<[UInt8]>](repeating: [], count: grammar.rules.count)
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for (index, rule) in grammar.rules.enumerated() {
        let found = expand(rule.body, known)
        if found.count > known[index].count {
          known[index] = found
          hasChanged = true
        }
      }
    }
    texts = known[grammar.root]
  }

  private func expand(_ expression: GBNFGrammar.Expression, _ known: [Set<[UInt8]>]) -> Set<[UInt8]>
  {
    switch expression {
    case .characters(let set):
      let members = alphabet.filter { scalar in
        set.ranges.contains { $0.contains(scalar.value) }
      }
      return Set(members.map { Array(String($0).utf8) }.filter { $0.count <= longest })
    case .rule(let rule): return known[rule]
    case .sequence(let parts):
      return parts.reduce([[]]) { join($0, expand($1, known)) }
    case .choice(let parts):
      return parts.reduce([]) { $0.union(expand($1, known)) }
    case .repetition(let part, let minimum, let maximum):
      let once = expand(part, known)
      var exactly: Set<[UInt8]> = [[]]
      for _ in 0..<minimum { exactly = join(exactly, once) }
      var result = exactly
      // A text has at most `longest` parts that are not empty.
      for _ in minimum..<max(minimum, min(maximum ?? Int.max, minimum + longest)) {
        exactly = join(exactly, once)
        result.formUnion(exactly)
      }
      return result
    }
  }

  private func join(_ left: Set<[UInt8]>, _ right: Set<[UInt8]>) -> Set<[UInt8]> {
    var result: Set<[UInt8]> = []
    for first in left {
      for second in right where first.count + second.count <= longest {
        result.insert(first + second)
      }
    }
    return result
  }
}
