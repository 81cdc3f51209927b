import Fovea
import Synchronization

/// Collects what is said about damaged images that are used.
final class Notes: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  var add: @Sendable (String, FoveaError) -> Void {
    { name, error in self.texts.withLock { $0.append("\(name): \(error)") } }
  }
}
