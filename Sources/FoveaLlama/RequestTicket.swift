internal import Fovea

/// Names a request while it is with the engine, and says whether anybody still wants its result.
struct RequestTicket: Identifiable {
  let id: Int
  let cancellation: CancellationFlag

  static let cancelled = FoveaError(.cancelled, "the task was cancelled")

  func checkCancellation() throws(FoveaError) {
    if cancellation.isSet { throw Self.cancelled }
  }
}
