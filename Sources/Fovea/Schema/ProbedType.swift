import Foundation

/// What is known of a type: its schema, and values that its decoder accepts.
struct ProbedType {
  let schema: Schema
  /// Boxes of the type; none only while a type that contains itself is being probed. Boxed because
  /// a cast of `Any` cannot tell the levels of an optional apart.
  let samples: [AnyObject]
  /// Whether some of it could not be probed yet, for want of a value of a type that contains it.
  let isPartial: Bool

  init<T>(_ schema: Schema, _ samples: [T]) {
    self.init(schema: schema, samples: samples.map(Box.init))
  }

  init(schema: Schema, samples: [AnyObject], isPartial: Bool = false) {
    self.schema = schema
    self.samples = samples
    self.isPartial = isPartial
  }

  /// The samples, which are of this type.
  func values<T>(_ type: T.Type) -> [T] {
    samples.compactMap { $0 as? Box<T> }.map(\.value)
  }

  final class Box<T> {
    let value: T
    init(_ value: T) { self.value = value }
  }
}

extension ProbedType {
  /// The types that decode from a single value; nil for all others.
  init?(leaf type: any Decodable.Type, _ session: ProbeSession) throws(FoveaError) {
    if type == String.self {
      self.init(Schema(.string(.init())), Self.texts)
    } else if type == Bool.self {
      self.init(Schema(.boolean), [false, true])
    } else if type == Decimal.self {
      let numbers = [1, 0, 2, -1, 10, 100, 1000].map { Decimal($0) }
      self.init(Schema(.number(.init())), numbers + [Decimal(5) / 10])
    } else if type == Date.self {
      guard let kind = session.dates.kind else {
        throw session.fail(
          "its form \"\(session.dates)\" does not say year, month and day, each once, or has other "
            + "letters", of: type, fix: "use dateStrategy .formatted(\"dd.MM.yyyy\") or the like")
      }
      self.init(
        Schema(kind),
        [1_770_000_000, 0, 4_102_444_800, 946_684_800].map(Date.init(timeIntervalSince1970:)))
    } else if type == URL.self {
      self.init(
        Schema(.string(.init(format: .uri))),
        [
          "https://example.com/", "https://example.com/a?b=c#d", "mailto:a@example.com",
          "file:///a",
        ]
        .compactMap(URL.init(string:)))
    } else if type == UUID.self {
      self.init(
        Schema(.string(.init(format: .uuid))),
        ["00000000-0000-0000-0000-000000000000", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]
          .compactMap(UUID.init(uuidString:)))
    } else if type == Data.self {
      self.init(
        Schema(.string(.init(format: .base64))), [Data([1, 2, 3]), Data(), Data(count: 16)])
    } else if let number = type as? any (BinaryFloatingPoint & Decodable).Type {
      self.init(floatingPoint: number)
    } else if let integer = type as? any (FixedWidthInteger & Decodable).Type {
      self.init(integer: integer)
    } else {
      return nil
    }
  }

  private init<T: BinaryFloatingPoint>(floatingPoint type: T.Type) {
    var bounds = Schema.NumberBounds()
    // Other types hold whatever digits the grammar writes.
    if T.greatestFiniteMagnitude < 1e20, let greatest = Int(exactly: T.greatestFiniteMagnitude) {
      bounds = .init(minimum: Decimal(-greatest), maximum: Decimal(greatest))
    }
    self.init(Schema(.number(bounds)), [1, 0, 0.5, 2, -1, 10, 100, 1000].map { T($0) })
  }

  private init?<T: FixedWidthInteger>(integer type: T.Type) {
    // A decimal holds 128 bits.
    guard let minimum = Decimal(string: T.min.description),
      let maximum = Decimal(string: T.max.description), minimum.description == T.min.description,
      maximum.description == T.max.description
    else { return nil }
    self.init(
      Schema(.integer(.init(minimum: minimum, maximum: maximum))),
      [1, 0, 2, 3, -1, 10, 100, 1000, 2000].compactMap { T(exactly: $0) })
  }

  /// Texts that types with a strict `init(from:)` are likely to accept, from plain to special.
  private static let texts = [
    "a", "", "1", "A", "abc", "0.5", "EUR", "en", "2026-01-31", "2026-01-31T09:41:00Z",
    "09:41:00Z", "a@example.com", "https://example.com", "true", "#000000", "en_US", "/", "a-b",
    "+4930123456", "00000000-0000-0000-0000-000000000000",
  ]
}
