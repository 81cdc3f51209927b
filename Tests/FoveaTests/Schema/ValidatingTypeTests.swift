import Foundation
import Testing

@testable import Fovea

/// Types whose decoders reject some values: the probe finds others.
@Suite("Types that validate")
struct ValidatingTypeTests {
  /// Throws a decoding error unless the condition holds.
  private static func require(_ condition: Bool) throws {
    guard condition else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not acceptable"))
    }
  }

  struct Positive: Codable {
    let value: Int
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Int.self)
      try require(value > 50)
    }
  }

  struct Day: Codable {
    let text: String
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      try require(DateText.day(text) != nil)
    }
  }

  struct Interval: Codable {
    let start, end: Int
    let name: String
    enum CodingKeys: CodingKey { case start, end, name }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      start = try container.decode(Int.self, forKey: .start)
      end = try container.decode(Int.self, forKey: .end)
      name = try container.decode(String.self, forKey: .name)
      try require(start < end && name.isEmpty)
    }
  }

  struct NeedsNested: Codable {
    let interval: Interval
    let day: Day
    let codes: [Positive]
    enum CodingKeys: CodingKey { case interval, day, codes }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      interval = try container.decode(Interval.self, forKey: .interval)
      day = try container.decode(Day.self, forKey: .day)
      codes = try container.decode([Positive].self, forKey: .codes)
      try require(codes.isEmpty)
    }
  }

  struct Lenient: Codable {
    let count: Int
    let note: String
    enum CodingKeys: CodingKey { case count, note }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      // Swallowing the error is what is tested.
      count = (try? container.decode(Int.self, forKey: .count)) ?? 0
      note = try container.decodeIfPresent(String.self, forKey: .note) ?? ""
    }
  }

  struct Flat: Decodable {
    let city: String
    let code: Int8?
    enum CodingKeys: CodingKey { case place, code }
    enum PlaceKeys: CodingKey { case city }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let place = try container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
      city = try place.decode(String.self, forKey: .city)
      code =
        try container.decodeNil(forKey: .code) ? nil : container.decode(Int8.self, forKey: .code)
    }
  }

  class Base: Codable { var id = "" }
  final class Derived: Base {
    let name: String
    enum CodingKeys: CodingKey { case name }
    required init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
      try super.init(from: decoder)
    }
  }

  @Test(
    arguments: [
      (Positive.self, ["integer"]),
      (Day.self, ["string"]),
      (Interval.self, ["start:integer", "end:integer", "name:string"]),
      (NeedsNested.self, ["interval:object", "day:string", "codes:array"]),
      (Lenient.self, ["count:integer", "note:string?"]),
      (Flat.self, ["place:object", "code:integer?"]),
      (Derived.self, ["name:string", "id:string"]),
    ] as [(any AnyType.Type, [String])])
  func shapes(type: any AnyType.Type, shape: [String]) throws {
    let schema = try Schema(probing: type)
    guard case .object(let properties) = schema.kind else {
      #expect(shape == [name(schema)])
      return
    }
    #expect(properties.map { "\($0.name):\(name($0.schema))" } == shape)
    #expect(!properties.contains { !$0.isRequired })
  }

  private func name(_ schema: Schema) -> String {
    switch schema.kind {
    case .integer: "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    case .anyOf(let branches) where branches.last?.kind == .null: name(branches[0]) + "?"
    default: "another"
    }
  }
}
