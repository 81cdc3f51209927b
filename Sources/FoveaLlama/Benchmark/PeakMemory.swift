internal import Foundation

/// The most memory that the process has had at one time.
enum PeakMemory {
  /// Bytes of resident memory; nil where the system does not say.
  static func read() -> Int? {
    // Where there is no such file the other way counts.
    if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) {
      return linux(status)
    }
    var usage = rusage()
    // Darwin counts bytes; Linux would count kilobytes, but it has the file.
    return getrusage(0, &usage) == 0 ? Int(usage.ru_maxrss) : nil
  }

  /// The line `VmHWM:   123456 kB`.
  private static func linux(_ status: String) -> Int? {
    status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      .flatMap { $0.split { $0.isWhitespace }.dropFirst().first }
      .flatMap { Int($0) }.map { $0 * 1_024 }
  }
}
