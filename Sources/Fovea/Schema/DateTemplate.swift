import Foundation

/// A form of dates such as `dd.MM.yyyy HH:mm`: as a pattern, as a reader and as a writer.
struct DateTemplate: Sendable, Hashable {
  private enum Field: String, CaseIterable {
    case year = "yyyy"
    case month = "MM"
    case day = "dd"
    case hour = "HH"
    case minute = "mm"
    case second = "ss"
  }

  private enum Part: Sendable, Hashable {
    case field(Field)
    case sign(Character)
  }

  private let parts: [Part]

  /// Nil unless year, month and day occur once, the others at most once, and no other letters.
  init?(_ template: String) {
    var rest = template[...]
    var parts: [Part] = []
    while let sign = rest.first {
      if let field = Field.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
        parts.append(.field(field))
        rest = rest.dropFirst(field.rawValue.count)
      } else {
        // Letters are kept for fields to come; digits would run into those of a field.
        guard !sign.isLetter, !sign.isNumber else { return nil }
        parts.append(.sign(sign))
        rest = rest.dropFirst()
      }
    }
    self.parts = parts
    for field in Field.allCases {
      let count = parts.count { $0 == .field(field) }
      let isNeeded = [.year, .month, .day].contains(field)
      guard count == 1 || (count == 0 && !isNeeded) else { return nil }
    }
  }

  // MARK: The pattern

  /// A regular expression for the texts of this form, with only those days that exist.
  var pattern: String {
    let anyYear = "[0-9]{4}"
    // Years that 4 divides, but of those that 100 divides only those that 400 divides.
    let twoDigits = "(?:0[48]|[2468][048]|[13579][26])"
    let leapYear = "(?:[0-9]{2}\(twoDigits)|(?:00|\(twoDigits))00)"
    let branches = [
      (anyYear, "(?:0[13578]|1[02])", "(?:0[1-9]|[12][0-9]|3[01])"),
      (anyYear, "(?:0[469]|11)", "(?:0[1-9]|[12][0-9]|30)"),
      (anyYear, "02", "(?:0[1-9]|1[0-9]|2[0-8])"),
      (leapYear, "02", "29"),
    ].map { year, month, day in
      parts.map { part in
        switch part {
        case .field(.year): year
        case .field(.month): month
        case .field(.day): day
        case .field(.hour): "(?:[01][0-9]|2[0-3])"
        case .field(.minute), .field(.second): "[0-5][0-9]"
        case .sign(let sign): Self.escaped(sign)
        }
      }.joined()
    }
    return "^(?:\(branches.joined(separator: "|")))$"
  }

  private static func escaped(_ sign: Character) -> String {
    "^$\\.*+?()[]{}|/".contains(sign) ? "\\\(sign)" : "\(sign)"
  }

  // MARK: Reading and writing

  /// The moment of a text of this form; nil when it is none.
  func date(_ text: String) -> Date? {
    var rest = text[...]
    var values: [Field: Substring] = [:]
    for part in parts {
      switch part {
      case .sign(let sign):
        guard rest.first == sign else { return nil }
        rest = rest.dropFirst()
      case .field(let field):
        let digits = rest.prefix(field.rawValue.count)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        values[field] = digits
        rest = rest.dropFirst(field.rawValue.count)
      }
    }
    guard rest.isEmpty, let year = values[.year], let month = values[.month],
      let day = values[.day]
    else { return nil }
    let time = [values[.hour], values[.minute], values[.second]].map { $0 ?? "00" }
    return DateText.dateTime("\(year)-\(month)-\(day)T\(time.joined(separator: ":"))Z")
  }

  /// The moment in this form, without what the form leaves out; nil for other than four-digit
  /// years.
  func text(_ date: Date) -> String? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let values = calendar.dateComponents(
      [.era, .year, .month, .day, .hour, .minute, .second], from: date)
    guard values.era == 1, let year = values.year, (1...9999).contains(year) else { return nil }
    return parts.map { part in
      switch part {
      case .sign(let sign): "\(sign)"
      case .field(.year): Self.padded(year, 4)
      case .field(.month): Self.padded(values.month ?? 1, 2)
      case .field(.day): Self.padded(values.day ?? 1, 2)
      case .field(.hour): Self.padded(values.hour ?? 0, 2)
      case .field(.minute): Self.padded(values.minute ?? 0, 2)
      case .field(.second): Self.padded(values.second ?? 0, 2)
      }
    }.joined()
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
