internal import Fovea

extension JSONValue {
  /// The same value with every number in plain digits, without a needless zero.
  var withPlainNumbers: JSONValue {
    switch self {
    case .number(let text): .number(Self.plain(text))
    case .array(let items): .array(items.map(\.withPlainNumbers))
    case .object(let members):
      .object(members.map { Member($0.name, $0.value.withPlainNumbers) })
    case .null, .boolean, .string: self
    }
  }

  /// `-1.50e1` is `-15`; a number that would take hundreds of digits stays as it is.
  private static func plain(_ text: String) -> String {
    let parts = text.lowercased().split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? Int.max : 0
    guard abs(Double(exponent)) < 400, let mantissa = parts.first else { return text }
    let isNegative = mantissa.hasPrefix("-")
    let halves = mantissa.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    var whole = Array(halves[0])
    var fraction = halves.count > 1 ? Array(halves[1]) : []
    for _ in 0..<abs(exponent) {
      if exponent > 0 {
        whole.append(fraction.isEmpty ? "0" : fraction.removeFirst())
      } else {
        fraction.insert(whole.popLast() ?? "0", at: 0)
      }
    }
    while fraction.last == "0" { fraction.removeLast() }
    var digits = String(whole.drop { $0 == "0" })
    if digits.isEmpty { digits = "0" }
    if !fraction.isEmpty { digits += "." + String(fraction) }
    return isNegative && digits != "0" ? "-" + digits : digits
  }
}
