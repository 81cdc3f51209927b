/// Chooses how many threads evaluate the next token, by how long the last ones took.
///
/// ggml's threads wait for each other at every operation, and they wait by spinning. Where another
/// program has taken a core, each wait lasts until that program has had its turn, and two threads
/// become many times slower than one. So one thread is tried now and then, and what is faster is
/// kept:
///
///     M 1 1 M M M M … M 1 1 M M …      M: many threads, 1: one thread
///       └─┘ └───────┘ └─┘
///      probe   gap   probe             the gap doubles while the choice stays the same
///
/// A token that takes much longer than those before it starts a probe at once.
struct ThreadGovernor {
  /// How many threads evaluate the next token.
  private(set) var threadCount: Int

  private let most: Int
  /// Seconds a token, smoothed, by the number of threads; nil: not known.
  private var seconds: [Int: Double] = [:]
  private var preferred: Int
  /// Whether fewer threads than all were found to be faster.
  var prefersFewer: Bool { preferred < most }
  private var isProbing = false
  private var tokensLeft = 1
  private var gap = Self.shortestGap

  private static let probeLength = 2
  private static let shortestGap = 32
  private static let longestGap = 1_024
  /// The new value's share in a smoothed one.
  private static let newShare = 0.3
  /// A choice changes only for this much less time.
  private static let worthChanging = 0.8
  /// A token that takes so many times longer than usual is a reason to look.
  private static let suspicious = 4.0

  /// Starts with `most` threads; with 1 there is nothing to choose.
  init(most: Int) {
    self.most = most
    threadCount = most
    preferred = most
  }

  /// Learns how long a token took with ``threadCount`` threads.
  mutating func record(seconds value: Double) {
    guard most > 1 else { return }
    let usual = seconds[threadCount]
    seconds[threadCount] = usual.map { $0 + Self.newShare * (value - $0) } ?? value
    tokensLeft -= 1
    if isProbing {
      if tokensLeft == 0 { decide() }
    } else if tokensLeft == 0 || usual.map({ value > Self.suspicious * $0 }) ?? false {
      probe()
    }
  }

  private mutating func probe() {
    isProbing = true
    tokensLeft = Self.probeLength
    threadCount = preferred == most ? 1 : most
    seconds[threadCount] = nil  // what was known of it may be long past
  }

  private mutating func decide() {
    isProbing = false
    if let tried = seconds[threadCount], let kept = seconds[preferred],
      tried < Self.worthChanging * kept
    {
      preferred = threadCount
      gap = Self.shortestGap
    } else {
      gap = min(gap * 2, Self.longestGap)
    }
    threadCount = preferred
    tokensLeft = gap
  }
}
