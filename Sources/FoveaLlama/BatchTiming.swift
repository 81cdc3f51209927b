/// What one more token in a small batch costs, beside a token alone: what decides whether a guess
/// pays. It is measured while text is written.
struct BatchTiming {
  /// Seconds of a token alone, and of each further one in a batch, smoothed; nil: not known.
  private var single: Double?
  private var extra: Double?

  /// The new value's share in a smoothed one.
  private static let newShare = 0.2
  /// What takes longer than so many times the usual counts as that.
  private static let mostTimesLonger = 2.0
  /// Until it is known: small models on a CPU take about a third.
  private static let usualCost = 0.35

  /// The cost of a further token, where a token alone costs 1.
  var extraTokenCost: Double {
    guard let single, let extra, single > 0 else { return Self.usualCost }
    return min(1, max(0.02, extra / single))
  }

  /// Learns how long a batch took.
  mutating func record(tokens: Int, seconds: Double) {
    if tokens == 1 {
      single = Self.smooth(single, seconds)
    } else if let single {
      // The average of its further tokens.
      extra = Self.smooth(extra, max(0, seconds - single) / Double(tokens - 1))
    }
  }

  /// A token that had to wait for another program says nothing, so that outliers count little.
  private static func smooth(_ old: Double?, _ new: Double) -> Double {
    old.map { $0 + newShare * (min(new, $0 * mostTimesLonger) - $0) } ?? new
  }
}
