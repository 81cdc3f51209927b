public import Foundation

/// How dates are written: what the model writes for a `Date`, and how that is read.
///
///     struct Event: StructuredOutput {
///       let start: Date
///       static var dateStrategy: DateStrategy { .formatted("dd.MM.yyyy HH:mm") }
///     }
///
/// Every text or number that the schema of a strategy allows is a date to its decoder.
public struct DateStrategy: Sendable, Hashable {
  enum Form: Sendable, Hashable {
    case iso8601, day, seconds, milliseconds
    case formatted(DateTemplate?)
  }

  let form: Form
  private let name: String

  /// A date and time with zone, `2026-11-30T09:41:00Z`; with a guide of `.format(.date)` a day.
  public static let iso8601 = DateStrategy(form: .iso8601, name: "iso8601")
  /// A day, `2026-11-30`, which is its midnight UTC.
  public static let day = DateStrategy(form: .day, name: "day")
  /// A number: the seconds since the beginning of 1970 UTC.
  public static let secondsSince1970 = DateStrategy(form: .seconds, name: "secondsSince1970")
  /// A number: the milliseconds since the beginning of 1970 UTC.
  public static let millisecondsSince1970 =
    DateStrategy(form: .milliseconds, name: "millisecondsSince1970")

  /// A text of this form, in UTC: `yyyy`, `MM` and `dd`, each once, and if wanted `HH`, `mm` and
  /// `ss`. All other signs stand for themselves; letters are not allowed.
  ///
  ///     .formatted("dd.MM.yyyy")     // 30.11.2026; only days that exist
  ///
  /// A form without year, month and day makes ``Schema/init(of:)`` throw.
  public static func formatted(_ template: String) -> DateStrategy {
    DateStrategy(form: .formatted(DateTemplate(template)), name: template)
  }

  /// What a decoder must be set to that reads such dates.
  public var decodingStrategy: JSONDecoder.DateDecodingStrategy {
    .custom { decoder in
      let container = try decoder.singleValueContainer()
      let date: Date?
      let written: String
      switch form {
      case .seconds, .milliseconds:
        let number = try container.decode(Double.self)
        written = "\(number)"
        date = Date(timeIntervalSince1970: form == .seconds ? number : number / 1000)
      case .iso8601, .day:
        written = try container.decode(String.self)
        date = DateText.moment(written)
      case .formatted(let template):
        written = try container.decode(String.self)
        date = template?.date(written)
      }
      if let date { return date }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "\"\(written)\" is not a date (\(self))"))
    }
  }

  /// What an encoder must be set to that writes such dates.
  public var encodingStrategy: JSONEncoder.DateEncodingStrategy {
    switch form {
    case .iso8601: .iso8601
    case .seconds: .secondsSince1970
    case .milliseconds: .millisecondsSince1970
    case .day: Self.encoding { $0.text(of: Self.dayTemplate) }
    case .formatted(let template): Self.encoding { $0.text(of: template) }
    }
  }

  private static let dayTemplate = DateTemplate("yyyy-MM-dd")

  private static func encoding(
    _ text: @escaping @Sendable (Date) -> String?
  ) -> JSONEncoder.DateEncodingStrategy {
    .custom { date, encoder in
      guard let text = text(date) else {
        throw EncodingError.invalidValue(
          date,
          EncodingError.Context(
            codingPath: encoder.codingPath,
            debugDescription: "the date is not in the years 0 to 9999"))
      }
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  /// The kind of JSON that dates are; nil when the form is none.
  var kind: Schema.Kind? {
    switch form {
    case .iso8601: .string(.init(format: .dateTime))
    case .day: .string(.init(format: .date))
    case .seconds, .milliseconds: .number(.init())
    case .formatted(let template): template.map { .string(.init(pattern: $0.pattern)) }
    }
  }
}

extension DateStrategy: CustomStringConvertible {
  /// Its name, or its form.
  public var description: String { name }
}

extension Date {
  fileprivate func text(of template: DateTemplate?) -> String? { template?.text(self) }
}
