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
    let filling = [UInt32](repeating: filling, count: missing)
    let sign = sign.unicodeScalars.map(\.value)
    switch align ?? standard {
    case .left: return TemplateText(units: sign + text.units + filling)
    case .right: return TemplateText(units: filling + sign + text.units)
    case .afterSign: return TemplateText(units: sign + filling + text.units)
    case .center:
      let left = missing / 2
      return TemplateText(units: filling[..<left] + sign + text.units + filling[left...])
    }
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
