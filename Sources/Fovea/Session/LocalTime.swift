internal import Foundation

/// The clock that chat templates are told of.
package enum LocalTime {
  /// Seconds since 1970 in local time.
  package static var now: Int64 {
    let date = Date()
    return Int64(date.timeIntervalSince1970 + Double(TimeZone.current.secondsFromGMT(for: date)))
  }
}
