internal import Foundation

/// What the processor says that it has used, where Linux shows it (RAPL, `/sys/class/powercap`).
/// It counts for the whole processor, so what other programs do is in it.
package struct EnergyCounter {
  /// A processor's counter.
  private struct Zone {
    let path: String
    /// The value after which it begins at 0 again.
    let range: Double
  }

  /// Values of all counters at one time, in microjoules.
  struct Reading {
    fileprivate let values: [Double]
  }

  private let zones: [Zone]
  private let file: (String) -> String?
  /// Why there is nothing to read; nil: there is.
  package let unavailable: String?

  /// The counters of this machine.
  package init() {
    self.init { path in
      // Not every system has the file, and not everybody may read it: both are answers.
      try? String(contentsOfFile: path, encoding: .utf8)
    }
  }

  /// Looks for counters.
  ///
  /// - Parameter file: The text of a file; nil where it cannot be read.
  package init(reading file: @escaping (String) -> String?) {
    self.file = file
    var zones: [Zone] = []
    var isHidden = false
    // A zone for each processor; those of its parts are included in it.
    for number in 0..<Self.mostProcessors {
      let path = "/sys/class/powercap/intel-rapl:\(number)"
      guard let name = file("\(path)/name"), name.hasPrefix("package") else { continue }
      guard Self.number(file("\(path)/energy_uj")) != nil else {
        isHidden = true
        continue
      }
      zones.append(
        Zone(path: path, range: Self.number(file("\(path)/max_energy_range_uj")) ?? 0))
    }
    self.zones = isHidden ? [] : zones
    if isHidden {
      unavailable = "only an administrator may read the processor's energy counter here"
    } else if zones.isEmpty {
      unavailable = "this system shows no energy counter"
    } else {
      unavailable = nil
    }
  }

  private static let mostProcessors = 16

  /// The counters now; nil where there are none.
  func read() -> Reading? {
    guard !zones.isEmpty else { return nil }
    var values: [Double] = []
    for zone in zones {
      guard let value = Self.number(file("\(zone.path)/energy_uj")) else { return nil }
      values.append(value)
    }
    return Reading(values: values)
  }

  /// Joules that were used since a reading; nil where there are no counters.
  func joules(since start: Reading?) -> Double? {
    guard let start, let end = read() else { return nil }
    var sum = 0.0
    for (zone, (before, after)) in zip(zones, zip(start.values, end.values)) {
      sum += after < before ? after - before + zone.range : after - before
    }
    return sum / 1_000_000
  }

  private static func number(_ text: String?) -> Double? {
    text.flatMap { Double($0.filter { !$0.isWhitespace }) }
  }
}
