internal import Dispatch
internal import Fovea

/// Runs an engine's jobs one after the other on a thread of their own: native code that computes
/// for seconds must not block Swift's cooperative threads.
final class EngineExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "fovea.llama", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs a function on the thread and waits for it without blocking the caller's.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(FoveaError) -> Value
  ) async throws(FoveaError) -> Value {
    let result: Result<Value, FoveaError> = await withCheckedContinuation { continuation in
      queue.async {
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
