internal import AllocationCount
internal import Foundation

/// The clocks and counters of the operating system.
enum Clock {
  /// Nanoseconds that this thread has computed: what other programs do in between does not count.
  static func thread() -> UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Nanoseconds that all threads of the program have computed.
  static func process() -> UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// Nanoseconds on the wall.
  static func wall() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// What looking at the thread's clock twice takes by itself, as the median of many, in
  /// microseconds. It is in every time of a mask and not taken off.
  static func overhead() -> Double {
    var spans: [UInt64] = []
    for _ in 0..<10_001 {
      let start = thread()
      spans.append(thread() - start)
    }
    spans.sort()
    return microseconds(spans[spans.count / 2])
  }

  /// Microseconds, to the nanosecond.
  static func microseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1000 }

  /// Kilobytes on the heap now, which do not depend on what was freed before.
  static func heap() -> Int { Int(fovea_heap_bytes() / 1024) }

  /// The most memory that the program has had so far, in kilobytes; 0 without Linux's `/proc`.
  static func peakMemory() -> Int {
    // Not there on other systems, which the caller is told by 0.
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
