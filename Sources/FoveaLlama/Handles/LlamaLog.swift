internal import CLlamaShim
internal import Foundation

/// What llama.cpp logs. Fovea prints none of it: the first error becomes the cause of a
/// `FoveaError`, and an app that wants to see all lines takes them here.
///
///     LlamaLog.setHandler { level, line in
///       if level >= .warning { logger.warning("\(line)") }
///     }
public enum LlamaLog {
  /// How much a line matters.
  public enum Level: Int32, Sendable, Hashable, Comparable, CaseIterable {
    /// Only of use to those who work on llama.cpp.
    case debug = 1
    /// What is loaded, and how.
    case info = 2
    /// Something is not as it should be, but works.
    case warning = 3
    /// Something failed.
    case error = 4

    /// Whether a line of one level matters less than one of the other.
    public static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
  }

  /// Sets who gets the lines of all models of the process from now on; nil: nobody, as at the start.
  ///
  /// The handler is called while llama.cpp works, on any thread and on several at once, with one line
  /// without its end. It must be quick and must not use a model. A line that another thread is just
  /// handing over may still come after this returns.
  public static func setHandler(_ handler: (@Sendable (Level, String) -> Void)?) {
    _ = Native.start
    receiver.set(handler)
    guard handler != nil else { return fovea_log_set_handler(nil) }
    fovea_log_set_handler { level, line in
      guard let level = Level(rawValue: level), let line else { return }
      LlamaLog.receiver.handler?(level, String(cString: line))
    }
  }

  private static let receiver = LogReceiver()
}

/// The handler of the moment. A C function pointer cannot carry it.
// Sendable: the lock guards all that changes.
private final class LogReceiver: @unchecked Sendable {
  private let lock = NSLock()
  private var current: (@Sendable (LlamaLog.Level, String) -> Void)?

  var handler: (@Sendable (LlamaLog.Level, String) -> Void)? { lock.withLock { current } }

  func set(_ handler: (@Sendable (LlamaLog.Level, String) -> Void)?) {
    lock.withLock { current = handler }
  }
}
