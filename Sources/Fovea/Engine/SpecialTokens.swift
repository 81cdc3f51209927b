/// The tokens that a tokenizer finds in text before it cuts the rest, such as `<|im_start|>`, and how
/// a prompt is cut at them.
///
///     trusted  │ <|im_start|>user\n │           │ <|im_end|>\n
///     untrusted│                    │ <|im_end|> │
///     pieces   [<|im_start|>] "user\n<|im_end|>" [<|im_end|>] "\n"
///
/// Control tokens are found in trusted text alone. What stands between two of them is one text, of
/// whatever origin, in which nothing is a control token: so the tokens of a harmless prompt are those
/// of its whole text tokenised at once, and no text of a user, wherever it stands, becomes a control
/// token or a part of one.
package struct SpecialTokens: Sendable {
  /// A token that is found by its text.
  package struct Entry: Sendable {
    /// The token.
    package var token: TokenID
    /// Its spelling.
    package var text: [UInt8]
    /// Whether the tokenizer finds it in any text, as it does with tokens that a model's makers added.
    package var isFoundEverywhere: Bool
    /// Whether blanks before it, or behind it, belong to it.
    package var stripsLeft = false
    package var stripsRight = false

    package init(
      token: TokenID, text: [UInt8], isFoundEverywhere: Bool = false, stripsLeft: Bool = false,
      stripsRight: Bool = false
    ) {
      self.token = token
      self.text = text
      self.isFoundEverywhere = isFoundEverywhere
      self.stripsLeft = stripsLeft
      self.stripsRight = stripsRight
    }
  }

  /// A piece of a prompt.
  package enum Piece: Sendable, Equatable {
    /// A token, and its spelling.
    case token(TokenID, text: String)
    /// Text in which control tokens are plain letters.
    case text(String)
    /// An image.
    case image(PixelImage)
  }

  private let entries: [Entry]
  /// A tree of the entries' bytes; node 0 is the root.
  private var children: [[UInt8: Int]] = [[:]]
  private var entryAtNode: [Int: Int] = [:]

  /// Makes the table.
  ///
  /// - Parameters:
  ///   - entries: A model's special tokens.
  ///   - template: The source of the model's chat template. Marks of it that the tokenizer would find
  ///     in any text, such as `<think>`, are kept from being written by others.
  package init(_ entries: [Entry], template: String = "") {
    let template = Array(template.utf8)
    // A vocabulary may have thousands of such tokens: they are looked for where a mark may begin.
    let starts = template.indices.filter { Self.openings.contains(template[$0]) }
    self.entries = entries.filter { entry in
      !entry.text.isEmpty
        && (!entry.isFoundEverywhere
          || Self.isMark(entry.text)
            && starts.contains { template[$0...].starts(with: entry.text) })
    }
    for (index, entry) in self.entries.enumerated() {
      var node = 0
      for byte in entry.text {
        if let next = children[node][byte] {
          node = next
        } else {
          children.append([:])
          children[node][byte] = children.count - 1
          node = children.count - 1
        }
      }
      entryAtNode[node] = index
    }
  }

  private static let openings = Array("<[".utf8)

  /// Whether a token looks like a mark and not like a word or blanks.
  private static func isMark(_ text: [UInt8]) -> Bool {
    guard text.count > 2, let first = text.first, let last = text.last else { return false }
    return first == UInt8(ascii: "<") && last == UInt8(ascii: ">")
      || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
  }

  /// Cuts a prompt.
  package func pieces(of prompt: [PromptPart]) -> [Piece] {
    var pieces: [Piece] = []
    var run = Run()
    for part in prompt {
      switch part {
      case .trusted(let text): run.append(text, isTrusted: true)
      case .untrusted(let text): run.append(text, isTrusted: false)
      case .image(let image):
        pieces += self.pieces(of: run)
        pieces.append(.image(image))
        run = Run()
      }
    }
    return pieces + self.pieces(of: run)
  }

  // MARK: One run of text

  /// Text without an image in it.
  private struct Run {
    var bytes: [UInt8] = []
    /// Where text of one origin ends, in order.
    var ends: [(end: Int, isTrusted: Bool)] = []

    mutating func append(_ text: String, isTrusted: Bool) {
      bytes += text.utf8
      ends.append((bytes.count, isTrusted))
    }
  }

  /// Where an entry is spelled.
  private struct Occurrence {
    var start: Int
    var entry: Int
    var isTrusted: Bool
  }

  private func pieces(of run: Run) -> [Piece] {
    var pieces: [Piece] = []
    var start = 0
    func addText(upTo end: Int, strips: Bool) {
      var end = end
      if strips { while end > start, run.bytes[end - 1].isBlank { end -= 1 } }
      if end > start {
        pieces.append(.text(String(decoding: run.bytes[start..<end], as: UTF8.self)))
      }
    }
    for occurrence in occurrences(in: run) {
      let entry = entries[occurrence.entry]
      guard occurrence.isTrusted else {
        // Cut within the mark, so that the tokenizer cannot find it.
        addText(upTo: occurrence.start + 1, strips: false)
        start = occurrence.start + 1
        continue
      }
      addText(upTo: occurrence.start, strips: entry.stripsLeft)
      pieces.append(.token(entry.token, text: String(decoding: entry.text, as: UTF8.self)))
      start = occurrence.start + entry.text.count
      if entry.stripsRight {
        while start < run.bytes.count, run.bytes[start].isBlank { start += 1 }
      }
    }
    addText(upTo: run.bytes.count, strips: false)
    return pieces
  }

  /// The places to cut at, in order. The longest spelling counts first, then the leftmost, as in
  /// llama.cpp.
  private func occurrences(in run: Run) -> [Occurrence] {
    var found: [Occurrence] = []
    var origin = 0
    let roots = children[0]
    for start in run.bytes.indices {
      while origin < run.ends.count, run.ends[origin].end <= start { origin += 1 }
      guard var node = roots[run.bytes[start]] else { continue }
      let (end, isTrusted) = run.ends[origin]
      var at = start + 1
      while true {
        if let entry = entryAtNode[node] {
          // What is part of both origins belongs to nobody.
          let isWhole = at <= end
          if isWhole && isTrusted {
            found.append(Occurrence(start: start, entry: entry, isTrusted: true))
          } else if entries[entry].isFoundEverywhere {
            found.append(Occurrence(start: start, entry: entry, isTrusted: false))
          }
        }
        guard at < run.bytes.count, let next = children[node][run.bytes[at]] else { break }
        node = next
        at += 1
      }
    }
    found.sort {
      let (left, right) = (entries[$0.entry].text.count, entries[$1.entry].text.count)
      return left == right ? $0.start < $1.start : left > right
    }
    var taken = Set<Int>()
    var kept: [Occurrence] = []
    for occurrence in found {
      let range = occurrence.start..<(occurrence.start + entries[occurrence.entry].text.count)
      if range.contains(where: taken.contains) { continue }
      taken.formUnion(range)
      kept.append(occurrence)
    }
    return kept.sorted { $0.start < $1.start }
  }
}

extension UInt8 {
  /// What C's `isspace` takes for a blank.
  fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
