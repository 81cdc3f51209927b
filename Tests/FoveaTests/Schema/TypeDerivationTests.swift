import Foundation
import Testing

@testable import Fovea

/// The schemas of Swift types, as JSON Schema text.
@Suite("Schema of a Swift type")
struct TypeDerivationTests {
  private func derived(_ type: any Decodable.Type) throws -> String {
    try Schema(probing: type).jsonSchema()
  }

  /// The JSON Schema of an object with these properties, all of them required.
  private func object(_ properties: KeyValuePairs<String, String>) -> String {
    let members = properties.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    let required = properties.map { "\"\($0.key)\"" }.joined(separator: ",")
    return #"{"type":"object","properties":{"# + members + "}"
      + (required.isEmpty ? "" : #","required":[\#(required)]"#)
      + #","additionalProperties":false}"#
  }

  // MARK: What can be derived

  struct Receipt: StructuredOutput, Equatable {
    let vendor: String
    let total: Decimal
    let isPaid: Bool
    let note: String?
    let items: [Item]
    let tags: [String]?

    struct Item: Codable, Equatable, Sendable {
      let name: String
      let count: UInt8
      let weight: Double?
    }
  }

  @Test func nestedStructsKeepTheOrderOfTheirFields() throws {
    let item = object([
      "name": #"{"type":"string"}"#,
      "count": #"{"type":"integer","minimum":0,"maximum":255}"#,
      "weight": #"{"anyOf":[{"type":"number"},{"type":"null"}]}"#,
    ])
    let expected = object([
      "vendor": #"{"type":"string"}"#,
      "total": #"{"type":"number"}"#,
      "isPaid": #"{"type":"boolean"}"#,
      "note": #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
      "items": #"{"type":"array","items":\#(item)}"#,
      "tags": #"{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}"#,
    ])
    #expect(try Schema(of: Receipt.self).jsonSchema() == expected)
  }

  @Test func integersHaveTheBoundsOfTheirType() throws {
    let types: [(any (FixedWidthInteger & Decodable).Type)] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
      UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
    ]
    for type in types {
      #expect(
        try derived(type)
          == #"{"type":"integer","minimum":\#(type.min),"maximum":\#(type.max)}"#)
    }
  }

  struct Renamed: Codable {
    let firstName: String
    let age: Int16
    enum CodingKeys: String, CodingKey {
      case firstName = "first_name"
      case age = "years"
    }
  }

  @Test func codingKeysRename() throws {
    let expected = object([
      "first_name": #"{"type":"string"}"#,
      "years": #"{"type":"integer","minimum":-32768,"maximum":32767}"#,
    ])
    #expect(try derived(Renamed.self) == expected)
  }

  enum Payment: String, Codable, CaseIterable { case cash, card = "CARD", other }
  enum Level: Int, Codable, CaseIterable { case low = 1, high = 10 }

  @Test func rawEnumsAllowTheirCases() throws {
    #expect(try derived(Payment.self) == #"{"enum":["cash","CARD","other"]}"#)
    #expect(try derived(Level.self) == #"{"enum":[1,10]}"#)
    #expect(
      try derived([Payment?].self)
        == #"{"type":"array","items":{"anyOf":[{"enum":["cash","CARD","other"]},{"type":"null"}]}}"#
    )
  }

  /// An enum with a decoder of its own that still reads its raw values.
  enum Lenient: String, Codable, CaseIterable {
    case yes, no
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let value = Lenient(rawValue: text.lowercased()) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "neither yes nor no"))
      }
      self = value
    }
  }

  struct Identifier: RawRepresentable, Codable { let rawValue: String }
  struct Flags: OptionSet, Codable { let rawValue: UInt8 }
  struct Wrapper: Codable {
    let text: String
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
  }

  @Test func wrappersAreWhatTheyWrap() throws {
    #expect(try derived(Lenient.self) == #"{"enum":["yes","no"]}"#)
    #expect(try derived(Identifier.self) == #"{"type":"string"}"#)
    #expect(try derived(Flags.self) == #"{"type":"integer","minimum":0,"maximum":255}"#)
    #expect(try derived(Wrapper.self) == #"{"type":"string"}"#)
    #expect(
      try derived([[Bool]].self)
        == #"{"type":"array","items":{"type":"array","items":{"type":"boolean"}}}"#)
  }

  struct Empty: Codable {}
  struct Generic<Content: Codable>: Codable { let content: Content }
  struct Dates: Codable { let bought: Date, due: Date? }

  @Test func oddOnes() throws {
    #expect(try derived(Empty.self) == object([:]))
    #expect(
      try derived(Generic<Int??>.self)
        == derived(Generic<Int?>.self))
    #expect(
      try derived(Dates.self)
        == object([
          "bought": #"{"type":"string","format":"date-time"}"#,
          "due": #"{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]}"#,
        ]))
    #expect(
      try derived(Generic<Float>.self) == object(["content": #"{"type":"number"}"#]))
  }
}
