extension ExactNumber {
  /// The number as a person writes it: `-0.25`, and with an exponent where it would be longer than
  /// about twenty digits.
  package var text: String {
    if digits.isEmpty { return "0" }
    let sign = isNegative ? "-" : ""
    let letters = digits.map { String($0) }
    if scale > 20 || scale < -6 {
      let rest = letters.dropFirst().joined()
      return "\(sign)\(letters[0])\(rest.isEmpty ? "" : "." + rest)e\(scale - 1)"
    }
    let zeros = String(repeating: "0", count: max(0, scale - digits.count))
    let whole = scale <= 0 ? "0" : letters.prefix(scale).joined() + zeros
    if isInteger { return sign + whole }
    let gap = String(repeating: "0", count: max(0, -scale))
    return "\(sign)\(whole).\(gap)\(letters.dropFirst(max(0, scale)).joined())"
  }

  /// The number with these digits before and after the point.
  init(isNegative: Bool, whole: [UInt8], fraction: [UInt8]) {
    let written = whole + fraction
    let significant = written.drop { $0 == 0 }
    var digits = Array(significant)
    while digits.last == 0 { digits.removeLast() }
    self.init(
      isNegative: isNegative && !digits.isEmpty, digits: digits,
      scale: digits.isEmpty ? 0 : whole.count - (written.count - significant.count))
  }
}
