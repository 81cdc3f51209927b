internal import Fovea

/// Guessing tokens. A guess never changes the text: the model is asked at each of its tokens, and the
/// first one that it would not have chosen ends it.
extension Generation {
  /// Whether tokens are guessed: not where the model cannot forget wrong ones.
  var drafts: Bool { options.drafts && memory.canForget }

  /// Guesses the tokens behind those that are chosen:
  ///
  ///     chosen   "name": │ what the schema forces, cut as the model does   "
  ///                      │ what the document has                           Corner Cafe
  ///                      │ the end of a text where its line ends           ",
  ///                      │ what the schema forces then                     "date":"
  mutating func nextDraft() throws(FoveaError) -> Draft {
    let room = min(
      limit - usage.completionTokens - 1, memory.room - pending.count, memory.batchSize - 1)
    // Beside others a token costs little, and guesses would not go into their batch.
    guard drafts, room > 0, memory.isAlone else { return Draft() }
    var draft = Draft()
    let forced = constraint?.forcedBytes(behind: []) ?? []
    let habits = native.habits.tokens(for: forced, vocabulary: vocabulary)
    draft.append(habits, .forced)
    let known = habits.reduce(0) { $0 + vocabulary.pieces[Int($1)].count }
    guard known == forced.count,
      let guess = drafter.guess(after: written.suffix(PromptDrafter.longestLook) + forced)
    else { return shortened(draft, to: room) }
    let allowed =
      constraint.map { $0.allowedPrefix(of: forced + guess.bytes) - forced.count }
      ?? guess.bytes.count
    if allowed > 0 {
      let copied = Array(guess.bytes[..<allowed])
      let behind = (lastTokens + draft.tokens).suffix(Self.tokensOfContext)
      draft.append(
        try native.tokens(of: copied, behind: Array(behind), vocabulary: vocabulary),
        guess.evidence)
    }
    if guess.endsField, allowed == guess.bytes.count {
      appendEnd(to: &draft, behind: forced + guess.bytes)
    }
    return shortened(draft, to: room)
  }

  private func shortened(_ draft: Draft, to room: Int) -> Draft {
    let count = min(
      room,
      draftPolicy.count(
        of: Array(draft.evidence), extraTokenCost: options.extraTokenCost ?? memory.extraTokenCost))
    return Draft(tokens: draft.tokens.prefix(count), evidence: draft.evidence.prefix(count))
  }

  /// Guesses that a text ends here, and what is forced then.
  private func appendEnd(to draft: inout Draft, behind bytes: [UInt8]) {
    guard let end = textEnd(behind: bytes) else { return }
    let tokens = native.habits.tokens(for: end, vocabulary: vocabulary)
    for (index, token) in tokens.enumerated() {
      draft.append([token], index == 0 ? .fieldEnd : .forced)
    }
  }

  /// The quote that would end a text here, and what is forced behind it; nil where no text can end.
  private func textEnd(behind bytes: [UInt8]) -> [UInt8]? {
    guard let constraint, constraint.forcedBytes(behind: bytes).isEmpty else { return nil }
    let closed = bytes + [UInt8(ascii: "\"")]
    guard constraint.allowedPrefix(of: closed) == closed.count else { return nil }
    return [UInt8(ascii: "\"")] + constraint.forcedBytes(behind: closed)
  }

  /// Remembers how the model cut what it had no other choice about, but in tokens.
  func noteHabit(_ token: TokenID, _ constraint: any TokenConstraint) {
    let forced = constraint.forcedBytes(behind: [])
    if !forced.isEmpty {
      native.habits.note(token, where: forced)
    } else if vocabulary.pieces[Int(token)].first == UInt8(ascii: "\""),
      let end = textEnd(behind: [])
    {
      native.habits.note(token, where: end)
    }
  }
}
