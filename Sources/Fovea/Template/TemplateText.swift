/// Text in a template's run, which remembers of each character who wrote it.
///
///     "<|im_start|>user\n" ~ message.content
///
///     units   │ < │ | │ i │ … │ \n │ H̲ │ i̲ │      the top bit says: from a message, not from the template
///
/// Every operation on text moves characters about, so the bit goes with them wherever they end up:
/// through slices, `strip`, `replace`, `join`. Comparisons do not look at it. Positions count code
/// points, as Python's do.
struct TemplateText: Sendable {
  /// The bit of a character that the template did not write.
  static let untrustedBit: UInt32 = 1 << 31

  /// Unicode scalars, with ``untrustedBit`` where it applies.
  var units: [UInt32]

  init(units: [UInt32] = []) { self.units = units }

  init(units: ArraySlice<UInt32>) { self.units = Array(units) }

  init(_ text: String, isTrusted: Bool = true) {
    let bit = isTrusted ? 0 : Self.untrustedBit
    units = text.unicodeScalars.map { $0.value | bit }
  }

  var count: Int { units.count }
  var isEmpty: Bool { units.isEmpty }

  /// The scalar at a position.
  func scalar(_ index: Int) -> UInt32 { units[index] & ~Self.untrustedBit }

  /// The characters without their origin.
  var string: String { Self.string(units[...]) }

  static func string(_ units: ArraySlice<UInt32>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.count + units.count / 8)
    for unit in units {
      let value = unit & ~untrustedBit
      switch value {
      case ..<0x80: bytes.append(UInt8(value))
      case ..<0x800:
        bytes.append(UInt8(0xC0 | value >> 6))
        bytes.append(UInt8(0x80 | value & 0x3F))
      case ..<0x10000:
        bytes.append(UInt8(0xE0 | value >> 12))
        bytes.append(UInt8(0x80 | value >> 6 & 0x3F))
        bytes.append(UInt8(0x80 | value & 0x3F))
      default:
        bytes.append(UInt8(0xF0 | value >> 18))
        bytes.append(UInt8(0x80 | value >> 12 & 0x3F))
        bytes.append(UInt8(0x80 | value >> 6 & 0x3F))
        bytes.append(UInt8(0x80 | value & 0x3F))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func += (left: inout TemplateText, right: TemplateText) { left.units += right.units }

  static func + (left: TemplateText, right: TemplateText) -> TemplateText {
    TemplateText(units: left.units + right.units)
  }
}

extension TemplateText: Hashable {
  static func == (left: TemplateText, right: TemplateText) -> Bool {
    guard left.units.count == right.units.count else { return false }
    for index in left.units.indices where left.scalar(index) != right.scalar(index) { return false }
    return true
  }

  func hash(into hasher: inout Hasher) {
    for unit in units { hasher.combine(unit & ~Self.untrustedBit) }
  }

  static func < (left: TemplateText, right: TemplateText) -> Bool {
    for index in 0..<min(left.count, right.count) where left.scalar(index) != right.scalar(index) {
      return left.scalar(index) < right.scalar(index)
    }
    return left.count < right.count
  }
}

// MARK: - Searching and cutting, as Python's `str` does

extension TemplateText {
  /// Whether Python's `str.isspace` holds for a scalar.
  static func isSpace(_ unit: UInt32) -> Bool {
    switch unit & ~untrustedBit {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
      0x205F, 0x3000:
      true
    default: false
    }
  }

  private static func isLineEnd(_ unit: UInt32) -> Bool {
    switch unit & ~untrustedBit {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  func hasPrefix(_ other: TemplateText, at start: Int = 0) -> Bool {
    guard start >= 0, start + other.count <= count else { return false }
    for index in 0..<other.count where scalar(start + index) != other.scalar(index) { return false }
    return true
  }

  func hasSuffix(_ other: TemplateText) -> Bool { hasPrefix(other, at: count - other.count) }

  /// The first place of another text at or behind `start`.
  func find(_ other: TemplateText, from start: Int = 0, to end: Int? = nil) -> Int? {
    let end = end ?? count
    var at = start
    while at + other.count <= end {
      if hasPrefix(other, at: at) { return at }
      at += 1
    }
    return nil
  }

  /// The last place of another text.
  func findLast(_ other: TemplateText, from start: Int = 0, to end: Int? = nil) -> Int? {
    var at = (end ?? count) - other.count
    while at >= start {
      if hasPrefix(other, at: at) { return at }
      at -= 1
    }
    return nil
  }

  /// Without the characters at its ends that are in a set, or blank.
  func stripped(_ set: TemplateText? = nil, left: Bool = true, right: Bool = true) -> TemplateText {
    let members = set.map { set in Set((0..<set.count).map { set.scalar($0) }) }
    func goes(_ index: Int) -> Bool {
      members?.contains(scalar(index)) ?? Self.isSpace(units[index])
    }
    var low = 0
    var high = count
    if left { while low < high, goes(low) { low += 1 } }
    if right { while high > low, goes(high - 1) { high -= 1 } }
    return low == 0 && high == count ? self : TemplateText(units: units[low..<high])
  }

  /// The parts between blanks.
  func words(atMost limit: Int?, fromRight: Bool) -> [TemplateText] {
    var parts: [TemplateText] = []
    if fromRight {
      var high = count
      while true {
        while high > 0, Self.isSpace(units[high - 1]) { high -= 1 }
        if high == 0 { break }
        if let limit, parts.count == limit {
          parts.append(TemplateText(units: units[..<high]))
          break
        }
        var low = high
        while low > 0, !Self.isSpace(units[low - 1]) { low -= 1 }
        parts.append(TemplateText(units: units[low..<high]))
        high = low
      }
      return parts.reversed()
    }
    var low = 0
    while true {
      while low < count, Self.isSpace(units[low]) { low += 1 }
      if low == count { break }
      if let limit, parts.count == limit {
        parts.append(TemplateText(units: units[low...]))
        break
      }
      var high = low
      while high < count, !Self.isSpace(units[high]) { high += 1 }
      parts.append(TemplateText(units: units[low..<high]))
      low = high
    }
    return parts
  }

  /// The parts between a separator.
  func split(_ separator: TemplateText, atMost limit: Int?, fromRight: Bool) -> [TemplateText] {
    var parts: [TemplateText] = []
    if fromRight {
      var high = count
      while limit.map({ parts.count < $0 }) ?? true, let at = findLast(separator, to: high) {
        parts.append(TemplateText(units: units[(at + separator.count)..<high]))
        high = at
      }
      parts.append(TemplateText(units: units[..<high]))
      return parts.reversed()
    }
    var low = 0
    while limit.map({ parts.count < $0 }) ?? true, let at = find(separator, from: low) {
      parts.append(TemplateText(units: units[low..<at]))
      low = at + separator.count
    }
    parts.append(TemplateText(units: units[low...]))
    return parts
  }

  func lines(keepsEnds: Bool = false) -> [TemplateText] {
    var parts: [TemplateText] = []
    var low = 0
    while low < count {
      var high = low
      while high < count, !Self.isLineEnd(units[high]) { high += 1 }
      var next = high
      if high < count {
        next = high + 1
        if scalar(high) == 0x0D, next < count, scalar(next) == 0x0A { next += 1 }
      }
      parts.append(TemplateText(units: units[low..<(keepsEnds ? next : high)]))
      low = next
    }
    return parts
  }

  func replacing(_ old: TemplateText, with new: TemplateText, atMost limit: Int?) -> TemplateText {
    var result: [UInt32] = []
    result.reserveCapacity(count)
    var done = 0
    var low = 0
    if old.isEmpty {
      for unit in units {
        if limit.map({ done < $0 }) ?? true {
          result += new.units
          done += 1
        }
        result.append(unit)
      }
      if limit.map({ done < $0 }) ?? true { result += new.units }
      return TemplateText(units: result)
    }
    while limit.map({ done < $0 }) ?? true, let at = find(old, from: low) {
      result += units[low..<at]
      result += new.units
      low = at + old.count
      done += 1
    }
    result += units[low...]
    return TemplateText(units: result)
  }
}

// MARK: - Case

extension TemplateText {
  private func mapped(_ change: (Unicode.Scalar, Int) -> String) -> TemplateText {
    var result: [UInt32] = []
    result.reserveCapacity(count)
    for (index, unit) in units.enumerated() {
      guard let scalar = Unicode.Scalar(unit & ~Self.untrustedBit) else { continue }
      let bit = unit & Self.untrustedBit
      for changed in change(scalar, index).unicodeScalars { result.append(changed.value | bit) }
    }
    return TemplateText(units: result)
  }

  /// Whether a scalar has upper and lower case.
  private static func isCased(_ unit: UInt32) -> Bool {
    Unicode.Scalar(unit & ~untrustedBit)?.properties.isCased ?? false
  }

  /// A Greek sigma at the end of a word has a form of its own.
  private func lower(_ scalar: Unicode.Scalar, _ index: Int) -> String {
    guard scalar.value == 0x3A3 else { return scalar.properties.lowercaseMapping }
    func isIgnorable(_ unit: UInt32) -> Bool {
      Unicode.Scalar(unit & ~Self.untrustedBit)?.properties.isCaseIgnorable ?? false
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
      && units.allSatisfy { Unicode.Scalar($0 & ~Self.untrustedBit).map(isKind) ?? false }
  }

  /// Whether there are letters with case and all of them have this one.
  func isAllCase(upper: Bool) -> Bool {
    var found = false
    for unit in units {
      guard let properties = Unicode.Scalar(unit & ~Self.untrustedBit)?.properties else { continue }
      let category = properties.generalCategory
      if category == .titlecaseLetter || (upper ? properties.isLowercase : properties.isUppercase) {
        return false
      }
      if upper ? properties.isUppercase : properties.isLowercase { found = true }
    }
    return found
  }
}
