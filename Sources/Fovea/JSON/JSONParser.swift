/// Reads JSON text, whole or unfinished.
///
/// The parser keeps its open containers on a stack of its own instead of recursing, so that deep
/// nesting costs no call stack, and so that an unfinished text can be closed from wherever it
/// ended:
///
///     {"items": [{"name": "Mil
///     └ stack[0]: object, name "items"
///                └ stack[1]: array
///                  └ stack[2]: object, name "name"     unfinished: "Mil"
struct JSONParser {
  /// Containers may nest this deep.
  static let depthLimit = 512

  let bytes: [UInt8]
  /// Whether the text may end anywhere; then a number at the very end may still go on.
  let isPartial: Bool
  var position = 0
  private var stack: [Container] = []
  /// What was read of a string that did not end; only of values, not of keys.
  var unfinished: String?

  private struct Container {
    let isObject: Bool
    var items: [JSONValue] = []
    var members: [JSONValue.Member] = []
    /// The key whose value comes next.
    var name: String?
    /// Bytes of the keys so far: Swift's strings are equal by canonical equivalence, JSON's keys
    /// by code points.
    var names: Set<[UInt8]> = []

    mutating func append(_ value: JSONValue) {
      if !isObject {
        items.append(value)
      } else if let name {
        members.append(JSONValue.Member(name, value))
        self.name = nil
      }
    }

    var value: JSONValue { isObject ? .object(members) : .array(items) }
  }

  /// The value of a whole text.
  static func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(text, isPartial: false)
    let value = try parser.value()
    parser.skipBlanks()
    if parser.position < parser.bytes.count {
      throw parser.error("the value is complete, but more text follows")
    }
    return value
  }

  /// The value of a text that may be unfinished, up to the first byte that is not JSON.
  static func parse(partial text: String) -> JSONValue? {
    var parser = JSONParser(text, isPartial: true)
    do throws(JSONSyntaxError) {
      return try parser.value()
    } catch {
      // The end of an unfinished text: what is open is closed as it stands.
      return parser.closed()
    }
  }

  private init(_ text: String, isPartial: Bool) {
    bytes = Array(text.utf8)
    self.isPartial = isPartial
  }

  private func closed() -> JSONValue? {
    var value = unfinished.map(JSONValue.string)
    for var container in stack.reversed() {
      if let value { container.append(value) }
      value = container.value
    }
    return value
  }

  // MARK: Structure

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    while true {
      if let scalarOrEmpty = try beginValue(), let root = try endValue(scalarOrEmpty) {
        return root
      }
    }
  }

  /// Reads a scalar or an empty container; or opens a container and returns nil.
  private mutating func beginValue() throws(JSONSyntaxError) -> JSONValue? {
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{"):
      try open(isObject: true)
      if take(UInt8(ascii: "}")) { return close() }
      try key()
      return nil
    case UInt8(ascii: "["):
      try open(isObject: false)
      return take(UInt8(ascii: "]")) ? close() : nil
    case UInt8(ascii: "\""):
      return .string(try string(isValue: true))
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      return .number(try number())
    case UInt8(ascii: "t"): return try literal("true", .boolean(true))
    case UInt8(ascii: "f"): return try literal("false", .boolean(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case nil: throw error("the text ends where a value should begin")
    default: throw error("a value should begin here")
    }
  }

  /// Hands a complete value to its container. Returns the root when that is complete, and nil
  /// when another value comes next.
  private mutating func endValue(_ value: JSONValue) throws(JSONSyntaxError) -> JSONValue? {
    var value = value
    while let top = stack.indices.last {
      stack[top].append(value)
      skipBlanks()
      if take(UInt8(ascii: ",")) {
        if stack[top].isObject { try key() }
        return nil
      }
      guard take(stack[top].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        let closing = stack[top].isObject ? "}" : "]"
        throw error(peek == nil ? "the text ends before \(closing)" : "expected , or \(closing)")
      }
      guard let complete = close() else { break }
      value = complete
    }
    return value
  }

  private mutating func open(isObject: Bool) throws(JSONSyntaxError) {
    guard stack.count < Self.depthLimit else {
      throw error("nested deeper than \(Self.depthLimit) levels")
    }
    position += 1
    stack.append(Container(isObject: isObject))
    skipBlanks()
  }

  private mutating func close() -> JSONValue? { stack.popLast()?.value }

  private mutating func key() throws(JSONSyntaxError) {
    skipBlanks()
    let start = position
    guard peek == UInt8(ascii: "\"") else {
      throw error(peek == nil ? "the text ends where a key should begin" : "expected a key")
    }
    let name = try string(isValue: false)
    skipBlanks()
    guard take(UInt8(ascii: ":")) else { throw error("a colon is missing after the key") }
    guard let top = stack.indices.last else { return }
    guard stack[top].names.insert(Array(name.utf8)).inserted else {
      position = start
      throw error("the key \(JSONValue.string(name).text) appears twice in one object")
    }
    stack[top].name = name
  }

  // MARK: Bytes

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  func error(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(at: min(position, bytes.count), of: bytes, reason)
  }
}
