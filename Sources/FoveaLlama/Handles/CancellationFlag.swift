internal import CLlamaShim

/// A flag that any thread may set and that llama.cpp reads while it computes.
// Sendable: the C object behind the pointer is an atomic, and the pointer never changes.
final class CancellationFlag: @unchecked Sendable {
  let pointer: OpaquePointer?

  init() { pointer = fovea_flag_create() }

  deinit { fovea_flag_free(pointer) }

  /// Whether it is set, or the process is ending.
  var isSet: Bool { pointer.map { fovea_flag_is_set(UnsafeMutableRawPointer($0)) } ?? false }

  /// Sets or clears the flag.
  func set(_ value: Bool) {
    if let pointer { fovea_flag_set(pointer, value) }
  }
}
