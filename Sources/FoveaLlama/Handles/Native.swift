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

  /// What decides, beside the model, which numbers are computed: the build and the processor.
  static var build: String {
    let parts = [ggml_version(), ggml_commit(), llama_print_system_info()]
    return parts.map { $0.map { String(cString: $0) } ?? "" }.joined(separator: " ")
  }

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

  /// The one place that knows what the return codes of an evaluation mean; nil: it went well.
  static func failure(
    of code: Int32, cause: String?, during what: String, contextSize: Int
  ) -> FoveaError? {
    switch code {
    case 0: nil
    case 1:
      FoveaError(
        .promptTooLong, "no room is left in the context of \(contextSize) tokens for \(what)",
        fix: "load the model with a larger context, or use a smaller image or text", cause: cause)
    // What llama.cpp logs of it is no cause.
    case 2: FoveaError(.cancelled, "evaluation of \(what) was cancelled")
    case -1:
      FoveaError(.engineFailed, "llama.cpp rejected the batch of \(what) as invalid", cause: cause)
    case FOVEA_EXCEPTION:
      FoveaError(.engineFailed, "llama.cpp threw while it evaluated \(what)", cause: cause)
    default:
      FoveaError(
        .engineFailed, "llama.cpp failed to evaluate \(what) (code \(code))", cause: cause)
    }
  }

  /// What a call of the shim returns when C++ threw.
  static let exceptionCode = Int32(FOVEA_EXCEPTION)

  /// Throws inside C++, so that the tests see where that ends.
  static func throwingCall(_ message: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int32 {
    fovea_throw("thrown on purpose", message, capacity)
  }
}
