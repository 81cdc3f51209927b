import Foundation
import Testing

@testable import Fovea

/// Types whose schema cannot be derived: the error names the type, the field and the reason.
@Suite("Refused Swift types")
struct TypeRefusalTests {
  struct Holder<Content: Codable>: Codable { let inner: Inner<Content> }
  struct Inner<Content: Codable>: Codable { let field: [Content] }

  enum Shape: Codable { case circle(radius: Double), square(side: Double) }
  enum Plain: Codable { case on, off }
  enum Grade: String, Codable { case good, bad }
  enum Count: Int, Codable { case none, one }
  enum Rate: Double, Codable, CaseIterable { case half = 0.5 }
  enum Never: String, Codable, CaseIterable { case a }
  enum Rating: String, Codable, CaseIterable { case good, bad }

  /// A key that is written differently from how it is read.
  enum OddKey: String, Codable, CaseIterable, CodingKeyRepresentable {
    case a, b
    var codingKey: any CodingKey { ProbingKey(stringValue: rawValue + "!") }
    init?(codingKey: some CodingKey) { self.init(rawValue: codingKey.stringValue) }
  }

  final class Endless: Codable { let next: Endless }
  final class Chicken: Codable { let egg: Egg }
  final class Egg: Codable { let chicken: Chicken }
  enum HalfEndless: Codable {
    case end
    indirect case more(Endless2)
    enum CodingKeys: CodingKey, CaseIterable { case end, more }
  }
  final class Endless2: Codable { let next: Endless2, outer: HalfEndless }

  struct AnyKeys: Codable {
    let names: [String]
    enum CodingKeys: CodingKey, CaseIterable { case a, b }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      names = try container.allKeys.map { try container.decode(String.self, forKey: $0) }
    }
    func encode(to encoder: any Encoder) throws {}
  }

  enum TwoKeys: Codable {
    case a(Int)
    enum CodingKeys: CodingKey, CaseIterable { case a, b }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      guard container.allKeys.count == 1 else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "one key"))
      }
      _ = try container.decode(Int.self, forKey: .b)
      self = .a(try container.decode(Int.self, forKey: .a))
    }
    func encode(to encoder: any Encoder) throws {}
  }

  /// A list of any length whose first item is of another type.
  struct Mixed: Codable {
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      _ = try list.decode(String.self)
      while !list.isAtEnd { _ = try list.decode(Int.self) }
    }
  }

  /// A list that tells its length itself.
  struct Tagged: Codable {
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      for _ in 0..<(try list.decode(UInt8.self) % 4) { _ = try list.decode(Int.self) }
    }
  }

  struct Seconds: StructuredOutput {
    let day: Date
    static var dateStrategy: DateStrategy { .secondsSince1970 }
  }

  enum Capital: String, Codable, CaseIterable {
    case rome
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard text == "Rome" else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not a capital"))
      }
      self = .rome
    }
  }

  /// An enum that reads text by hand; "a" happens to be among the texts that are tried.
  enum Letter: Codable {
    case a, b
    init(from decoder: any Decoder) throws {
      switch try decoder.singleValueContainer().decode(String.self) {
      case "a": self = .a
      case "b": self = .b
      default:
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no letter"))
      }
    }
  }

  struct Impossible: Codable {
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no serial number: \(text)"))
    }
  }

  @Test(
    arguments: [
      (Holder<[Rating: Int]>.self, "Dictionary<Rating, Int>", "list of keys and values in turn"),
      (Holder<[UUID: Int]>.self, "Dictionary<UUID, Int>", "list of keys and values in turn"),
      (Holder<[OddKey: Int]>.self, "Dictionary<OddKey, Int>", "keys that OddKey reads"),
      (Holder<Shape>.self, "Shape", "whatever keys there are"),
      (Holder<Plain>.self, "Plain", "whatever keys there are"),
      (Holder<AnyKeys>.self, "AnyKeys", "not exactly one of them"),
      (Holder<TwoKeys>.self, "TwoKeys", "reads other keys too"),
      (Holder<Grade>.self, "Grade", "allowed values"),
      (Holder<Count>.self, "Count", "allowed values"),
      (Holder<Rate>.self, "Rate", "neither text nor whole numbers"),
      (Holder<Capital>.self, "Capital", "raw value of its case rome"),
      (Holder<Letter>.self, "Letter", "which values it accepts"),
      (Holder<Impossible>.self, "Impossible", "every value that was tried"),
      (Holder<Endless>.self, "Endless", "contains another one (Endless > Endless)"),
      (Holder<Chicken>.self, "Chicken", "contains another one (Chicken > Egg > Chicken)"),
      (Holder<HalfEndless>.self, "Endless2", "(Endless2 > Endless2)"),
      (Holder<Mixed>.self, "Mixed", "items of several types"),
      (Holder<Tagged>.self, "Tagged", "whose length depends on the data"),
      (Holder<Seconds>.self, "Seconds", "its dates are written as secondsSince1970"),
    ] as [(any AnyType.Type, String, String)])
  func namesTypeFieldAndReason(
    type: any AnyType.Type, name: String, reason: String
  ) throws {
    let error = try #require(throws: FoveaError.self) { try Schema(probing: type) }
    #expect(error.code == .unsupportedType)
    #expect(error.message.contains("inner.field"), "\(error)")
    #expect(error.message.contains(", \(name),"), "\(error)")
    #expect(error.message.contains(reason), "\(error)")
    #expect(error.fix != nil)
  }

  @Test func tellsTheTypesOwnError() throws {
    let error = try #require(throws: FoveaError.self) { try Schema(probing: Impossible.self) }
    #expect(error.cause?.contains("no serial number") ?? false)
  }

  struct WrongForm: StructuredOutput {
    let days: [Date]
    static var dateStrategy: DateStrategy { .formatted("MM/yyyy") }
  }

  @Test func aFormOfDatesNeedsYearMonthAndDay() throws {
    let error = try #require(throws: FoveaError.self) { try Schema(of: WrongForm.self) }
    #expect(error.message.contains("WrongForm.days, Date,"), "\(error)")
    #expect(error.message.contains("\"MM/yyyy\" does not say year, month and day"), "\(error)")
  }

  // MARK: Decoders that read different things

  struct TextOrNumber: Codable {
    let price: Double
    enum CodingKeys: CodingKey { case price }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      do {
        price = try container.decode(Double.self, forKey: .price)
      } catch {
        price = Double(try container.decode(String.self, forKey: .price)) ?? 0
      }
    }
  }

  struct OneKeyOrAnother: Decodable {
    let total: Double
    enum CodingKeys: CodingKey { case total, sum }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if let total = try container.decodeIfPresent(Double.self, forKey: .total) {
        self.total = total
      } else {
        total = try container.decode(Double.self, forKey: .sum)
      }
    }
  }

  struct ByKind: Decodable {
    enum Kind: String, Codable, CaseIterable { case cash, card }
    enum CodingKeys: CodingKey { case kind, number, change }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(Kind.self, forKey: .kind) {
      case .cash: _ = try container.decode(Int.self, forKey: .change)
      case .card: _ = try container.decode(String.self, forKey: .number)
      }
    }
  }

  struct ObjectOrText: Decodable {
    enum CodingKeys: CodingKey { case name }
    init(from decoder: any Decoder) throws {
      // Swallowing the error is what is tested.
      if let text = try? decoder.singleValueContainer().decode(String.self), !text.isEmpty {
        return
      }
      _ = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
  }

  struct SwallowsRefusals: Decodable {
    enum CodingKeys: CodingKey { case extra }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      // Swallowing the error is what is tested.
      _ = try? container.decode([UUID: String].self, forKey: .extra)
    }
  }

  @Test(
    arguments: [
      (TextOrNumber.self, "price"), (OneKeyOrAnother.self, "sum"), (ByKind.self, "number"),
      (ObjectOrText.self, "ObjectOrText"), (SwallowsRefusals.self, "extra"),
    ] as [(any AnyType.Type, String)])
  func branchingDecoders(type: any AnyType.Type, place: String) throws {
    let error = try #require(throws: FoveaError.self) { try Schema(probing: type) }
    #expect(error.code == .unsupportedType)
    #expect(error.message.contains(place), "\(error)")
  }
}
