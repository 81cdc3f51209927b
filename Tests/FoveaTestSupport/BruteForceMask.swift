package import Fovea

/// The tokens that a grammar allows, found by running the bytes of every token through the plain
/// automaton. Shares nothing with the trie and the masks but the automaton's step.
///
/// Tokens are sorted by their bytes, and each begins where it differs from the one before:
///
///     order   "a"   "ab"   "abc"   "b"
///     common    0      1       2     0     bytes shared with the token before
///     stack   │ start │ after a │ after ab │ …      of the latest token, as far as it lived
package struct BruteForceMask {
  private let vocabulary: Vocabulary
  private let order: [TokenID]
  private let common: [Int]
  /// The bytes of all tokens in order, and where each begins; one more at the end.
  private let bytes: [UInt8]
  private let starts: [Int]

  /// Sorts a vocabulary.
  package init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    let ends = Set(vocabulary.endTokens)
    let pieces = vocabulary.pieces
    order = pieces.indices.filter { !pieces[$0].isEmpty && !ends.contains(TokenID($0)) }
      .sorted { pieces[$0].lexicographicallyPrecedes(pieces[$1]) }.map(TokenID.init)
    var common: [Int] = []
    common.reserveCapacity(order.count)
    var previous: [UInt8] = []
    for token in order {
      let piece = pieces[Int(token)]
      common.append(zip(previous, piece).prefix { $0 == $1 }.count)
      previous = piece
    }
    self.common = common
    bytes = order.flatMap { pieces[Int($0)] }
    var starts = [0]
    for token in order { starts.append((starts.last ?? 0) + pieces[Int(token)].count) }
    self.starts = starts
  }

  /// The allowed tokens at a position, end tokens where the text may end.
  package func mask(_ run: inout GrammarRun, at position: GrammarRun.Position) -> TokenMask {
    var mask = TokenMask(count: vocabulary.count)
    if run.isComplete(position) {
      for token in vocabulary.endTokens { mask.insert(token) }
    }
    var stack = [position]
    for index in order.indices {
      // The token before died within the bytes that this one shares with it.
      if common[index] >= stack.count { continue }
      stack.removeLast(stack.count - 1 - common[index])
      let start = starts[index]
      let end = starts[index + 1]
      while start + stack.count <= end,
        let next = run.step(stack[stack.count - 1], bytes[start + stack.count - 1])
      {
        stack.append(next)
      }
      if start + stack.count > end { mask.insert(order[index]) }
    }
    return mask
  }
}
