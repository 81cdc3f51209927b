internal import Foundation

/// A thread that runs jobs one after the other, in the order in which they come. It ends when this
/// object goes.
///
/// Not a dispatch queue: that would run each job on whichever thread of a pool is free, and each of
/// these keeps what it once allocated apart.
// Sendable: the lock of `condition` guards all that changes; the thread is made known once, in `init`.
final class JobThread: @unchecked Sendable {
  /// What the thread needs, without what owns it.
  private final class Jobs: @unchecked Sendable {
    let condition = NSCondition()
    var waiting: [() -> Void] = []
    var isClosed = false

    /// Runs the next job, once there is one.
    ///
    /// - Returns: False where there will be none.
    func runNext() -> Bool {
      guard let job = next() else { return false }
      #if canImport(ObjectiveC)
        autoreleasepool { job() }
      #else
        job()
      #endif
      return true
    }

    private func next() -> (() -> Void)? {
      condition.withLock {
        while waiting.isEmpty {
          if isClosed { return nil }
          condition.wait()
        }
        return waiting.removeFirst()
      }
    }
  }

  private let jobs: Jobs
  private let thread: Thread

  init(name: String) {
    let jobs = Jobs()
    self.jobs = jobs
    thread = Thread { while jobs.runNext() {} }
    thread.name = name
    thread.qualityOfService = .userInitiated
    thread.stackSize = Self.stackSize
    thread.start()
  }

  deinit {
    jobs.condition.withLock {
      jobs.isClosed = true
      jobs.condition.signal()
    }
  }

  /// What main threads have; llama.cpp is used on these.
  private static let stackSize = 8 << 20

  /// Runs a job after those that wait.
  func run(_ job: @escaping () -> Void) {
    jobs.condition.withLock {
      jobs.waiting.append(job)
      jobs.condition.signal()
    }
  }

  /// Whether a job waits.
  var isWanted: Bool { jobs.condition.withLock { !jobs.waiting.isEmpty } }

  /// Whether this is the thread that asks.
  var isCurrent: Bool { Thread.current === thread }
}
