import struct Foundation.Date

/// Dates and times as RFC 3339 writes them: `2026-11-30`, `09:41:00.5Z`,
/// `2026-11-30T09:41:00+02:00`. Only days that exist, and a leap second only at the end of a day
/// in UTC.
struct DateText {
  private var rest: Substring.UTF8View

  /// Days since 1970-01-01 of a date text; nil when it is none.
  static func day(_ text: String) -> Int? {
    var reader = DateText(rest: text[...].utf8)
    guard let day = reader.day(), reader.rest.isEmpty else { return nil }
    return day
  }

  /// Seconds since midnight UTC of a time with zone; nil when it is none.
  static func time(_ text: String) -> Double? {
    var reader = DateText(rest: text[...].utf8)
    guard let time = reader.time(), reader.rest.isEmpty else { return nil }
    return time
  }

  /// The moment of a date with a time and a zone; nil when it is none.
  static func dateTime(_ text: String) -> Date? {
    var reader = DateText(rest: text[...].utf8)
    guard let day = reader.day(), reader.take("T") || reader.take("t"),
      let time = reader.time(), reader.rest.isEmpty
    else { return nil }
    return Date(timeIntervalSince1970: Double(day) * 86_400 + time)
  }

  /// The moment of a date with time and zone, or midnight UTC of a plain date.
  static func moment(_ text: String) -> Date? {
    if let day = day(text) { return Date(timeIntervalSince1970: Double(day) * 86_400) }
    return dateTime(text)
  }

  private mutating func day() -> Int? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      (1...12).contains(month), (1...Self.days(of: month, in: year)).contains(day)
    else { return nil }
    // Years that begin in March, so that a leap day comes last.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let era = shifted >= 0 ? shifted / 400 : -1
    let yearOfEra = shifted - era * 400
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private mutating func time() -> Double? {
    guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60,
      take(":"), let second = number(2), second <= 60
    else { return nil }
    var fraction = 0.0
    if take(".") {
      let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      // Digits beyond what a Double holds change nothing; "0.ddd" always reads as one.
      guard !digits.isEmpty, let value = Double("0.\(Substring(digits))") else { return nil }
      fraction = value
      rest = rest[digits.endIndex...]
    }
    guard let offset = offset() else { return nil }
    let minutes = hour * 60 + minute - offset
    if second == 60, (minutes + 1440) % 1440 != 1439 { return nil }
    return Double(minutes * 60 + second) + fraction
  }

  /// Minutes east of UTC.
  private mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hour = number(2), hour < 24, take(":"),
      let minute = number(2), minute < 60
    else { return nil }
    return (hour * 60 + minute) * (isWest ? -1 : 1)
  }

  private mutating func number(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
        return nil
      }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      rest = rest.dropFirst()
    }
    return value
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
