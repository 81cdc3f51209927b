import Fovea

/// A strict reader of JSON for tests, written without looking at the grammar: it keeps the digits
/// of numbers and the order of keys.
struct JSONReader {
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  private var rest: ArraySlice<Unicode.Scalar>

  static func read(_ bytes: [UInt8]) throws -> JSONValue {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { throw Fault(description: "not UTF-8") }
    var reader = JSONReader(rest: Array(text.unicodeScalars)[...])
    let value = try reader.value()
    guard reader.rest.isEmpty else { throw reader.fault("more after the value") }
    return value
  }

  private func fault(_ text: String) -> Fault {
    Fault(description: "\(text), before \(String(String.UnicodeScalarView(rest.prefix(20))))")
  }

  private mutating func blanks() {
    while let next = rest.first, " \n\r\t".unicodeScalars.contains(next) { rest.removeFirst() }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    if rest.first != scalar { return false }
    rest.removeFirst()
    return true
  }

  private mutating func value() throws -> JSONValue {
    blanks()
    defer { blanks() }
    for (word, value) in [
      ("null", JSONValue.null), ("true", .boolean(true)), ("false", .boolean(false)),
    ] where rest.starts(with: word.unicodeScalars) {
      rest.removeFirst(word.count)
      return value
    }
    switch rest.first {
    case "\"": return .string(try string())
    case "[":
      rest.removeFirst()
      var items: [JSONValue] = []
      blanks()
      if take("]") { return .array([]) }
      repeat { items.append(try value()) } while take(",")
      guard take("]") else { throw fault("no ]") }
      return .array(items)
    case "{":
      rest.removeFirst()
      var members: [JSONValue.Member] = []
      blanks()
      if take("}") { return .object([]) }
      repeat {
        blanks()
        let name = try string()
        blanks()
        guard take(":") else { throw fault("no :") }
        members.append(.init(name, try value()))
      } while take(",")
      guard take("}") else { throw fault("no }") }
      return .object(members)
    default:
      let digits = rest.prefix { "-+.eE0123456789".unicodeScalars.contains($0) }
      guard !digits.isEmpty else { throw fault("no value") }
      rest.removeFirst(digits.count)
      return .number(String(String.UnicodeScalarView(digits)))
    }
  }

  private mutating func string() throws -> String {
    guard take("\"") else { throw fault("no string") }
    var units: [UInt16] = []
    while let next = rest.popFirst() {
      switch next {
      case "\"":
        // Half a pair becomes a replacement character, which is seen by coming back changed.
        let text = String(decoding: units, as: UTF16.self)
        guard Array(text.utf16) == units else { throw fault("half a surrogate pair") }
        return text
      case "\\":
        guard let escape = rest.popFirst() else { throw fault("no escape") }
        if escape == "u" {
          let hex = String(String.UnicodeScalarView(rest.prefix(4)))
          guard hex.utf8.count == 4, let unit = UInt16(hex, radix: 16) else {
            throw fault("no hex")
          }
          rest.removeFirst(4)
          units.append(unit)
        } else {
          let known: [Unicode.Scalar: UInt16] = [
            "\"": 34, "\\": 92, "/": 47, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
          ]
          guard let unit = known[escape] else { throw fault("unknown escape") }
          units.append(unit)
        }
      case "\0"..<" ": throw fault("raw control character")
      default: units += Array(String(Character(next)).utf16)
      }
    }
    throw fault("no end of string")
  }
}
