package import Fovea

extension JSONValue {
  /// A value with nested containers, odd strings and odd numbers.
  package static func random(
    depth: Int = 4, using generator: inout some RandomNumberGenerator
  ) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
    case 0: return .null
    case 1: return .boolean(.random(using: &generator))
    case 2: return .number("\(Int.random(in: -1000...1000, using: &generator))")
    case 3: return .number(randomDigits(using: &generator))
    case 4, 5: return .string(randomText(using: &generator))
    case 6:
      let count = Int.random(in: 0...4, using: &generator)
      return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      let count = Int.random(in: 0...4, using: &generator)
      return .object(
        (0..<count).map { index in
          // The number keeps the keys apart.
          Member(
            "\(index)" + randomText(using: &generator), random(depth: depth - 1, using: &generator))
        })
    }
  }

  private static func randomDigits(using generator: inout some RandomNumberGenerator) -> String {
    var text = Bool.random(using: &generator) ? "-" : ""
    text += "\(UInt32.random(in: 0...9999, using: &generator))"
    if Bool.random(using: &generator) { text += ".\(UInt.random(in: 0...999, using: &generator))0" }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      text += "e\(Int.random(in: -9...9, using: &generator))"
    }
    return text
  }

  private static func randomText(using generator: inout some RandomNumberGenerator) -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "é", "\u{301}", "ß", "東", "😀", "\u{2028}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      text.unicodeScalars.append(alphabet.randomElement(using: &generator) ?? "a")
    }
    return text
  }
}
