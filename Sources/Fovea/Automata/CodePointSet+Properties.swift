extension CodePointSet {
  /// The set that `\p{…}` names; nil when Fovea has no exact table of it.
  ///
  /// Known are the general categories with their long and short names (`L`, `Letter`,
  /// `General_Category=Lu`, `gc=Lu` …), and the binary properties of ``property(_:)``. Scripts are
  /// not among what the standard library tells.
  static func unicode(_ name: String) -> CodePointSet? {
    if let separator = name.firstIndex(of: "=") {
      guard ["General_Category", "gc"].contains(name[..<separator]) else { return nil }
      return category(String(name[name.index(after: separator)...]))
    }
    return category(name) ?? property(name)
  }

  private static func category(_ name: String) -> CodePointSet? {
    guard let short = shortNames[name] ?? (groups[name] != nil ? name : nil) else {
      return categories[name]
    }
    guard let members = groups[short] else { return categories[short] }
    return CodePointSet(members.flatMap { categories[$0]?.ranges ?? [] })
  }

  private static let groups: [String: [String]] = [
    "L": ["Lu", "Ll", "Lt", "Lm", "Lo"], "LC": ["Lu", "Ll", "Lt"], "M": ["Mn", "Mc", "Me"],
    "N": ["Nd", "Nl", "No"], "P": ["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"],
    "S": ["Sm", "Sc", "Sk", "So"], "Z": ["Zs", "Zl", "Zp"], "C": ["Cc", "Cf", "Co", "Cn"],
  ]

  private static let shortNames: [String: String] = [
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M",
    "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
    "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
    "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
    "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
    "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
    "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf",
    "Private_Use": "Co", "Unassigned": "Cn",
  ]

  private static func shortName(_ category: Unicode.GeneralCategory) -> String {
    switch category {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }

  /// Built at the first use: one walk over Unicode gives all categories.
  private static let categories: [String: CodePointSet] = {
    var ranges: [Unicode.GeneralCategory: [Range]] = [:]
    var open: (category: Unicode.GeneralCategory, low: UInt32)?
    for codePoint in 0...last + 1 {
      let category = Unicode.Scalar(codePoint)?.properties.generalCategory
      if category == open?.category { continue }
      if let (category, low) = open {
        ranges[category, default: []].append(Range(low: low, high: codePoint - 1))
      }
      open = category.map { ($0, codePoint) }
    }
    var result: [String: CodePointSet] = ["Cs": CodePointSet([]), "Surrogate": CodePointSet([])]
    for (category, ranges) in ranges { result[shortName(category)] = CodePointSet(ranges) }
    return result
  }()

  private static func property(_ name: String) -> CodePointSet? {
    switch name {
    case "Any": any
    case "ASCII": CodePointSet(0...0x7F)
    case "Assigned": category("Cn")?.complement
    case "ASCII_Hex_Digit", "AHex": CodePointSet(0x30...0x39, 0x41...0x46, 0x61...0x66)
    case "Alphabetic", "Alpha": alphabetic
    case "Lowercase", "Lower": lowercase
    case "Uppercase", "Upper": uppercase
    case "White_Space", "space": whitespace
    case "Emoji": emoji
    case "Ideographic", "Ideo": ideographic
    case "ID_Start", "IDS": identifierStart
    case "ID_Continue", "IDC": identifierContinue
    default: nil
    }
  }

  private static let alphabetic = all(where: \.isAlphabetic)
  private static let lowercase = all(where: \.isLowercase)
  private static let uppercase = all(where: \.isUppercase)
  private static let whitespace = all(where: \.isWhitespace)
  private static let emoji = all(where: \.isEmoji)
  private static let ideographic = all(where: \.isIdeographic)
  private static let identifierStart = all(where: \.isIDStart)
  private static let identifierContinue = all(where: \.isIDContinue)

  private static func all(where holds: (Unicode.Scalar.Properties) -> Bool) -> CodePointSet {
    var ranges: [Range] = []
    for codePoint in 0...last {
      guard let scalar = Unicode.Scalar(codePoint), holds(scalar.properties) else { continue }
      if let open = ranges.last, open.high + 1 == codePoint {
        ranges[ranges.count - 1].high = codePoint
      } else {
        ranges.append(Range(low: codePoint, high: codePoint))
      }
    }
    return CodePointSet(ranges)
  }
}
