internal import Fovea

/// Runs an engine's jobs one after the other on a thread of their own: native code that computes
/// for seconds must not block Swift's cooperative threads.
final class EngineExecutor: SerialExecutor {
  private let thread: JobThread

  init(label: String) { thread = JobThread(name: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    thread.run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Lets the jobs run that wait, if there are any. `Task.yield` would take a way over other threads.
  nonisolated(nonsending) func letOthersRun() async {
    guard thread.isWanted else { return }
    await withCheckedContinuation { continuation in thread.run { continuation.resume() } }
  }

  /// Ends the process where a function that belongs on the thread runs elsewhere.
  func checkIsolated() {
    precondition(thread.isCurrent, "this belongs on the engine's thread")
  }

  /// Runs a function on the thread and waits for it without blocking the caller's.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(FoveaError) -> Value
  ) async throws(FoveaError) -> Value {
    let result: Result<Value, FoveaError> = await withCheckedContinuation { continuation in
      thread.run {
        let result: Result<Value, FoveaError>
        do throws(FoveaError) {
          result = .success(try body())
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }
}
