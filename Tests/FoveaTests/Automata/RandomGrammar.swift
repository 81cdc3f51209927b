import FoveaTestSupport

@testable import Fovea

/// Writes small grammars with every kind of expression.
struct RandomGrammar {
  private var generator: SeededGenerator
  private var rules = 1

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func grammar() -> String {
    rules = Int.random(in: 1...3, using: &generator)
    return (0..<rules).map { "\(name($0)) ::= \(alternatives(depth: 2))" }.joined(separator: "\n")
  }

  private func name(_ rule: Int) -> String { rule == 0 ? "root" : "rule-\(rule)" }

  private mutating func alternatives(depth: Int) -> String {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in sequence(depth: depth) }
      .joined(separator: " | ")
  }

  private mutating func sequence(depth: Int) -> String {
    // Nothing at all at the end of a line would go on with the next one.
    let items = (0..<Int.random(in: 0...3, using: &generator)).map { _ in item(depth: depth) }
    return items.isEmpty && depth == 2 ? "\"\"" : items.joined(separator: " ")
  }

  private mutating func item(depth: Int) -> String {
    let kinds = depth > 0 ? 12 : 9
    let item =
      switch Int.random(in: 0..<kinds, using: &generator) {
      case 0: "\"a\""
      case 1: "\"bé\""
      case 2: "[ab]"
      case 3: "[^b]"
      case 4: "\"\""
      case 5: "\"b\""
      case 6, 7, 8: name(Int.random(in: 0..<rules, using: &generator))
      default: "(\(alternatives(depth: depth - 1)))"
      }
    let signs = ["", "", "", "", "", "?", "*", "+", "{2}", "{1,2}", "{0,1}", "{,2}", "{1,}"]
    return item + (signs.randomElement(using: &generator) ?? "")
  }

  /// Whether a rule can come back to itself before a character, by brute force.
  static func isLeftRecursive(_ grammar: GBNFGrammar) -> Bool {
    let count = grammar.rules.count
    var isEmpty = [Bool](repeating: false, count: count)
    var begins = [Set<Int>](repeating: [], count: count)
    func empty(_ expression: GBNFGrammar.Expression) -> Bool {
      switch expression {
      case .characters: false
      case .rule(let rule): isEmpty[rule]
      case .sequence(let parts): !parts.contains { !empty($0) }
      case .choice(let parts): parts.contains { empty($0) }
      case .repetition(let part, let minimum, _): minimum == 0 || empty(part)
      }
    }
    func first(_ expression: GBNFGrammar.Expression) -> Set<Int> {
      switch expression {
      case .characters: return []
      case .rule(let rule): return begins[rule].union([rule])
      case .choice(let parts): return parts.reduce([]) { $0.union(first($1)) }
      case .repetition(let part, _, _): return first(part)
      case .sequence(let parts):
        var result: Set<Int> = []
        for part in parts {
          result.formUnion(first(part))
          if !empty(part) { break }
        }
        return result
      }
    }
    for _ in 0...count * count {
      for rule in 0..<count {
        isEmpty[rule] = isEmpty[rule] || empty(grammar.rules[rule].body)
        begins[rule].formUnion(first(grammar.rules[rule].body))
      }
    }
    return (0..<count).contains { begins[$0].contains($0) }
  }
}
