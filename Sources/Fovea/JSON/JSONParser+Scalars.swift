/// Literals, numbers and strings.
extension JSONParser {
  mutating func literal(
    _ word: String, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    for byte in word.utf8 {
      guard take(byte) else { throw error("expected \(word)") }
    }
    return value
  }

  mutating func number() throws(JSONSyntaxError) -> String {
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

  mutating func string(isValue: Bool) throws(JSONSyntaxError) -> String {
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
}
