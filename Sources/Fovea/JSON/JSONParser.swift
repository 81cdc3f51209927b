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

  private let bytes: [UInt8]
  /// Whether the text may end anywhere; then a number at the very end may still go on.
  private let isPartial: Bool
  private var position = 0
  private var stack: [Container] = []
  /// What was read of a string that did not end; only of values, not of keys.
  private var unfinished: String?

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

  // MARK: Scalars

  private mutating func literal(
    _ word: String, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    for byte in word.utf8 {
      guard take(byte) else { throw error("expected \(word)") }
    }
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    // `12` may become `123`: only what follows shows that a number is over.
    if isPartial && position == bytes.count { throw error("the number may go on") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = position
    while let byte = peek, Self.isDigit(byte) { position += 1 }
    if position == start { throw error("expected a digit") }
  }

  private mutating func string(isValue: Bool) throws(JSONSyntaxError) -> String {
    position += 1
    var text: [UInt8] = []
    do throws(JSONSyntaxError) {
      while true {
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
        {
          position += 1
        }
        text += bytes[start..<position]
        switch peek {
        case UInt8(ascii: "\""):
          position += 1
          return String(decoding: text, as: UTF8.self)
        case UInt8(ascii: "\\"):
          text += Array(String(Character(try escape())).utf8)
        case nil:
          throw error("the text ends inside a string")
        default:
          throw error("a control character in a string must be escaped")
        }
      }
    } catch {
      if isValue { unfinished = String(decoding: text, as: UTF8.self) }
      throw error
    }
  }

  /// One escape: a single character, `\uXXXX`, or a surrogate pair of two of them.
  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    let byte = peek
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    case nil:
      position = bytes.count
      throw error("the text ends inside an escape")
    default:
      position = start
      throw error("an unknown escape")
    }
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      if peek != nil { position = start }
      throw error("half of a surrogate pair")
    }
    let second = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else {
      position = start
      throw error("half of a surrogate pair")
    }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("expected four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  // MARK: Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private func error(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(at: min(position, bytes.count), of: bytes, reason)
  }
}
