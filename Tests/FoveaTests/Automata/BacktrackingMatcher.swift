@testable import Fovea

/// Matches a parsed pattern the plain way: tries every path, as ECMA-262 describes it, without
/// automata. Only for short texts.
struct BacktrackingMatcher {
  let tree: PatternTree
  let text: [UInt32]

  init(_ tree: PatternTree, _ text: String) {
    self.tree = tree
    self.text = text.unicodeScalars.map(\.value)
  }

  /// Whether the pattern matches somewhere.
  var finds: Bool { (0...text.count).contains { match(tree.root, $0) { _ in true } } }

  private func isWord(_ index: Int) -> Bool {
    guard text.indices.contains(index), let scalar = Unicode.Scalar(text[index]) else {
      return false
    }
    return scalar.isASCII
      && (scalar == "_" || scalar.properties.isAlphabetic
        || scalar.properties.numericType != nil)
  }

  private func match(
    _ node: PatternTree.Node, _ place: Int, _ rest: (Int) -> Bool
  ) -> Bool {
    switch node {
    case .set(let set):
      return place < text.count && tree.sets[set].contains(text[place]) && rest(place + 1)
    case .sequence(let parts): return match(parts[...], place, rest)
    case .alternation(let parts): return parts.contains { match($0, place, rest) }
    case .repetition(let part, let minimum, let maximum):
      return repeating(part, minimum, maximum, place, rest)
    case .textStart: return place == 0 && rest(place)
    case .textEnd: return place == text.count && rest(place)
    case .boundary(let isNegated):
      return (isWord(place - 1) != isWord(place)) != isNegated && rest(place)
    case .lookahead(let index, let isNegated):
      return match(tree.lookaheads[index], place) { _ in true } != isNegated && rest(place)
    }
  }

  private func match(
    _ parts: ArraySlice<PatternTree.Node>, _ place: Int, _ rest: (Int) -> Bool
  ) -> Bool {
    guard let first = parts.first else { return rest(place) }
    return match(first, place) { match(parts.dropFirst(), $0, rest) }
  }

  private func repeating(
    _ part: PatternTree.Node, _ minimum: Int, _ maximum: Int?, _ place: Int,
    _ rest: (Int) -> Bool
  ) -> Bool {
    if minimum == 0, rest(place) { return true }
    if maximum == 0 { return false }
    return match(part, place) { next in
      // An optional round that takes nothing leads nowhere new.
      if minimum == 0, next == place { return false }
      return repeating(part, max(0, minimum - 1), maximum.map { $0 - 1 }, next, rest)
    }
  }
}
