import Foundation

extension TemplateRun {
  func number(
    _ kind: TemplateFilterKind, _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    switch kind {
    case .abs:
      switch value.number {
      case .integer(let number)? where number != Int.min: return .integer(Swift.abs(number))
      case .double(let number)?: return .double(number.magnitude)
      default: throw unfit("abs", value)
      }
    case .round: return try rounded(value, arguments)
    case .int: return try integer(value, arguments)
    default:
      if case .undefined(let undefined) = value { throw TemplateFailure(undefined.message) }
      if let number = value.number { return .double(number.double) }
      if let text = value.string, let number = text.double { return .double(number) }
      return arguments[0] ?? .double(0)
    }
  }

  private func integer(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    let standard = arguments[0] ?? .integer(0)
    if case .undefined(let undefined) = value { throw TemplateFailure(undefined.message) }
    func whole(_ number: Double) throws(TemplateFailure) -> TemplateValue {
      guard number.isFinite else { return standard }
      guard let whole = Int(exactly: number.rounded(.towardZero)) else {
        throw TemplateFailure("whole numbers beyond 64 bits", .unsupported)
      }
      return .integer(whole)
    }
    switch value.number {
    case .integer(let number)?: return .integer(number)
    case .double(let number)?: return try whole(number)
    case nil: break
    }
    guard let text = value.string else { return standard }
    let base = arguments[1].map { $0.index ?? -1 } ?? 10
    switch text.integer(base: base) {
    case .value(let number)?: return .integer(number)
    case .tooLarge?: throw TemplateFailure("whole numbers beyond 64 bits", .unsupported)
    case nil: return try text.double.map(whole) ?? standard
    }
  }

  private func rounded(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    let method = arguments[1].map { $0.string?.string ?? "" } ?? "common"
    guard ["common", "ceil", "floor"].contains(method) else {
      throw TemplateFailure("'round' goes by 'common', 'ceil' or 'floor'")
    }
    guard let number = value.number else { throw unfit("round", value) }
    guard let precision = arguments[0].map({ $0.index }) ?? 0, precision.magnitude <= 300 else {
      throw TemplateFailure("'round' needs a whole number of digits")
    }
    if method != "common" {
      let factor = pow(10, Double(precision))
      let scaled = number.double * factor
      let whole = scaled.rounded(method == "ceil" ? .up : .down)
      guard whole.isFinite else { throw TemplateFailure("the number cannot be rounded") }
      // Python's floor and ceil give whole numbers, which have no negative zero.
      return .double((whole == 0 ? 0 : whole) / factor)
    }
    switch number {
    case .integer(let number):
      if precision >= 0 { return .integer(number) }
      let factor = try combine(.power, .integer(10), .integer(-precision)).index ?? 1
      let rest = (number % factor + factor) % factor
      let isOdd = (number / factor - (number < 0 && rest != 0 ? 1 : 0)) % 2 != 0
      let isUp = rest * 2 > factor || rest * 2 == factor && isOdd
      return try combine(.add, .integer(number), .integer(isUp ? factor - rest : -rest))
    case .double(let number):
      guard number.isFinite else { return .double(number) }
      if precision < 0 {
        let factor = pow(10, Double(-precision))
        return .double((number / factor).rounded(.toNearestOrEven) * factor)
      }
      return .double(Double(String(format: "%.\(precision)f", number)) ?? number)
    }
  }
}

extension TemplateText {
  enum Integer {
    case value(Int)
    case tooLarge
  }

  /// The number that Python's `int(text, base)` reads.
  func integer(base: Int) -> Integer? {
    guard base == 0 || (2...36).contains(base) else { return nil }
    var digits = stripped().plainDigits
    var isNegative = false
    if let first = digits.first, first == "+" || first == "-" {
      isNegative = first == "-"
      digits.removeFirst()
    }
    var base = base
    if digits.count > 1, digits[0] == "0",
      let radix = ["x": 16, "o": 8, "b": 2][digits[1].properties.lowercaseMapping],
      base == 0 || base == radix
    {
      base = radix
      digits.removeFirst(2)
      if digits.first == "_" { digits.removeFirst() }
    } else if base == 0 {
      if digits.count > 1, digits[0] == "0", digits.contains(where: { $0 != "0" && $0 != "_" }) {
        return nil
      }
      base = 10
    }
    guard let clean = Self.withoutSeparators(digits) else { return nil }
    guard
      clean.allSatisfy({
        Character($0).isASCII && Character($0).isNumber || $0.properties.isAlphabetic && $0.isASCII
      }),
      clean.allSatisfy({ Int(String($0), radix: 36).map { $0 < base } ?? false })
    else { return nil }
    let text = (isNegative ? "-" : "") + String(String.UnicodeScalarView(clean))
    return Int(text, radix: base).map { .value($0) } ?? .tooLarge
  }

  /// The number that Python's `float(text)` reads.
  var double: Double? {
    let scalars = stripped().plainDigits
    let text = String(String.UnicodeScalarView(scalars)).lowercased()
    let bare = text.hasPrefix("+") || text.hasPrefix("-") ? String(text.dropFirst()) : text
    switch bare {
    case "inf", "infinity": return text.hasPrefix("-") ? -.infinity : .infinity
    case "nan": return .nan
    default: break
    }
    guard let first = bare.unicodeScalars.first,
      first == "." || first.properties.numericType == .decimal,
      text.unicodeScalars.allSatisfy({ "0123456789.e+-_".unicodeScalars.contains($0) }),
      let clean = Self.withoutSeparators(Array(text.unicodeScalars), in: "0123456789")
    else { return nil }
    var plain = String(String.UnicodeScalarView(clean))
    // Swift wants a digit on both sides of the point.
    plain = plain.replacingOccurrences(of: ".e", with: ".0e")
    if plain.hasSuffix(".") { plain += "0" }
    return Double(plain)
  }

  /// The characters with decimal digits of all scripts as ASCII ones.
  private var plainDigits: [Unicode.Scalar] {
    units.compactMap { unit in
      guard let scalar = Unicode.Scalar(Self.scalar(of: unit)) else { return nil }
      if !scalar.isASCII, scalar.properties.numericType == .decimal,
        let value = scalar.properties.numericValue
      {
        return Unicode.Scalar(UInt32(value) + 0x30)
      }
      return scalar
    }
  }

  /// Without the `_` between digits; nil where one stands elsewhere.
  private static func withoutSeparators(
    _ scalars: [Unicode.Scalar], in digits: String? = nil
  ) -> [Unicode.Scalar]? {
    func isDigit(_ index: Int) -> Bool {
      guard scalars.indices.contains(index), scalars[index] != "_" else { return false }
      return digits.map { $0.unicodeScalars.contains(scalars[index]) } ?? true
    }
    var result: [Unicode.Scalar] = []
    for index in scalars.indices {
      if scalars[index] != "_" {
        result.append(scalars[index])
      } else if !isDigit(index - 1) || !isDigit(index + 1) {
        return nil
      }
    }
    return result.isEmpty ? nil : result
  }
}
