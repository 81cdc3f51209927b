import Foundation
import FoveaTestSupport
import Testing

@testable import Fovea

/// Documents made to hurt: they end in an error, soon.
@Suite("Hostile JSON Schemas")
struct JSONSchemaHostileTests {
  private func nested(_ depth: Int) -> String {
    String(repeating: #"{"type":"array","items":"#, count: depth) + #"{"type":"null"}"#
      + String(repeating: "}", count: depth)
  }

  @Test func deepNesting() throws {
    #expect(throws: Never.self) { try Grammar(Schema(jsonSchema: nested(60))) }
    for depth in [2000, 100_000] {
      let error = try #require(throws: FoveaError.self) {
        try Grammar(Schema(jsonSchema: nested(depth)))
      }
      #expect(
        [.unsupportedSchema, .invalidSchema, .schemaTooComplex].contains(error.code), "\(error)")
    }
  }

  /// Equal parts are made once, so references that double at every level cost nothing.
  @Test func referencesThatDouble() throws {
    var definitions = [#""d0":{"type":"null"}"#]
    for level in 1...40 {
      let reference = ##"{"$ref":"#/$defs/d\##(level - 1)"}"##
      definitions.append(
        #""d\#(level)":{"type":"object","properties":{"a":\#(reference),"b":\#(reference)}}"#)
    }
    let text = ##"{"$ref":"#/$defs/d40","$defs":{\##(definitions.joined(separator: ","))}}"##
    #expect(try Grammar(Schema(jsonSchema: text)).stateCount < 1_000)
  }

  @Test func hugeNumbersAndTexts() throws {
    let digits = String(repeating: "9", count: 1_000_000)
    for text in [
      #"{"type":"number","minimum":\#(digits)}"#, #"{"type":"number","minimum":1e\#(digits)}"#,
      #"{"type":"integer","enum":[1e\#(digits)]}"#,
    ] {
      #expect(throws: FoveaError.self) { try Grammar(Schema(jsonSchema: text)) }
    }
    // A length that no text reaches bounds nothing.
    #expect(throws: Never.self) {
      try Grammar(Schema(jsonSchema: #"{"type":"string","maxLength":\#(digits)}"#))
    }
    let long = String(repeating: "x", count: 20_000)
    #expect(try Schema(jsonSchema: #"{"const":"\#(long)"}"#).accepts(.string(long)))
    let tooLong = String(repeating: "x", count: 10_000_000)
    let error = #expect(throws: FoveaError.self) {
      try Schema(jsonSchema: #"{"const":"\#(tooLong)"}"#)
    }
    #expect(error?.code == .schemaTooComplex)
  }

  @Test func wrongBytes() throws {
    for bytes in [[0xFF, 0xFE, 0x7B], [0x22, 0xC3, 0x22], [0xED, 0xA0, 0x80], []] as [[UInt8]] {
      let error = try #require(throws: FoveaError.self) { try Schema(jsonSchema: Data(bytes)) }
      #expect(error.code == .invalidSchema)
    }
  }

  @Test func mutatedSchemas() throws {
    let seed = Array(
      ##"{"$ref":"#/$defs/a","$defs":{"a":{"type":["object","null"],"properties":{"b":{"anyOf":[{"enum":[1,"x"]},{"type":"array","items":{"type":"number","minimum":-1.5e2}}]}},"required":["b"]}}}"##
        .utf8)
    var generator = SeededGenerator(seed: 17)
    var accepted = 0
    for _ in 0..<6000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = .random(in: 32...126, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: place)
        }
      }
      do {
        let schema = try Schema(jsonSchema: Data(bytes))
        #expect(try Schema(jsonSchema: schema.jsonSchema()) == schema)
        accepted += 1
      } catch {
        continue
      }
    }
    #expect(accepted > 30)
  }
}
