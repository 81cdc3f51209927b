/// Makes the constraints of generations that are bound to the same schema, grammar or expression.
///
/// Two generations with the same maker (`===`) may use the same constraint, one after the other.
package final class ConstraintMaker: Sendable {
  /// Makes a fresh constraint, on the engine's thread.
  package let make: @Sendable () throws(FoveaError) -> any TokenConstraint
  /// No text takes fewer tokens: the bytes of the shortest one, were all its tokens as long as the
  /// longest of the vocabulary.
  package let leastTokens: Int
  /// So many tokens are enough for a text, however the model chooses: the bytes of the shortest
  /// one, since a token has at least one.
  package let enoughTokens: Int

  /// Makes a maker of constraints whose shortest text has `shortestLength` bytes, for a vocabulary
  /// whose longest token has `longestPiece`.
  package init(
    shortestLength: Int, longestPiece: Int,
    make: @escaping @Sendable () throws(FoveaError) -> any TokenConstraint
  ) {
    self.make = make
    enoughTokens = shortestLength
    let longest = max(1, longestPiece)
    leastTokens = shortestLength / longest + (shortestLength % longest == 0 ? 0 : 1)
  }

  /// Refuses a limit that no text can keep to.
  ///
  /// Between ``leastTokens`` and ``enoughTokens`` it depends on the model's tokens and choices
  /// whether an answer gets done, so that is tried.
  ///
  /// - Throws: `.tokenLimitReached`, without a partial text.
  package func check(maxTokens: Int) throws(FoveaError) {
    // A limit that makes no sense at all is for the engine to refuse.
    guard maxTokens > 0, maxTokens < leastTokens else { return }
    throw FoveaError(
      .tokenLimitReached,
      "the shortest answer has \(enoughTokens) bytes and takes at least \(leastTokens) tokens; "
        + "the limit is \(maxTokens)",
      fix: "raise the limit (maxTokens, --max-tokens): \(enoughTokens) tokens are always enough")
  }
}
