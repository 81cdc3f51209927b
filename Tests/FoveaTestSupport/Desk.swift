/// What has begun, finished and been cancelled, for tests of things that run at the same time.
package actor Desk {
  package private(set) var begun: [Int] = []
  package private(set) var finished: [Int] = []
  package private(set) var cancelled: Set<Int> = []
  /// The most that ran at the same time.
  package private(set) var peak = 0

  package init() {}

  package func begin(_ number: Int) {
    begun.append(number)
    peak = max(peak, begun.count - finished.count - cancelled.count)
  }

  package func finish(_ number: Int) { finished.append(number) }

  /// Waits, as long as it takes, for the task to be cancelled.
  package func sleep(_ number: Int) async {
    // It ends by cancelling alone.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    cancelled.insert(number)
  }

  /// Waits until a condition holds, or until the test's time is over and its task is cancelled.
  package func wait(until condition: @Sendable (isolated Desk) -> Bool) async {
    while !condition(self), !Task.isCancelled { await Task.yield() }
  }
}
