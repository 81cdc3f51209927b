internal import CLlamaShim

/// Whose requests a native call serves: it stops soon after nobody wants its result any more.
final class NativeWork {
  private let pointer: OpaquePointer?

  init() { pointer = fovea_work_create() }

  deinit { fovea_work_free(pointer) }

  /// What llama.cpp and mtmd give to ``fovea_work_is_unwanted``.
  var data: UnsafeMutableRawPointer? { pointer.map { UnsafeMutableRawPointer($0) } }

  /// Calls something that stops once the flags of all owners are set; without owners it is not
  /// stopped.
  func serving<Result>(_ owners: [CancellationFlag], _ body: () -> Result) -> Result {
    let flags = owners.map(\.pointer)
    // An owner without a flag, since memory was short, cannot say that it wants no more.
    guard let pointer, !flags.contains(nil) else { return body() }
    flags.withUnsafeBufferPointer {
      fovea_work_set(pointer, $0.baseAddress, $0.count)
    }
    defer { fovea_work_set(pointer, nil, 0) }
    return withExtendedLifetime(owners, body)
  }
}
