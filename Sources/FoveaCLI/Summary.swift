internal import Fovea

/// Token counts and times, for people and for records.
enum Summary {
  static func usage(_ usage: TokenUsage) -> JSONValue {
    .object([
      .init("prompt_tokens", .number("\(usage.promptTokens)")),
      .init("image_tokens", .number("\(usage.imageTokens)")),
      .init("reused_tokens", .number("\(usage.reusedTokens)")),
      .init("encoded_images", .number("\(usage.encodedImages)")),
      .init("thinking_tokens", .number("\(usage.thinkingTokens)")),
      .init("completion_tokens", .number("\(usage.completionTokens)")),
      .init("forced_tokens", .number("\(usage.forcedTokens)")),
      .init("drafted_tokens", .number("\(usage.draftedTokens)")),
      .init("accepted_draft_tokens", .number("\(usage.acceptedDraftTokens)")),
    ])
  }

  static func timings(_ timings: GenerationTimings) -> JSONValue {
    .object([
      .init("image_ms", milliseconds(timings.imageDecoding)),
      .init("prompt_ms", milliseconds(timings.prompt)),
      .init("generation_ms", milliseconds(timings.generation)),
      .init("constraint_ms", milliseconds(timings.constraint)),
      .init("total_ms", milliseconds(timings.total)),
    ])
  }

  static func line(usage: TokenUsage, timings: GenerationTimings) -> String {
    "\(usage.promptTokens) prompt tokens (\(usage.imageTokens) of images, "
      + "\(usage.reusedTokens) reused), "
      + (usage.thinkingTokens > 0 ? "\(usage.thinkingTokens) of a thought, " : "")
      + "\(usage.completionTokens) written (\(usage.forcedTokens) forced, "
      + "\(usage.acceptedDraftTokens) of \(usage.draftedTokens) guesses right); image \(text(timings.imageDecoding)) ms, "
      + "prompt \(text(timings.prompt)) ms, writing \(text(timings.generation)) ms "
      + "(of which constraint \(text(timings.constraint)) ms)"
  }

  private static func milliseconds(_ duration: Duration) -> JSONValue { .number(text(duration)) }

  /// Milliseconds with three decimals.
  private static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let fraction = String(microseconds % 1_000)
    return "\(microseconds / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}
