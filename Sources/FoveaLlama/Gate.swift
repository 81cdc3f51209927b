internal import Fovea

/// Lets so many requests through at a time, the others in the order in which they came. Belongs to the
/// engine's thread.
final class Gate {
  private var free: Int
  private var queue: [(request: RequestTicket.ID, continuation: CheckedContinuation<Bool, Never>)] =
    []

  /// Makes a gate that nobody has passed.
  init(_ capacity: Int) { free = capacity }

  /// Waits until there is room. What was entered must be left.
  ///
  /// - Throws: `.cancelled` when the request gives up, which needs ``drop(_:)`` while it waits.
  nonisolated(nonsending) func enter(_ request: RequestTicket) async throws(FoveaError) {
    try request.checkCancellation()
    if free > 0 {
      free -= 1
      return
    }
    let isLetIn = await withCheckedContinuation { queue.append((request.id, $0)) }
    guard isLetIn else { throw RequestTicket.cancelled }
  }

  /// Makes room for the next one.
  func leave() {
    if queue.isEmpty {
      free += 1
    } else {
      queue.removeFirst().continuation.resume(returning: true)
    }
  }

  /// Sends a request away that waits, if it does.
  func drop(_ request: RequestTicket.ID) {
    guard let index = queue.firstIndex(where: { $0.request == request }) else { return }
    queue.remove(at: index).continuation.resume(returning: false)
  }
}
