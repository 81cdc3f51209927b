extension TemplateText {
  private func mapped(_ change: (Unicode.Scalar, Int) -> String) -> TemplateText {
    var result: [UInt32] = []
    result.reserveCapacity(count)
    for (index, unit) in units.enumerated() {
      guard let scalar = Unicode.Scalar(Self.scalar(of: unit)) else {
        result.append(unit)
        continue
      }
      let bit = Self.origin(of: unit)
      for changed in change(scalar, index).unicodeScalars { result.append(changed.value | bit) }
    }
    return TemplateText(units: result)
  }

  /// Whether a scalar has upper and lower case.
  private static func isCased(_ unit: UInt32) -> Bool {
    Unicode.Scalar(scalar(of: unit))?.properties.isCased ?? false
  }

  /// A Greek sigma at the end of a word has a form of its own.
  private func lower(_ scalar: Unicode.Scalar, _ index: Int) -> String {
    guard scalar.value == 0x3A3 else { return scalar.properties.lowercaseMapping }
    func isIgnorable(_ unit: UInt32) -> Bool {
      Unicode.Scalar(Self.scalar(of: unit))?.properties.isCaseIgnorable ?? false
    }
    let before = units[..<index].last { !isIgnorable($0) }
    let after = units[(index + 1)...].first { !isIgnorable($0) }
    let isFinal = (before.map(Self.isCased) ?? false) && !(after.map(Self.isCased) ?? false)
    return isFinal ? "\u{3C2}" : "\u{3C3}"
  }

  var lowercased: TemplateText { mapped { lower($0, $1) } }
  var uppercased: TemplateText { mapped { scalar, _ in scalar.properties.uppercaseMapping } }

  var capitalized: TemplateText {
    mapped { $1 == 0 ? $0.properties.titlecaseMapping : lower($0, $1) }
  }

  var swappedCase: TemplateText {
    mapped {
      $0.properties.isUppercase
        ? lower($0, $1) : $0.properties.isLowercase ? $0.properties.uppercaseMapping : String($0)
    }
  }

  /// Every run of letters with a capital first, as Python's `str.title`.
  var titled: TemplateText {
    mapped { scalar, index in
      let isInside = index > 0 && Self.isCased(units[index - 1])
      return isInside ? lower(scalar, index) : scalar.properties.titlecaseMapping
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
