import Foundation

@testable import Fovea

/// The types whose schemas, grammars and decoders are held against each other.
enum TypeTable {
  // MARK: Types

  enum Level: String, Codable, CaseIterable { case low, high = "HIGH" }
  enum Grade: Int, Codable, CaseIterable { case one = 1, two, minus = -1 }
  enum Unit: String, Codable, CaseIterable, CodingKeyRepresentable { case kg, piece }
  struct Tag: RawRepresentable, Codable, Hashable, CodingKeyRepresentable { let rawValue: String }
  struct Point: Codable, Hashable {
    let x, y: Double
    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      (x, y) = (try list.decode(Double.self), try list.decode(Double.self))
    }
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(x)
      try list.encode(y)
    }
  }

  /// Two items of different types, and nothing behind them.
  struct Pair: Codable, Equatable {
    var name: String?
    var count: UInt8
    init(name: String?, count: UInt8) { (self.name, self.count) = (name, count) }
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      name = try list.decodeIfPresent(String.self)
      count = try list.decode(UInt8.self)
      guard list.isAtEnd else {
        throw DecodingError.dataCorruptedError(in: list, debugDescription: "too long")
      }
    }
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(name)
      try list.encode(count)
    }
  }

  /// A list that is read in a loop.
  struct Bag: Codable, Equatable {
    var items: [Int16] = []
    init(_ items: [Int16]) { self.items = items }
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      while !list.isAtEnd { items.append(try list.decode(Int16.self)) }
    }
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      for item in items { try list.encode(item) }
    }
  }

  struct AtLeastOne: Codable, Equatable {
    let first: Int16
    let rest: [Int16]
    init(_ first: Int16, _ rest: [Int16]) { (self.first, self.rest) = (first, rest) }
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      first = try list.decode(Int16.self)
      var rest: [Int16] = []
      while !list.isAtEnd { rest.append(try list.decode(Int16.self)) }
      self.rest = rest
    }
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(first)
      for item in rest { try list.encode(item) }
    }
  }

  enum Shape: Codable, Equatable {
    case circle(radius: Double), label(String, size: Int8?), none
    enum CodingKeys: String, CodingKey, CaseIterable { case circle, label = "text", none }
  }
  /// Without associated values, it lists its cases itself.
  enum Step: Codable, CaseIterable { case up, down }
  struct Tree: Codable, Equatable { let name: String, children: [Tree] }
  final class Folder: Codable, Equatable, Sendable {
    let id: Int8
    let parent: Folder?
    let byName: [String: Folder]
    init(_ id: Int8, in parent: Folder? = nil, _ byName: [String: Folder] = [:]) {
      (self.id, self.parent, self.byName) = (id, parent, byName)
    }
    static func == (left: Folder, right: Folder) -> Bool {
      left.id == right.id && left.parent == right.parent && left.byName == right.byName
    }
  }
  indirect enum Expression: Codable, Equatable, Sendable {
    case sum(Term, Term), number(Int8)
    enum CodingKeys: CodingKey, CaseIterable { case sum, number }
  }
  struct Term: Codable, Equatable, Sendable { let factor: Int8, of: Expression }
  struct Flat: Codable, Equatable {
    let city: String
    let code: Int8
    init(_ city: String, _ code: Int8) { (self.city, self.code) = (city, code) }
    enum CodingKeys: CodingKey { case place, code }
    enum PlaceKeys: CodingKey { case city }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      city = try container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
        .decode(String.self, forKey: .city)
      code = try container.decode(Int8.self, forKey: .code)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var place = container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
      try place.encode(city, forKey: .city)
      try container.encode(code, forKey: .code)
    }
  }
  /// A place of two numbers inside an object.
  struct Line: Codable, Equatable {
    let from: [Float]
    init(from: [Float]) { self.from = from }
    enum CodingKeys: CodingKey { case from }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var list = try container.nestedUnkeyedContainer(forKey: .from)
      from = [try list.decode(Float.self), try list.decode(Float.self)]
    }
  }
  class Base: Codable { var id: Int8 = 0 }
  final class Derived: Base, Equatable, @unchecked Sendable {
    var name = ""
    init(id: Int8, name: String) {
      super.init()
      (self.id, self.name) = (id, name)
    }
    enum CodingKeys: CodingKey { case name }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try super.encode(to: container.superEncoder())
    }
    static func == (left: Derived, right: Derived) -> Bool {
      left.id == right.id && left.name == right.name
    }
  }
  struct Wrapped: Codable, Equatable {
    let text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }
  struct Receipt: StructuredOutput, Equatable {
    let shop: String, paid: Bool, total: Decimal, note: String?, lines: [Item]
    enum CodingKeys: String, CodingKey { case shop = "store name", paid, total, note, lines }
    struct Item: Codable, Equatable, Sendable { let name: String, price: Double }
    static var guides: [String: Guide] {
      ["store name": .length(1...9), "lines": .count(1...3), "lines.price": .range(0...1000)]
    }
  }
  struct Timed: StructuredOutput, Equatable {
    let start: Date, end: Date?
    static var dateStrategy: DateStrategy { .formatted("dd.MM.yyyy HH:mm:ss") }
  }
  struct Seconds: StructuredOutput, Equatable {
    let start: Date
    static var dateStrategy: DateStrategy { .secondsSince1970 }
  }
  struct Days: StructuredOutput, Equatable {
    let days: Set<Date>
    static var dateStrategy: DateStrategy { .day }
  }
  struct Priced: StructuredOutput, Equatable {
    let price: Decimal, rate: Int, codes: [String]
    static var guides: [String: Guide] {
      [
        "price": .multipleOf(0.05).range(0...10), "rate": .oneOf(values: [7, 19]),
        "codes": .unique().count(1...).pattern("^-?[0-9]+$"),
      ]
    }
  }
  struct Link: Codable, Equatable { let url: URL, id: UUID?, icon: Data }
  struct Everything: Codable, Equatable {
    let weights: [Unit: Float], shapes: [Shape], tree: Tree?, bag: Bag
  }
}
