/// A text as an array of its characters, for operations that look at each of them.
///
/// A unit is a code point, with ``untrustedBit`` where the template did not write it. What is no
/// code point goes through unchanged, in the longer forms that UTF-8 once had.
extension TemplateText {
  /// The character of a unit, without where it comes from.
  static func scalar(of unit: UInt32) -> UInt32 { unit & ~untrustedBit }

  /// Where a unit comes from: 0 or ``untrustedBit``.
  static func origin(of unit: UInt32) -> UInt32 { unit & untrustedBit }

  init(units: [UInt32]) { self.init(units: units[...]) }

  init(units: ArraySlice<UInt32>) {
    var builder = TemplateTextBuilder()
    for unit in units { builder.append(unit: unit) }
    self = builder.text
  }

  var units: [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(byteCount)
    forEachRun { low, high, isTrusted in
      let bit = isTrusted ? 0 : Self.untrustedBit
      var place = low
      while place < high { result.append(scalar(at: &place) | bit) }
    }
    return result
  }

  /// Calls for each part of one origin, with its bytes and whether it is trusted.
  func forEachRun(_ body: (_ low: Int, _ high: Int, _ isTrusted: Bool) -> Void) {
    switch origin {
    case .template: body(0, byteCount, true)
    case .context: body(0, byteCount, false)
    case .mixed(let origins):
      var run = origins.run(at: start)
      var place = start
      while place < end {
        let high = min(end, origins.runs[run].end)
        body(place - start, high - start, origins.runs[run].isTrusted)
        place = high
        run += 1
      }
    }
  }

  /// The character at a byte, and on to the next.
  func scalar(at place: inout Int) -> UInt32 {
    let first = byte(place)
    place += 1
    if first < 0x80 { return UInt32(first) }
    var value: UInt32
    switch first {
    case ..<0xE0: value = UInt32(first & 0x1F)
    case ..<0xF0: value = UInt32(first & 0x0F)
    case ..<0xF8: value = UInt32(first & 0x07)
    case ..<0xFC: value = UInt32(first & 0x03)
    default: value = UInt32(first & 0x01)
    }
    while place < byteCount, byte(place) & 0xC0 == 0x80 {
      value = value << 6 | UInt32(byte(place) & 0x3F)
      place += 1
    }
    return value
  }

  /// The character before a byte, and back to it.
  func scalar(before place: inout Int) -> UInt32 {
    place -= 1
    while place > 0, byte(place) & 0xC0 == 0x80 { place -= 1 }
    var at = place
    return scalar(at: &at)
  }

  static func string(_ units: ArraySlice<UInt32>) -> String { TemplateText(units: units).string }
}
