/// A set of Unicode code points, as sorted ranges that neither touch nor overlap:
///
///     [A-Za-z]      │ 41…5A │ 61…7A │
///
/// Surrogates (D800 to DFFF) are never in it, since no valid text contains one.
struct CodePointSet: Hashable {
  /// Code points from `low` to `high`, both included.
  struct Range: Hashable {
    var low: UInt32
    var high: UInt32
  }

  /// The greatest code point.
  static let last: UInt32 = 0x10FFFF

  /// Ascending, with at least one code point between two of them.
  let ranges: [Range]

  /// The set of these code points; they may come in any order and overlap.
  init(_ ranges: [Range]) {
    let sorted = ranges.filter { $0.low <= $0.high }.sorted { $0.low < $1.low }
    var result: [Range] = []
    for range in sorted {
      if let last = result.last, range.low <= last.high &+ 1 {
        result[result.count - 1].high = max(last.high, range.high)
      } else {
        result.append(range)
      }
    }
    self.ranges = Self.withoutSurrogates(result)
  }

  /// The set of these code points.
  init(_ ranges: ClosedRange<UInt32>...) {
    self.init(ranges.map { Range(low: $0.lowerBound, high: $0.upperBound) })
  }

  private static func withoutSurrogates(_ ranges: [Range]) -> [Range] {
    guard ranges.contains(where: { $0.low <= 0xDFFF && $0.high >= 0xD800 }) else { return ranges }
    var result: [Range] = []
    for range in ranges {
      if range.low < 0xD800 { result.append(Range(low: range.low, high: min(range.high, 0xD7FF))) }
      if range.high > 0xDFFF { result.append(Range(low: max(range.low, 0xE000), high: range.high)) }
    }
    return result
  }

  /// Everything that is not in the set.
  var complement: CodePointSet {
    var result: [Range] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.low > next { result.append(Range(low: next, high: range.low - 1)) }
      next = range.high + 1
    }
    if next <= Self.last { result.append(Range(low: next, high: Self.last)) }
    return CodePointSet(result)
  }

  /// Whether a code point is in the set.
  func contains(_ codePoint: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].high < codePoint { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].low <= codePoint
  }

  /// What is in either set.
  func union(_ other: CodePointSet) -> CodePointSet { CodePointSet(ranges + other.ranges) }

  /// Every code point.
  static let any = CodePointSet(0...last)
  /// `\d` of ECMA-262.
  static let digits = CodePointSet(0x30...0x39)
  /// `\w` of ECMA-262.
  static let word = CodePointSet(0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A)
  /// `\s` of ECMA-262: its white space and its line terminators.
  static let space = CodePointSet(
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF)
  /// `.` of ECMA-262: all but line terminators.
  static let notLineEnd = CodePointSet(0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029).complement
}
