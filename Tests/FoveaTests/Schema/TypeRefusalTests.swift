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
  struct Node: Codable { let children: [Node] }

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

  struct Pair: Codable {
    let x, y: Double
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      x = try list.decode(Double.self)
      y = try list.decode(Double.self)
    }
  }

  class Base: Codable { var id = 0 }
  final class Derived: Base {
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      _ = try container.decode(Int.self, forKey: .other)
      try super.init(from: container.superDecoder())
    }
    enum Key: CodingKey { case other }
  }

  @Test(
    arguments: [
      (Holder<[String: Int]>.self, "Dictionary<String, Int>", "keys are not known"),
      (Holder<Set<Int>>.self, "Set<Int>", "a set's may not"),
      (Holder<URL>.self, "URL", "not enforced"),
      (Holder<UUID>.self, "UUID", "not enforced"),
      (Holder<Data>.self, "Data", "bytes"),
      (Holder<Shape>.self, "Shape", "associated values"),
      (Holder<Plain>.self, "Plain", "associated values"),
      (Holder<Grade>.self, "Grade", "allowed values"),
      (Holder<Count>.self, "Count", "allowed values"),
      (Holder<Rate>.self, "Rate", "neither text nor whole numbers"),
      (Holder<Capital>.self, "Capital", "raw value of its case rome"),
      (Holder<Letter>.self, "Letter", "which values it accepts"),
      (Holder<Impossible>.self, "Impossible", "every value that was tried"),
      (Holder<Node>.self, "Node", "contains itself (Holder<Node> > Inner<Node> > Node > Node)"),
      (Holder<Pair>.self, "Pair", "item by item"),
      (Holder<Derived>.self, "Derived", "superclass"),
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
      _ = try? container.decode([String: String].self, forKey: .extra)
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
