/// Guesses how a text goes on: as the document does behind the same letters, or behind a word like the
/// key that was just written.
///
///     document  Corner Cafe⏎Total: 12.50⏎…
///     written   {"vendor":"Corn               {"vendor":"Corner Cafe","total":
///     guess                    er Cafe                                        12.50
///
/// An answer about a document is mostly copied from it.
struct PromptDrafter {
  /// A guess, and what speaks for it.
  struct Guess: Equatable {
    /// The bytes that may come next, to the end of the document's line or column.
    var bytes: [UInt8]
    /// What speaks for it.
    var evidence: DraftPolicy.Evidence
    /// Whether the document's line or column ends behind the bytes.
    var endsField: Bool
  }

  private let sources: [[UInt8]]
  /// Where the last guess was taken from, since answers keep to the document's order.
  private var last = (source: 0, offset: 0)

  /// The least that must be the same.
  static let shortestMatch = 2
  /// From so many equal letters on, a match is long.
  static let longMatch = 5
  /// Longer matches say no more.
  private static let longestMatch = 32
  /// How many of the last bytes matter: a match, or a key with quotes and colon.
  static let longestLook = 128
  /// The most bytes that are guessed.
  private static let longestGuess = 96
  /// Matches are looked for in the beginning of a document.
  private static let mostSearched = 1 << 16

  /// Makes a drafter.
  ///
  /// - Parameter sources: Texts that the answer may be copied from, the likeliest first.
  init(sources: [[UInt8]]) {
    self.sources = sources.filter { $0.count > Self.shortestMatch }
  }

  /// How the text may go on; nil where nothing in the sources speaks for anything.
  mutating func guess(after written: [UInt8]) -> Guess? {
    guard !sources.isEmpty, let final = written.last else { return nil }
    if let key = Self.keyJustWritten(written) { return guess(behindKey: key) }
    var best: (length: Int, isBehind: Bool, source: Int, offset: Int)?
    for (number, source) in sources.enumerated() {
      for end in 0..<min(source.count - 1, Self.mostSearched) where source[end] == final {
        let length = Self.commonEnd(source, end, written)
        guard length >= Self.shortestMatch, Self.isCopied(source[end + 1]) else { continue }
        let isBehind = (number, end) >= (last.source, last.offset)
        if let best, (best.length, best.isBehind ? 1 : 0) >= (length, isBehind ? 1 : 0) { continue }
        best = (length, isBehind, number, end + 1)
      }
    }
    guard let best else { return nil }
    last = (best.source, best.offset)
    return guess(
      best.source, at: best.offset, best.length < Self.longMatch ? .shortMatch : .longMatch)
  }

  private func guess(_ source: Int, at offset: Int, _ evidence: DraftPolicy.Evidence) -> Guess? {
    let rest = sources[source][offset...]
    var bytes = rest.prefix(Self.longestGuess).prefix(while: Self.isCopied)
    // Blanks side by side part columns.
    if let gap = zip(bytes.indices, bytes.indices.dropFirst()).first(where: {
      bytes[$0.0] == UInt8(ascii: " ") && bytes[$0.1] == UInt8(ascii: " ")
    }) {
      bytes = bytes[..<gap.0]
    } else if bytes.count == Self.longestGuess {
      return Guess(bytes: Array(bytes), evidence: evidence, endsField: false)
    }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return Guess(bytes: Array(bytes), evidence: evidence, endsField: true)
  }

  /// How many bytes up to and including `end` are those at the end of `written`.
  private static func commonEnd(_ source: [UInt8], _ end: Int, _ written: [UInt8]) -> Int {
    let most = min(end + 1, written.count, longestMatch)
    var length = 1
    while length < most, source[end - length] == written[written.count - 1 - length] { length += 1 }
    return length
  }

  /// Line ends and what JSON escapes are not copied as they are.
  private static func isCopied(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  // MARK: Keys

  /// The words of a key whose value begins now, in lower case: `unitPrice` and `unit_price` have two.
  static func keyJustWritten(_ written: [UInt8]) -> [[UInt8]]? {
    let quote = UInt8(ascii: "\"")
    var end = written.count
    if written.last == quote { end -= 1 }
    guard end >= 2, written[end - 1] == UInt8(ascii: ":"), written[end - 2] == quote else {
      return nil
    }
    let key = written[..<(end - 2)].suffix(64).reversed().prefix { $0 != quote }.reversed()
    var words: [[UInt8]] = [[]]
    for byte in key {
      let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      let isLetter =
        isUpper || byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte >= 0x80
      if !isLetter || isUpper { words.append([]) }
      if isLetter { words[words.count - 1].append(lowercase(byte)) }
    }
    words.removeAll { $0.isEmpty }
    return words.isEmpty ? nil : words
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 0x20 : byte
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    let byte = lowercase(byte)
    return byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte >= 0x80
  }

  /// What stands behind the last line of a source that has the key's words in their order.
  private mutating func guess(behindKey key: [[UInt8]]) -> Guess? {
    for (number, source) in sources.enumerated() {
      guard let offset = Self.lastValue(behind: key, in: source) else { continue }
      last = (number, offset)
      return guess(number, at: offset, .key)
    }
    return nil
  }

  private static func lastValue(behind key: [[UInt8]], in source: [UInt8]) -> Int? {
    var found: Int?
    var start = 0
    while start < min(source.count, mostSearched) {
      let line = source[start...].prefix { $0 != UInt8(ascii: "\n") }
      start = line.endIndex + 1
      var at = line.startIndex
      var wordsLeft = key[...]
      while at < line.endIndex, let word = wordsLeft.first {
        let end = line[at...].firstIndex { !isWord($0) } ?? line.endIndex
        if end > at, line[at..<end].map(lowercase) == word { wordsLeft.removeFirst() }
        at = end > at ? end : at + 1
      }
      guard wordsLeft.isEmpty else { continue }
      // Marks between a label and its value, a currency's among them.
      let value = line[at...].firstIndex {
        isWord($0) && $0 < 0x80 || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
      }
      if let value { found = value }
    }
    return found
  }
}
