/// Ways to compute less for the same text. All are on; turning one off is for comparisons.
public struct DecodingOptions: Sendable, Hashable {
  /// Tokens that the schema leaves no choice about are not asked for: they go into the next batch.
  public var jumpsForward: Bool
  /// Tokens are guessed from the document's text and checked several at once. The text is what it
  /// would be without.
  public var drafts: Bool
  /// What a prompt has in common with the one before stays in memory, and so do the encoded images.
  public var reusesPrompts: Bool

  /// What a token more in a batch costs, where a token alone costs 1; nil: as it is measured. Tests that
  /// count guesses fix it.
  package var extraTokenCost: Double?

  /// Makes options.
  public init(jumpsForward: Bool = true, drafts: Bool = true, reusesPrompts: Bool = true) {
    self.jumpsForward = jumpsForward
    self.drafts = drafts
    self.reusesPrompts = reusesPrompts
  }
}
