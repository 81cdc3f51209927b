extension TemplateText {
  /// Whether Python's `str.isspace` holds for a scalar.
  static func isSpace(_ unit: UInt32) -> Bool {
    switch scalar(of: unit) {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
      0x205F, 0x3000:
      true
    default: false
    }
  }

  private static func isLineEnd(_ unit: UInt32) -> Bool {
    switch scalar(of: unit) {
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
