import Foundation
import Testing

@testable import Fovea

/// A Swift type with values of it, and the JSON Schema that must come out.
struct TypeCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// The schema of the type.
  let schema: @Sendable () throws -> Schema
  let expected: String
  /// The JSON of the values.
  let encoded: @Sendable () throws -> [String]
  /// Decodes a text; nothing when it fails.
  let decode: @Sendable (String) throws -> Void
  /// The values that do not come back as they were.
  let losses: @Sendable () throws -> [String]

  init<T: Codable & Equatable & Sendable>(_ values: [T], _ expected: String) {
    name = "\(T.self)"
    self.expected = expected
    schema = { try Schema(probing: T.self) }
    encoded = { try values.map(encodedText) }
    decode = { _ = try decodeOutput(T.self, from: $0) }
    losses = {
      try values.compactMap { value in
        let again = try decodeOutput(T.self, from: encodedText(value))
        return again == value ? nil : "\(value) came back as \(again)"
      }
    }
  }

  var testDescription: String { name }
}

/// The cases: values of the types, and their JSON Schemas.
extension TypeTable {
  static func object(_ members: String, _ required: [String]) -> String {
    let names = required.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"type":"object","properties":{\#(members)},"required":[\#(names)],"#
      + #""additionalProperties":false}"#
  }
  static let int8 = #"{"type":"integer","minimum":-128,"maximum":127}"#
  static let int16 = #"{"type":"integer","minimum":-32768,"maximum":32767}"#
  static let number = #"{"type":"number"}"#
  static let text = #"{"type":"string"}"#
  static let tuple =
    #"{"type":"array","prefixItems":[\#(number),\#(number)],"items":false,"minItems":2}"#
  static func reference(_ name: String) -> String { ##"{"$ref":"#/$defs/\##(name)"}"## }
  /// The JSON Schema of a definition and what refers to it.
  static func defining(_ name: String, _ definition: String, in root: String) -> String {
    root.dropLast() + #","$defs":{"\#(name)":\#(definition)}}"#
  }
  static func optional(_ schema: String) -> String { #"{"anyOf":[\#(schema),{"type":"null"}]}"# }

  private static func day(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
  private static let int = #"{"type":"integer","minimum":\#(Int.min),"maximum":\#(Int.max)}"#
  private static let shape: String = {
    let circle = object(#""radius":\#(number)"#, ["radius"])
    let label = object(#""_0":\#(text),"size":\#(optional(int8))"#, ["_0", "size"])
    let none = #"{"type":"object","properties":{},"additionalProperties":false}"#
    let cases = [
      object(#""circle":\#(circle)"#, ["circle"]), object(#""text":\#(label)"#, ["text"]),
      object(#""none":\#(none)"#, ["none"]),
    ]
    return #"{"anyOf":[\#(cases.joined(separator: ","))]}"#
  }()
  private static let tree = object(
    #""name":\#(text),"children":{"type":"array","items":\#(reference("Tree"))}"#,
    ["name", "children"])

  static let scalars: [TypeCase] = [
    .init([true, false], #"{"type":"boolean"}"#),
    .init([Int8.min, 0, .max], int8),
    .init([Int16.min, 0, .max], int16),
    .init([UInt8.min, .max], #"{"type":"integer","minimum":0,"maximum":255}"#),
    .init([UInt64.min, .max], #"{"type":"integer","minimum":0,"maximum":\#(UInt64.max)}"#),
    .init(
      [Int64.min, 0, .max], #"{"type":"integer","minimum":\#(Int64.min),"maximum":\#(Int64.max)}"#),
    .init([0, 0.1, -1.5, 1e9, 1.0 / 3], number),
    .init([Float(0), 0.1, -1.5, 1e6], number),
    .init([Decimal(string: "14.10"), Decimal(-3)].compactMap(\.self), number),
    .init(["", "a\"\\\n", "東京 😀"], text),
    .init([day(0), day(1_796_031_660)], #"{"type":"string","format":"date-time"}"#),
    .init(
      ["https://a.example/b?c=d#e", "mailto:a@b"].compactMap(URL.init(string:)),
      #"{"type":"string","format":"uri"}"#),
    .init([UUID()], #"{"type":"string","format":"uuid"}"#),
    .init(
      [Data(), Data([0]), Data([1, 2]), Data([255, 254, 253])],
      #"{"type":"string","pattern":"\#(Schema.Format.base64Pattern)","contentEncoding":"base64"}"#),
    .init(Level.allCases, #"{"enum":["low","HIGH"]}"#),
    .init(Grade.allCases, #"{"enum":[1,2,-1]}"#),
    .init([Wrapped("a")], text),
    .init([Tag(rawValue: "b")], text),
  ]

  static let containers: [TypeCase] = [
    .init(
      [[], [[1], []]] as [[[Int8]]], #"{"type":"array","items":{"type":"array","items":\#(int8)}}"#),
    .init(
      [[nil, true]], #"{"type":"array","items":{"anyOf":[{"type":"boolean"},{"type":"null"}]}}"#),
    .init([[], [1, 2]] as [Set<Int>], #"{"type":"array","items":\#(int),"uniqueItems":true}"#),
    .init(
      [Set(Level.allCases)], #"{"type":"array","items":{"enum":["low","HIGH"]},"uniqueItems":true}"#
    ),
    .init([[Point(x: 0, y: 1)]] as [Set<Point>], #"{"type":"array","items":\#(tuple)}"#),
    .init(
      [[:], ["a": 1, "é": -2]] as [[String: Int]],
      #"{"type":"object","additionalProperties":\#(int)}"#),
    .init(
      [["a": Point(x: 0.5, y: 1)]] as [[String: Point]],
      #"{"type":"object","additionalProperties":\#(tuple)}"#),
    .init(
      [[Int.min: true, .max: false, 0: true, -7: true, 10: false]] as [[Int: Bool]],
      #"{"type":"object","additionalProperties":{"type":"boolean"},"propertyNames":{"pattern":"\#(WholeNumberPattern.int)"}}"#
    ),
    .init(
      [[:], [.kg: 1], [.kg: 1, .piece: 2]] as [[Unit: Int8]],
      #"{"type":"object","properties":{"kg":\#(int8),"piece":\#(int8)},"additionalProperties":false}"#
    ),
    .init([[Tag(rawValue: "x"): 1]], #"{"type":"object","additionalProperties":\#(int)}"#),
    .init([Point(x: 1, y: -2.5)], tuple),
    .init(
      [Pair(name: "a", count: 1), Pair(name: nil, count: 2)],
      #"{"type":"array","prefixItems":[\#(optional(text)),{"type":"integer","minimum":0,"maximum":255}],"items":false,"minItems":2}"#
    ),
    .init(
      [Bag([]), Bag([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])], #"{"type":"array","items":\#(int16)}"#),
    .init(
      [AtLeastOne(1, []), AtLeastOne(1, [2])], #"{"type":"array","items":\#(int16),"minItems":1}"#),
  ]

  static let structs: [TypeCase] = [
    .init(
      [Flat("Rome", 1)],
      object(
        #""place":\#(object(#""city":\#(text)"#, ["city"])),"code":\#(int8)"#, ["place", "code"])),
    .init([Line(from: [1, 2.5])], object(#""from":\#(tuple)"#, ["from"])),
    .init(
      [Derived(id: 7, name: "x")],
      object(
        #""name":\#(text),"super":\#(object(#""id":\#(int8)"#, ["id"]))"#, ["name", "super"])),
    .init(
      [Receipt(shop: "a", paid: true, total: 1, note: "n", lines: [.init(name: "b", price: 0.5)])],
      object(
        #""store name":{"type":"string","minLength":1,"maxLength":9},"paid":{"type":"boolean"},"#
          + #""total":\#(number),"note":\#(optional(text)),"lines":{"type":"array","items":"#
          + object(
            #""name":\#(text),"price":{"type":"number","minimum":0,"maximum":1000}"#,
            ["name", "price"])
          + #","minItems":1,"maxItems":3}"#, ["store name", "paid", "total", "note", "lines"])),
    .init([Shape.circle(radius: 1), .label("a", size: 1), .none], shape),
    .init(Step.allCases, step),
    .init(
      [Tree(name: "a", children: [.init(name: "b", children: [])])],
      defining("Tree", tree, in: reference("Tree"))),
    .init([Folder(1), Folder(2, in: Folder(3), ["x": Folder(4)])], folder),
    .init(
      [
        Expression.number(1),
        .sum(.init(factor: 1, of: .number(2)), .init(factor: 2, of: .number(0))),
      ],
      expression),
    .init(
      [Timed(start: day(1_796_031_660), end: day(951_782_400))],
      object(
        #""start":\#(timed),"end":\#(optional(timed))"#, ["start", "end"])),
    .init([Seconds(start: day(1.5))], object(#""start":\#(number)"#, ["start"])),
    .init(
      [Days(days: [day(86_400)])],
      object(
        #""days":{"type":"array","items":{"type":"string","format":"date"},"uniqueItems":true}"#,
        ["days"])),
    .init(
      [Priced(price: Decimal(string: "9.95") ?? 0, rate: 19, codes: ["1", "-2"])],
      object(
        #""price":{"type":"number","minimum":0,"maximum":10,"multipleOf":0.05},"rate":{"enum":[7,19]},"#
          + #""codes":{"type":"array","items":{"type":"string","pattern":"^-?[0-9]+$"},"minItems":1,"uniqueItems":true}"#,
        ["price", "rate", "codes"])),
    .init(
      [Link(url: URL(fileURLWithPath: "/a"), id: UUID(), icon: Data([1]))],
      object(
        #""url":{"type":"string","format":"uri"},"id":\#(optional(#"{"type":"string","format":"uuid"}"#)),"icon":{"type":"string","pattern":"\#(Schema.Format.base64Pattern)","contentEncoding":"base64"}"#,
        ["url", "id", "icon"])),
    .init(
      [
        Everything(
          weights: [.kg: 1], shapes: [.none], tree: .init(name: "a", children: []), bag: Bag([1]))
      ],
      everything),
  ]

  private static let step: String = {
    let empty = #"{"type":"object","properties":{},"additionalProperties":false}"#
    let cases = object(#""up":\#(empty)"#, ["up"]) + "," + object(#""down":\#(empty)"#, ["down"])
    return #"{"anyOf":[\#(cases)]}"#
  }()

  private static let folder: String = {
    let inner = reference("Folder")
    let members =
      #""id":\#(int8),"parent":\#(optional(inner)),"#
      + #""byName":{"type":"object","additionalProperties":\#(inner)}"#
    return defining("Folder", object(members, ["id", "parent", "byName"]), in: inner)
  }()

  private static let expression: String = {
    let term = object(
      #""factor":\#(int8),"of":\#(reference("Expression"))"#, ["factor", "of"])
    let sum = object(#""_0":\#(term),"_1":\#(term)"#, ["_0", "_1"])
    let number = object(#""_0":\#(int8)"#, ["_0"])
    let cases =
      object(#""sum":\#(sum)"#, ["sum"]) + "," + object(#""number":\#(number)"#, ["number"])
    return defining("Expression", #"{"anyOf":[\#(cases)]}"#, in: reference("Expression"))
  }()

  private static let everything: String = {
    let weights = #"{"kg":\#(number),"piece":\#(number)}"#
    let members =
      #""weights":{"type":"object","properties":\#(weights),"additionalProperties":false},"#
      + #""shapes":{"type":"array","items":\#(shape)},"tree":\#(optional(reference("Tree"))),"#
      + #""bag":{"type":"array","items":\#(int16)}"#
    return defining("Tree", tree, in: object(members, ["weights", "shapes", "tree", "bag"]))
  }()

  private static let timed: String = {
    let pattern = DateTemplate("dd.MM.yyyy HH:mm:ss")?.pattern ?? ""
    return Schema(.string(.init(pattern: pattern))).jsonSchema()
  }()

  static let all = scalars + containers + structs
}
