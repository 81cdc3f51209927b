internal import CLlamaShim

/// A number that any thread changes.
// Sendable: the C object behind the pointer is an atomic, and the pointer never changes.
final class AtomicCounter: @unchecked Sendable {
  private let pointer: OpaquePointer?

  init() { pointer = fovea_counter_create() }

  deinit { fovea_counter_free(pointer) }

  /// What it is; 0 where there was no memory for one.
  var value: Int { add(0) }

  /// Adds to it and tells what it is then.
  @discardableResult
  func add(_ number: Int) -> Int {
    pointer.map { Int(fovea_counter_add($0, Int64(number))) } ?? 0
  }
}
