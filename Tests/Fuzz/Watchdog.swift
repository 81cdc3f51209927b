internal import Foundation

/// Ends the process when a case takes too long. What it says about the case was written into a file
/// before the case began.
// Unchecked: both threads take the lock.
final class Watchdog: @unchecked Sendable {
  private let lock = NSLock()
  private var started: ContinuousClock.Instant?
  private var description = ""

  /// Starts to watch.
  init(limit: Duration) {
    Thread.detachNewThread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        lock.lock()
        let isHanging = started.map { ContinuousClock.now - $0 > limit } ?? false
        let description = description
        lock.unlock()
        if isHanging {
          print("fuzz: HANG: more than \(limit): \(description)")
          exit(3)
        }
      }
    }
  }

  /// A case begins; its description is printed where it hangs.
  func begin(_ description: String) {
    lock.lock()
    started = .now
    self.description = description
    lock.unlock()
  }

  /// The case has ended; how long it took.
  func end() -> Duration {
    lock.lock()
    defer { lock.unlock() }
    let duration = started.map { ContinuousClock.now - $0 } ?? .zero
    started = nil
    return duration
  }
}
