internal import CLlamaShim

/// Says that nobody wants a request's result any more. Any thread may set it while llama.cpp computes.
// Sendable: the C object behind the pointer is an atomic, and the pointer never changes.
final class CancellationFlag: @unchecked Sendable {
  let pointer: OpaquePointer?

  init() { pointer = fovea_flag_create() }

  deinit { fovea_flag_free(pointer) }

  /// Whether it is set, or the process is ending.
  var isSet: Bool { pointer.map { fovea_flag_is_set($0) } ?? false }

  /// Sets the flag.
  func set() {
    if let pointer { fovea_flag_set(pointer) }
  }
}
