extension TemplateText {
  /// Each character changed; `change` is given all of them and the place.
  private func mapped(
    _ change: (Unicode.Scalar, _ units: [UInt32], _ index: Int) -> String
  ) -> TemplateText {
    let units = units
    var result: [UInt32] = []
    result.reserveCapacity(units.count)
    for (index, unit) in units.enumerated() {
      guard let scalar = Unicode.Scalar(Self.scalar(of: unit)) else {
        result.append(unit)
        continue
      }
      let bit = Self.origin(of: unit)
      for changed in change(scalar, units, index).unicodeScalars {
        result.append(changed.value | bit)
      }
    }
    return TemplateText(units: result)
  }

  /// Whether a scalar has upper and lower case.
  private static func isCased(_ unit: UInt32) -> Bool {
    Unicode.Scalar(scalar(of: unit))?.properties.isCased ?? false
  }

  /// A Greek sigma at the end of a word has a form of its own.
  private static func lower(_ scalar: Unicode.Scalar, _ units: [UInt32], _ index: Int) -> String {
    guard scalar.value == 0x3A3 else { return scalar.properties.lowercaseMapping }
    func isIgnorable(_ unit: UInt32) -> Bool {
      Unicode.Scalar(Self.scalar(of: unit))?.properties.isCaseIgnorable ?? false
    }
    let before = units[..<index].last { !isIgnorable($0) }
    let after = units[(index + 1)...].first { !isIgnorable($0) }
    let isFinal = (before.map(Self.isCased) ?? false) && !(after.map(Self.isCased) ?? false)
    return isFinal ? "\u{3C2}" : "\u{3C3}"
  }

  /// ASCII text with other bytes; nil for any other text.
  private func ascii(_ change: (UInt8) -> UInt8) -> TemplateText? {
    if case .mixed = origin { return nil }
    var all: UInt8 = 0
    for byte in storage[start..<end] { all |= byte }
    if all >= 0x80 { return nil }
    return TemplateText(storage: storage[start..<end].map(change), from: 0, to: byteCount, origin)
  }

  var lowercased: TemplateText {
    ascii { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } ?? mapped { Self.lower($0, $1, $2) }
  }

  var uppercased: TemplateText {
    ascii { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
      ?? mapped { scalar, _, _ in scalar.properties.uppercaseMapping }
  }

  var capitalized: TemplateText {
    mapped { scalar, units, index in
      index == 0 ? scalar.properties.titlecaseMapping : Self.lower(scalar, units, index)
    }
  }

  var swappedCase: TemplateText {
    mapped { scalar, units, index in
      if scalar.properties.isUppercase { return Self.lower(scalar, units, index) }
      return scalar.properties.isLowercase ? scalar.properties.uppercaseMapping : String(scalar)
    }
  }

  /// Every run of letters with a capital first, as Python's `str.title`.
  var titled: TemplateText {
    mapped { scalar, units, index in
      let isInside = index > 0 && Self.isCased(units[index - 1])
      return isInside ? Self.lower(scalar, units, index) : scalar.properties.titlecaseMapping
    }
  }

  /// Whether all characters are of a kind, and there is one.
  func all(_ isKind: (Unicode.Scalar) -> Bool) -> Bool {
    !isEmpty
      && units.allSatisfy { Unicode.Scalar(Self.scalar(of: $0)).map(isKind) ?? false }
  }

  /// Whether there are letters with case and all of them have this one.
  func isAllCase(upper: Bool) -> Bool {
    var found = false
    for unit in units {
      guard let properties = Unicode.Scalar(Self.scalar(of: unit))?.properties else { continue }
      let category = properties.generalCategory
      if category == .titlecaseLetter || (upper ? properties.isLowercase : properties.isUppercase) {
        return false
      }
      if upper ? properties.isUppercase : properties.isLowercase { found = true }
    }
    return found
  }
}
