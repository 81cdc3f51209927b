/// A set of Unicode characters, for a class such as `[^a-z]`.
///
/// The ranges are sorted, disjoint and not adjacent. Halves of surrogate pairs are no characters
/// and are left out.
struct CharacterRanges: Hashable {
  let ranges: [ClosedRange<UInt32>]

  /// Every character.
  static let all = CharacterRanges([0...0x10FFFF])

  /// The characters in any of these ranges.
  init(_ ranges: [ClosedRange<UInt32>]) {
    var pieces: [ClosedRange<UInt32>] = []
    for range in ranges {
      if range.lowerBound < 0xD800 {
        pieces.append(range.lowerBound...min(range.upperBound, 0xD7FF))
      }
      if range.upperBound > 0xDFFF {
        pieces.append(max(range.lowerBound, 0xE000)...range.upperBound)
      }
    }
    pieces.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<UInt32>] = []
    for piece in pieces {
      if let last = merged.last, piece.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, piece.upperBound)
      } else {
        merged.append(piece)
      }
    }
    self.ranges = merged
  }

  /// Every character that is not in this set.
  var inverted: CharacterRanges {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= 0x10FFFF { result.append(next...0x10FFFF) }
    return CharacterRanges(result)
  }

  /// The UTF-8 of the characters: sequences of byte ranges, of which each combination is one
  /// character.
  var byteSequences: [[ClosedRange<UInt8>]] {
    var result: [[ClosedRange<UInt8>]] = []
    for range in ranges {
      // Characters of equal length in UTF-8 …
      for (length, limits) in Self.lengths where range.overlaps(limits) {
        Self.split(range.clamped(to: limits), length: length, into: &result)
      }
    }
    return result
  }

  private static let lengths: [(Int, ClosedRange<UInt32>)] = [
    (1, 0...0x7F), (2, 0x80...0x7FF), (3, 0x800...0xFFFF), (4, 0x1_0000...0x10_FFFF),
  ]

  /// … are cut until, behind the first byte in which its ends differ, a range has all bytes.
  private static func split(
    _ range: ClosedRange<UInt32>, length: Int, into result: inout [[ClosedRange<UInt8>]]
  ) {
    let (low, high) = (range.lowerBound, range.upperBound)
    for position in 1..<max(1, length) {
      let rest: UInt32 = 1 << (6 * UInt32(position)) - 1
      if low & ~rest == high & ~rest { continue }
      let cut: UInt32
      if low & rest != 0 {
        cut = (low | rest) + 1
      } else if high & rest != rest {
        cut = high & ~rest
      } else {
        continue
      }
      split(low...cut - 1, length: length, into: &result)
      split(cut...high, length: length, into: &result)
      return
    }
    result.append(
      (0..<length).map { index in
        let shift = 6 * UInt32(length - 1 - index)
        let lead: UInt32 = index > 0 ? 0x80 : [0, 0xC0, 0xE0, 0xF0][length - 1]
        let mask: UInt32 = index > 0 ? 0x3F : 0x7F
        return UInt8(lead | low >> shift & mask)...UInt8(lead | high >> shift & mask)
      })
  }
}
