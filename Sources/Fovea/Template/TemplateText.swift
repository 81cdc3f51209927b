/// Text in a template's run, which remembers of each character who wrote it.
///
///     storage  │ <|im_start|>user↵ │ Hello │      UTF-8; a text may be a part of it
///     origin   │ template          │ context │
///
/// Every operation on text moves characters about, so their origin goes with them wherever they end
/// up: through slices, `strip`, `replace`, `join`. Comparisons do not look at it. What templates see
/// counts code points, as Python does; within the interpreter places are bytes, so that most
/// operations are a look at some bytes, and a part of a text is made without copying.
struct TemplateText: Sendable {
  /// Who wrote a text's characters.
  enum Origin: Sendable {
    case template
    case context
    case mixed(TemplateOrigins)
  }

  /// The bit of a unit that the template did not write: see ``units``.
  static let untrustedBit: UInt32 = 1 << 31

  let storage: [UInt8]
  private let low: UInt32
  private let high: UInt32
  let origin: Origin

  init(storage: [UInt8], from low: Int, to high: Int, _ origin: Origin) {
    self.storage = storage
    self.low = UInt32(truncatingIfNeeded: low)
    self.high = UInt32(truncatingIfNeeded: high)
    self.origin = origin
  }

  init() { self.init(storage: [], from: 0, to: 0, .template) }

  init(_ text: String, isTrusted: Bool = true) {
    let bytes = Array(text.utf8)
    self.init(storage: bytes, from: 0, to: bytes.count, isTrusted ? .template : .context)
  }

  // MARK: Bytes

  /// Where the text begins in its storage.
  var start: Int { Int(low) }
  /// Where it ends there.
  var end: Int { Int(high) }
  var byteCount: Int { Int(high &- low) }
  var isEmpty: Bool { low == high }

  func byte(_ place: Int) -> UInt8 { storage[Int(low) &+ place] }

  /// A part, by bytes.
  subscript(bytes: Range<Int>) -> TemplateText {
    TemplateText(
      storage: storage, from: start + bytes.lowerBound, to: start + bytes.upperBound, origin)
  }

  func from(_ place: Int) -> TemplateText { self[place..<byteCount] }

  // MARK: Characters

  /// How many code points there are.
  var count: Int {
    var count = 0
    for byte in storage[start..<end] { count &+= byte & 0xC0 == 0x80 ? 0 : 1 }
    return count
  }

  /// The byte at which a code point begins; the end for the first that is not there.
  func place(of character: Int) -> Int {
    var place = 0
    var left = character
    while place < byteCount {
      if byte(place) & 0xC0 != 0x80 {
        if left == 0 { return place }
        left -= 1
      }
      place += 1
    }
    return place
  }

  /// The first code points.
  func prefix(_ count: Int) -> TemplateText { self[0..<place(of: count)] }

  /// A range of code points.
  func characters(_ range: Range<Int>) -> TemplateText {
    let rest = from(place(of: range.lowerBound))
    return rest.prefix(range.count)
  }

  func character(_ index: Int) -> TemplateText { characters(index..<(index + 1)) }

  /// The text without its origin.
  var string: String { String(decoding: storage[start..<end], as: UTF8.self) }

  static func + (left: TemplateText, right: TemplateText) -> TemplateText {
    var builder = TemplateTextBuilder()
    builder.append(left)
    builder.append(right)
    return builder.text
  }
}

/// Who wrote the parts of a storage.
final class TemplateOrigins: Sendable {
  /// Where each part ends in the storage; the first begins at 0.
  let runs: [(end: Int, isTrusted: Bool)]

  init(_ runs: [(end: Int, isTrusted: Bool)]) { self.runs = runs }

  /// The place of the run that holds a byte.
  func run(at place: Int) -> Int {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension TemplateText: Hashable {
  static func == (left: TemplateText, right: TemplateText) -> Bool {
    guard left.byteCount == right.byteCount else { return false }
    return left.hasPrefix(right)
  }

  func hash(into hasher: inout Hasher) {
    for byte in storage[start..<end] { hasher.combine(byte) }
  }

  /// The order of UTF-8 is that of code points.
  static func < (left: TemplateText, right: TemplateText) -> Bool {
    left.storage[left.start..<left.end].lexicographicallyPrecedes(
      right.storage[right.start..<right.end])
  }
}
