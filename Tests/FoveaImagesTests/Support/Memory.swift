import Foundation

/// The memory of this process, where the system (Linux) tells it.
enum Memory {
  /// What is in use, in kilobytes.
  static var residentKilobytes: Int? { kilobytes("VmRSS:") }
  /// The most that was in use since the last ``resetPeak()``, in kilobytes.
  static var peakKilobytes: Int? { kilobytes("VmHWM:") }
  /// Whether the peak can be set back.
  static var canBeMeasured: Bool {
    FileManager.default.isWritableFile(atPath: "/proc/self/clear_refs")
  }

  /// Makes what is in use now the peak.
  static func resetPeak() throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
    try file.write(contentsOf: Data("5".utf8))
    try file.close()
  }

  private static func kilobytes(_ key: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return nil  // not Linux
    }
    let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
  }
}
