/// How fast a model is when it is computed in other ways.
package struct Tuning: Sendable {
  /// One way.
  package struct Trial: Sendable {
    /// Threads.
    package let threads: Int
    /// The most tokens evaluated at once.
    package let batchSize: Int
    /// Whether attention is computed in pieces.
    package let usesFlashAttention: Bool
    /// Tokens a second, for each run.
    package let rate: Samples
  }

  /// What takes the least time for prompt and text together.
  package struct Choice: Sendable, Hashable {
    /// Threads that write.
    package var threads: Int
    /// Threads that evaluate prompts.
    package var batchThreads: Int
    /// The most tokens evaluated at once.
    package var batchSize: Int
    /// Whether attention is computed in pieces.
    package var usesFlashAttention: Bool
  }

  /// Evaluation of a prompt.
  package let prefill: [Trial]
  /// Writing behind that prompt: behind an empty context attention would cost nothing.
  package let decode: [Trial]
  /// The best of them.
  package let best: Choice

  /// Chooses the best of trials, by medians: threads and batch for each kind of attention, then the
  /// attention that needs less time for `promptTokens` and `writtenTokens` together.
  ///
  /// - Returns: Nil where no kind of attention was tried for both.
  init?(prefill: [Trial], decode: [Trial], promptTokens: Int, writtenTokens: Int) {
    var best: (seconds: Double, choice: Choice)?
    for usesFlash in [false, true] {
      func fastest(_ trials: [Trial]) -> Trial? {
        trials.filter { $0.usesFlashAttention == usesFlash }
          .max { $0.rate.median < $1.rate.median }
      }
      guard let prompt = fastest(prefill), let text = fastest(decode) else { continue }
      let seconds =
        Double(promptTokens) / prompt.rate.median + Double(writtenTokens) / text.rate.median
      if best.map({ $0.seconds <= seconds }) ?? false { continue }
      best = (
        seconds,
        Choice(
          threads: text.threads, batchThreads: prompt.threads, batchSize: prompt.batchSize,
          usesFlashAttention: usesFlash)
      )
    }
    guard let best else { return nil }
    self.prefill = prefill
    self.decode = decode
    self.best = best.choice
  }
}
