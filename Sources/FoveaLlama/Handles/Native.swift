internal import CLlama
internal import CLlamaShim
internal import Fovea

/// What is global in llama.cpp, and how its failures become errors.
enum Native {
  /// Starts the backend and takes over the logs, once per process; llama.cpp is never shut down.
  static let start: Void = {
    fovea_log_install()
    llama_backend_init()
  }()

  /// The first error line that llama.cpp has logged on this thread since `clearErrors()`.
  static var firstError: String? {
    let text = String(cString: fovea_log_first_error())
    return text.isEmpty ? nil : text
  }

  /// Forgets the errors logged on this thread.
  static func clearErrors() { fovea_log_clear() }

  /// Calls a function of the shim with room for an exception's text. The cause of a failure is
  /// that text, else the first error that was logged during the call.
  static func call<Result>(
    _ body: (_ message: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Result
  ) -> (result: Result, cause: String?) {
    clearErrors()
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      buffer.initialize(repeating: 0)
      guard let message = buffer.baseAddress else { preconditionFailure("capacity is not 0") }
      let result = body(message, buffer.count)
      let thrown = String(cString: message)
      return (result, thrown.isEmpty ? firstError : thrown)
    }
  }
}
