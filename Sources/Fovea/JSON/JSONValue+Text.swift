extension JSONValue {
  /// The value as compact JSON: no blanks, keys in their order, numbers with the digits they were
  /// made of. Only what must be escaped is escaped.
  ///
  ///     JSONValue.array([.number("14.50"), .string("é\n")]).text     // [14.50,"é\n"]
  ///
  /// A ``number(_:)`` made by hand must hold a JSON number, since its digits are written as they
  /// are.
  public var text: String { text(pretty: false) }

  /// The value as JSON, compact, or over several lines with two blanks for each level.
  package func text(pretty: Bool) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.write(self, depth: 0)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The value of a key, or nil when there is no such key or this is no object.
  package subscript(name name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

/// Writes JSON into bytes.
private struct JSONWriter {
  let pretty: Bool
  var bytes: [UInt8] = []

  init(pretty: Bool) { self.pretty = pretty }

  mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .number(let digits): bytes += digits.utf8
    case .string(let text): write(text)
    case .array(let items):
      bytes.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        beginElement(index, depth: depth + 1)
        write(item, depth: depth + 1)
      }
      if !items.isEmpty { newLine(depth: depth) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        beginElement(index, depth: depth + 1)
        write(member.name)
        bytes += (pretty ? ": " : ":").utf8
        write(member.value, depth: depth + 1)
      }
      if !members.isEmpty { newLine(depth: depth) }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func beginElement(_ index: Int, depth: Int) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    newLine(depth: depth)
  }

  private mutating func newLine(depth: Int) {
    guard pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { bytes += "  ".utf8 }
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case 0x08: bytes += "\\b".utf8
      case 0x0C: bytes += "\\f".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0D: bytes += "\\r".utf8
      case 0x09: bytes += "\\t".utf8
      case 0..<0x20:
        bytes += "\\u00".utf8
        if byte < 0x10 { bytes.append(UInt8(ascii: "0")) }
        bytes += String(byte, radix: 16).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
