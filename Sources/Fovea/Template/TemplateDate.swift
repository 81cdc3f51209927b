/// A moment as a date and a time of day.
struct TemplateDate {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  /// 0 is Sunday.
  let weekday: Int
  /// 1 is the first of January.
  let dayOfYear: Int

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// - Parameter seconds: Seconds since 1970, in local time.
  init(_ seconds: Int64) {
    let (quotient, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let days = Int(rest < 0 ? quotient - 1 : quotient)
    let time = Int(rest < 0 ? rest + 86_400 : rest)
    (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    weekday = ((days + 4) % 7 + 7) % 7
    // Years begin in March here, so that a leap day is the last of its year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    day = ofYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    dayOfYear = before[month - 1] + day + (isLeap && month > 2 ? 1 : 0)
  }

  /// Python's `strftime`; what the format says is trusted where the format is.
  func text(_ format: TemplateText) throws(TemplateFailure) -> TemplateText {
    let units = format.units
    let scalars = units.map(TemplateText.scalar)
    var result = TemplateTextBuilder()
    var at = 0
    // Python's stops at a zero, as C does.
    while at < units.count, scalars[at] != 0 {
      guard scalars[at] == 0x25 else {
        result.append(unit: units[at])
        at += 1
        continue
      }
      var next = at + 1
      let isPlain = next < units.count && scalars[next] == 0x2D
      if isPlain { next += 1 }
      guard next < units.count, let scalar = Unicode.Scalar(scalars[next]),
        let part = part(Character(scalar), isPlain: isPlain)
      else {
        let shown = TemplateText.string(units[at..<min(next + 1, units.count)])
        throw TemplateFailure("'\(shown)' in a date's format", .unsupported)
      }
      result.append(part)
      at = next + 1
    }
    return result.text
  }

  private func part(_ letter: Character, isPlain: Bool) -> String? {
    func number(_ value: Int, _ width: Int, with filling: Character = "0") -> String {
      let digits = String(value)
      if isPlain { return digits }
      return String(repeating: filling, count: max(0, width - digits.count)) + digits
    }
    switch letter {
    case "Y": return String(year)
    case "y": return number(year % 100, 2)
    case "m": return number(month, 2)
    case "d": return number(day, 2)
    case "e": return number(day, 2, with: " ")
    case "H": return number(hour, 2)
    case "I": return number((hour + 11) % 12 + 1, 2)
    case "M": return number(minute, 2)
    case "S": return number(second, 2)
    case "j": return number(dayOfYear, 3)
    case "f": return "000000"
    case "p": return hour < 12 ? "AM" : "PM"
    case "A": return Self.weekdays[weekday]
    case "a": return String(Self.weekdays[weekday].prefix(3))
    case "B": return Self.months[month - 1]
    case "b", "h": return String(Self.months[month - 1].prefix(3))
    case "w": return String(weekday)
    case "u": return String(weekday == 0 ? 7 : weekday)
    case "n": return "\n"
    case "t": return "\t"
    case "%": return "%"
    case "F": return "\(year)-\(number(month, 2))-\(number(day, 2))"
    case "D", "x": return "\(number(month, 2))/\(number(day, 2))/\(number(year % 100, 2))"
    case "T", "X": return "\(number(hour, 2)):\(number(minute, 2)):\(number(second, 2))"
    case "R": return "\(number(hour, 2)):\(number(minute, 2))"
    case "Z", "z": return ""
    default: return nil
    }
  }
}
