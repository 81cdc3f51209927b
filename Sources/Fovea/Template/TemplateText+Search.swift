/// Searching and cutting, as Python's `str` does. Places are bytes: UTF-8 is found in UTF-8 only
/// where a character begins.
extension TemplateText {
  /// Whether Python's `str.isspace` holds for a character.
  static func isSpace(_ unit: UInt32) -> Bool {
    switch scalar(of: unit) {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
      0x205F, 0x3000:
      true
    default: false
    }
  }

  /// Whether a byte is an ASCII character other than blanks.
  private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

  private static func isLineEnd(_ unit: UInt32) -> Bool {
    switch scalar(of: unit) {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  func hasPrefix(_ other: TemplateText, at start: Int = 0) -> Bool {
    guard start >= 0, start + other.byteCount <= byteCount else { return false }
    var place = self.start + start
    for index in other.start..<other.end {
      if storage[place] != other.storage[index] { return false }
      place &+= 1
    }
    return true
  }

  func hasSuffix(_ other: TemplateText) -> Bool {
    hasPrefix(other, at: byteCount - other.byteCount)
  }

  /// The first place of another text at or behind `start`.
  func find(_ other: TemplateText, from start: Int = 0, to end: Int? = nil) -> Int? {
    let last = (end ?? byteCount) - other.byteCount
    guard start <= last else { return nil }
    if other.isEmpty { return start }
    let first = other.byte(0)
    var place = self.start + start
    let stop = self.start + last
    while place <= stop {
      if storage[place] == first, hasPrefix(other, at: place - self.start) {
        return place - self.start
      }
      place &+= 1
    }
    return nil
  }

  /// The last place of another text.
  func findLast(_ other: TemplateText, from start: Int = 0, to end: Int? = nil) -> Int? {
    var at = (end ?? byteCount) - other.byteCount
    while at >= start {
      if hasPrefix(other, at: at), at == byteCount || byte(at) & 0xC0 != 0x80 { return at }
      at -= 1
    }
    return nil
  }

  /// How often another text is in it, without overlaps.
  func count(of part: TemplateText, from start: Int = 0, to end: Int? = nil) -> Int {
    let end = end ?? byteCount
    if part.isEmpty { return end >= start ? self[start..<end].count + 1 : 0 }
    var found = 0
    var at = start
    while let place = find(part, from: at, to: end) {
      found += 1
      at = place + part.byteCount
    }
    return found
  }

  /// Without the characters at its ends that are in a set, or blank.
  func stripped(_ set: TemplateText? = nil, left: Bool = true, right: Bool = true) -> TemplateText {
    // Most texts have nothing to lose.
    if set == nil, byteCount > 0, Self.isVisible(byte(0)), Self.isVisible(byte(byteCount - 1)) {
      return self
    }
    let members = set.map { $0.units.map(Self.scalar) }
    func goes(_ scalar: UInt32) -> Bool { members?.contains(scalar) ?? Self.isSpace(scalar) }
    var low = 0
    var high = byteCount
    while left, low < high {
      var next = low
      guard goes(scalar(at: &next)) else { break }
      low = next
    }
    while right, high > low {
      var next = high
      guard goes(scalar(before: &next)) else { break }
      high = next
    }
    return low == 0 && high == byteCount ? self : self[low..<high]
  }

  /// The parts between blanks.
  func words(atMost limit: Int?, fromRight: Bool) -> [TemplateText] {
    var parts: [TemplateText] = []
    var rest = stripped(left: !fromRight, right: fromRight)
    while !rest.isEmpty {
      if let limit, parts.count == limit {
        parts.append(rest)
        break
      }
      let cut = fromRight ? rest.lastWord : rest.firstWord
      parts.append(fromRight ? rest.from(cut) : rest[0..<cut])
      rest = fromRight ? rest[0..<cut].stripped(left: false) : rest.from(cut).stripped(right: false)
    }
    return fromRight ? parts.reversed() : parts
  }

  /// Where the word ends that the text begins with.
  private var firstWord: Int {
    var place = 0
    while place < byteCount {
      var next = place
      if Self.isSpace(scalar(at: &next)) { break }
      place = next
    }
    return place
  }

  /// Where the word begins that the text ends with.
  private var lastWord: Int {
    var place = byteCount
    while place > 0 {
      var next = place
      if Self.isSpace(scalar(before: &next)) { break }
      place = next
    }
    return place
  }

  /// The parts between a separator.
  func split(_ separator: TemplateText, atMost limit: Int?, fromRight: Bool) -> [TemplateText] {
    var parts: [TemplateText] = []
    let most = limit ?? Int.max
    if fromRight {
      var high = byteCount
      while parts.count < most, let at = findLast(separator, to: high) {
        parts.append(self[(at + separator.byteCount)..<high])
        high = at
      }
      parts.append(self[0..<high])
      return parts.reversed()
    }
    var low = 0
    while parts.count < most, let at = find(separator, from: low) {
      parts.append(self[low..<at])
      low = at + separator.byteCount
    }
    parts.append(from(low))
    return parts
  }

  func lines(keepsEnds: Bool = false) -> [TemplateText] {
    var parts: [TemplateText] = []
    var low = 0
    var place = 0
    while place < byteCount {
      let high = place
      let scalar = scalar(at: &place)
      guard Self.isLineEnd(scalar) else { continue }
      if scalar == 0x0D, place < byteCount, byte(place) == 0x0A { place += 1 }
      parts.append(self[low..<(keepsEnds ? place : high)])
      low = place
    }
    if low < byteCount { parts.append(from(low)) }
    return parts
  }

  func replacing(_ old: TemplateText, with new: TemplateText, atMost limit: Int?) -> TemplateText {
    let most = limit ?? Int.max
    var result = TemplateTextBuilder()
    var done = 0
    var low = 0
    if old.isEmpty {
      while done < most {
        result.append(new)
        done += 1
        if low == byteCount { return result.text }
        let start = low
        _ = scalar(at: &low)
        result.append(self[start..<low])
      }
    }
    while done < most, let at = find(old, from: low) {
      result.append(self[low..<at])
      result.append(new)
      low = at + old.byteCount
      done += 1
    }
    if done == 0 { return self }
    result.append(from(low))
    return result.text
  }
}
