/// Which directories of a TIFF file are pages. Scanners put pages one after the other; cameras and
/// editors add smaller copies and masks, which are none.
///
///     II 42 first │ directory: count │ tag type count value │ … │ next │ … │ directory …
///     MM 43 (64 bit)
package struct TIFFPages {
  private let bytes: [UInt8]
  private let isBigEndian: Bool
  /// Places are 8 bytes and not 4.
  private let isLarge: Bool

  /// The numbers of the directories that are pages, counted from 0 as decoders do; never empty. What
  /// is wrong with a file is for its decoder to say, so a broken chain just ends.
  package static func indexes(in bytes: [UInt8]) -> [Int] {
    let found = TIFFPages(bytes)?.indexes() ?? []
    return found.isEmpty ? [0] : found
  }

  private init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    self.bytes = bytes
    isBigEndian = bytes[0] == 0x4D
    isLarge = bytes[isBigEndian ? 3 : 2] == 43
  }

  private func indexes() -> [Int] {
    var pages: [Int] = []
    var seen: Set<Int> = []
    var next = isLarge ? number(8, 8) : number(4, 4)
    while let at = next, at > 0, seen.insert(at).inserted {
      guard let count = number(at, isLarge ? 8 : 2) else { break }
      let start = at + (isLarge ? 8 : 2)
      let size = isLarge ? 20 : 12
      guard count <= (bytes.count - start) / size else { break }
      if isPage(entries: stride(from: start, to: start + count * size, by: size)) {
        pages.append(seen.count - 1)
      }
      next = number(start + count * size, isLarge ? 8 : 4)
    }
    return pages
  }

  private func isPage(entries: StrideTo<Int>) -> Bool {
    for entry in entries {
      let value = entry + (isLarge ? 12 : 8)
      switch number(entry, 2) {
      case 254: return (number(value, 4) ?? 0) & 0b101 == 0  // bits: smaller copy, page, mask
      case 255: return number(value, 2) != 2  // the older tag's smaller copy
      default: continue
      }
    }
    return true
  }

  /// Nil outside the file, or where it does not fit `Int`.
  private func number(_ at: Int, _ count: Int) -> Int? {
    guard at >= 0, at <= bytes.count - count else { return nil }
    let digits = bytes[at..<at + count]
    let value =
      isBigEndian
      ? digits.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      : digits.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }
}
