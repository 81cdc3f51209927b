import Foundation

/// How a value is laid out in a format: `%-5.2f`, `{:>5}`.
struct TemplateLayout {
  enum Align { case left, right, center, afterSign }

  var align: Align?
  var filling: UInt32 = 0x20
  /// `+`, blank, or nothing.
  var sign = ""
  var isAlternate = false
  var grouping: Character?
  var width = 0
  var precision: Int?
  var type: Character?

  /// Fills a text up to the width.
  func filled(
    _ text: TemplateText, sign: String = "", standard: Align, _ run: TemplateRun
  ) throws(TemplateFailure) -> TemplateText {
    let missing = max(0, width - text.count - sign.unicodeScalars.count)
    try run.spend(missing)
    var result = TemplateTextBuilder()
    func fill(_ count: Int) { for _ in 0..<count { result.append(unit: filling) } }
    let align = align ?? standard
    fill(align == .right ? missing : align == .center ? missing / 2 : 0)
    result.append(sign)
    fill(align == .afterSign ? missing : 0)
    result.append(text)
    fill(align == .left ? missing : align == .center ? missing - missing / 2 : 0)
    return result.text
  }

  /// The digits of a number, without its sign.
  static func digits(
    _ value: Double, _ type: Character, precision: Int, isAlternate: Bool
  ) -> String {
    let isUpper = type.isUppercase
    guard value.isFinite else {
      let text = value.isNaN ? "nan" : "inf"
      return isUpper ? text.uppercased() : text
    }
    return String(
      format: "%\(isAlternate ? "#" : "").\(min(precision, 5000))\(type)", value.magnitude)
  }

  static func grouped(_ digits: String, by separator: Character) -> String {
    let whole = digits.prefix { $0.isNumber }
    var result = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { result.append(separator) }
      result.append(digit)
    }
    return result + digits.dropFirst(whole.count)
  }
}
