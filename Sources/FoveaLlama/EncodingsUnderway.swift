internal import Fovea

/// The pictures that are being encoded. Who wants the same one waits, and then finds it. Belongs to
/// its PictureEncoder.
final class EncodingsUnderway {
  private var pictures: [String: (gate: Gate, requests: Int)] = [:]

  /// Waits until nobody else encodes a picture, or a tile of one. ``end(_:)`` must follow where it does not
  /// throw.
  nonisolated(nonsending) func begin(
    _ picture: String, _ request: RequestTicket
  ) async throws(FoveaError) {
    let gate = pictures[picture]?.gate ?? Gate(1)
    pictures[picture] = (gate, (pictures[picture]?.requests ?? 0) + 1)
    do throws(FoveaError) {
      try await gate.enter(request)
    } catch {
      forget(picture)
      throw error
    }
  }

  /// Lets the next one have the picture.
  func end(_ picture: String) {
    pictures[picture]?.gate.leave()
    forget(picture)
  }

  /// Sends a request away that waits.
  func drop(_ request: RequestTicket.ID) {
    for picture in pictures.values { picture.gate.drop(request) }
  }

  private func forget(_ picture: String) {
    guard let (gate, requests) = pictures[picture] else { return }
    pictures[picture] = requests == 1 ? nil : (gate, requests - 1)
  }
}
