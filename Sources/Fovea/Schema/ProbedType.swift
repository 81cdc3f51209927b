import Foundation

/// What is known of a type: its schema, and values that its decoder accepts.
struct ProbedType {
  let schema: Schema
  /// Boxes of the type, never empty. Boxed because a cast of `Any` cannot tell the levels of an
  /// optional apart.
  let samples: [AnyObject]

  init<T>(_ schema: Schema, _ samples: [T]) {
    self.schema = schema
    self.samples = samples.map(Box.init)
  }

  final class Box<T> {
    let value: T
    init(_ value: T) { self.value = value }
  }
}

extension ProbedType {
  /// The types that decode from a single value; nil for all others.
  init?(leaf type: any Decodable.Type) {
    if type == String.self {
      self.init(Schema(.string(.init())), Self.texts)
    } else if type == Bool.self {
      self.init(Schema(.boolean), [false, true])
    } else if type == Double.self {
      self.init(Schema(.number(.init())), [1.0, 0, 0.5, 2, -1, 10, 100, 1000])
    } else if type == Float.self {
      self.init(Schema(.number(.init())), [Float(1), 0, 0.5, 2, -1, 10, 100, 1000])
    } else if type == Decimal.self {
      let numbers = [1, 0, 2, -1, 10, 100, 1000].map { Decimal($0) }
      self.init(Schema(.number(.init())), numbers + [Decimal(5) / 10])
    } else if type == Date.self {
      self.init(
        Schema(.string(.init(format: .dateTime))),
        [1_770_000_000, 0, 4_102_444_800, 946_684_800].map(Date.init(timeIntervalSince1970:)))
    } else if let integer = type as? any (FixedWidthInteger & Decodable).Type {
      self.init(integer: integer)
    } else {
      return nil
    }
  }

  private init?<T: FixedWidthInteger>(integer type: T.Type) {
    guard T.bitWidth <= 64, let minimum = Decimal(string: T.min.description),
      let maximum = Decimal(string: T.max.description)
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

/// Optionals, whatever they wrap.
protocol ProbedOptional {
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType
}

extension Optional: ProbedOptional where Wrapped: Decodable {
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType {
    let wrapped = try session.probe(Wrapped.self)
    let values = wrapped.samples.compactMap { $0 as? ProbedType.Box<Wrapped> }.map(\.value)
    return ProbedType(wrapped.schema.orNull, values.map(Optional.some) + [.none])
  }
}

/// Arrays, whatever they hold.
protocol ProbedArray {
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType
}

extension Array: ProbedArray where Element: Decodable {
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType {
    let element = try session.probe(Element.self)
    let values = element.samples.compactMap { $0 as? ProbedType.Box<Element> }.map(\.value)
    return ProbedType(
      Schema(.array(items: element.schema, minItems: 0, maxItems: nil)),
      [Array(values.prefix(1)), [], Array(values.prefix(2)), Array(values.suffix(1))])
  }
}

extension Schema {
  /// The same or `null`.
  var orNull: Schema {
    if case .anyOf(let branches) = kind {
      return branches.contains { $0.kind == .null }
        ? self : Schema(.anyOf(branches + [Schema(.null)]))
    }
    return kind == .null ? self : Schema(.anyOf([self, Schema(.null)]))
  }
}
