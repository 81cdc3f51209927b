import Testing

@testable import FoveaLlama

/// The choice of threads, with made-up times a token.
@Suite("Thread governor")
struct ThreadGovernorTests {
  /// Feeds tokens that take `many` or `one` seconds, and counts those written with many threads.
  private func run(
    _ governor: inout ThreadGovernor, tokens: Int, many: Double, one: Double
  ) -> Int {
    var withMany = 0
    for _ in 0..<tokens {
      if governor.threadCount > 1 { withMany += 1 }
      governor.record(seconds: governor.threadCount > 1 ? many : one)
    }
    return withMany
  }

  @Test("on an idle machine nearly all tokens use all threads")
  func idle() {
    var governor = ThreadGovernor(most: 4)
    #expect(run(&governor, tokens: 100, many: 0.007, one: 0.012) >= 94)
    #expect(run(&governor, tokens: 5_000, many: 0.007, one: 0.012) >= 4_970)
  }

  @Test("on a busy machine one thread is found within four tokens, and kept")
  func busy() {
    var governor = ThreadGovernor(most: 2)
    #expect(run(&governor, tokens: 4, many: 0.7, one: 0.015) <= 2)
    #expect(run(&governor, tokens: 1_000, many: 0.7, one: 0.015) <= 20)
  }

  @Test("when another program starts, the next tokens show it; when it ends, the threads come back")
  func changing() {
    var governor = ThreadGovernor(most: 2)
    _ = run(&governor, tokens: 3_000, many: 0.007, one: 0.012)
    #expect(run(&governor, tokens: 100, many: 0.7, one: 0.015) <= 3)
    _ = run(&governor, tokens: 2_000, many: 0.7, one: 0.015)
    _ = run(&governor, tokens: 1_100, many: 0.007, one: 0.012)
    #expect(run(&governor, tokens: 100, many: 0.007, one: 0.012) >= 94)
  }

  @Test("equal times change nothing, and one thread is one thread")
  func noChoice() {
    var governor = ThreadGovernor(most: 2)
    #expect(run(&governor, tokens: 500, many: 0.01, one: 0.009) >= 480)
    var single = ThreadGovernor(most: 1)
    #expect(run(&single, tokens: 50, many: 1, one: 1) == 0)
    #expect(single.threadCount == 1)
  }
}
