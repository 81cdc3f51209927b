package import Fovea

extension Vocabulary {
  /// A hundred thousand tokens of the kinds that byte-level vocabularies have: bytes, words with
  /// and without a blank before them, numbers of up to three digits, runs of blanks, punctuation
  /// with quotes, characters of other scripts and pieces of them. The last one ends a text.
  package static func large(count: Int = 100_000) -> Vocabulary {
    var generator = SeededGenerator(seed: 2_026)
    var pieces = (0...255).map { [UInt8($0)] }
    var known = Set(pieces)
    func add(_ piece: [UInt8]) {
      if known.insert(piece).inserted { pieces.append(piece) }
    }
    for value in 0...999 {
      add(Array("\(value)".utf8))
      if value < 100 { add(Array((value < 10 ? "0\(value)" : "00\(value)").utf8)) }
    }
    for count in 2...100 { add([UInt8](repeating: 0x20, count: count)) }
    for newlines in 1...8 {
      for blanks in 0...40 {
        add([UInt8](repeating: 0x0A, count: newlines) + [UInt8](repeating: 0x20, count: blanks))
      }
    }
    let marks = ["\"", ",", ":", "{", "}", "[", "]", " ", ".", "\\", "\"", "'", "-", "(", ")", "/"]
    for _ in 0..<9_000 {
      var piece = ""
      for _ in 0..<Int.random(in: 2...5, using: &generator) {
        piece += marks.randomElement(using: &generator) ?? ""
      }
      add(Array(piece.utf8))
    }
    let scripts: [ClosedRange<UInt32>] = [
      0x4E00...0x5FFF, 0xAC00...0xB000, 0x430...0x44F, 0x3041...0x3096, 0x1F300...0x1F5FF,
      0xE0...0xFF,
    ]
    for _ in 0..<15_000 {
      var piece = ""
      guard let script = scripts.randomElement(using: &generator) else { continue }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        if let scalar = Unicode.Scalar(UInt32.random(in: script, using: &generator)) {
          piece.unicodeScalars.append(scalar)
        }
      }
      let bytes = Array(piece.utf8)
      let isCut = Int.random(in: 0..<8, using: &generator) == 0
      add(isCut ? bytes.dropLast(1) + [] : bytes)
    }
    let syllables = [
      "a", "e", "i", "o", "u", "an", "en", "in", "on", "er", "re", "ti", "te", "st", "ro", "la",
      "ma", "con", "pro", "th", "ch", "sh", "ing", "ed", "s", "ly", "ment", "ness", "ab", "ex",
      "un",
      "der", "ge", "po", "na", "mi", "vi", "tra", "ble", "qu", "z", "k", "w", "y", "f", "g", "b",
    ]
    while pieces.count < count - 1 {
      var word = ""
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        word += syllables.randomElement(using: &generator) ?? ""
      }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: word = word.prefix(1).uppercased() + word.dropFirst()
      case 1, 2, 3: word = " " + word
      case 4: word = " " + word.prefix(1).uppercased() + word.dropFirst()
      default: break
      }
      add(Array(word.utf8))
    }
    pieces.append([])
    return Vocabulary(pieces: pieces, endTokens: [TokenID(pieces.count - 1)])
  }

  /// The tokens of a text by the longest piece that fits, which is close to what models write.
  package func longestPieces(of text: String) -> [TokenID] {
    var index: [[UInt8]: TokenID] = [:]
    for (token, piece) in pieces.enumerated() where !piece.isEmpty {
      index[piece] = TokenID(token)
    }
    var rest = Array(text.utf8)[...]
    var tokens: [TokenID] = []
    while !rest.isEmpty {
      var length = min(rest.count, 16)
      while length > 1, index[Array(rest.prefix(length))] == nil { length -= 1 }
      tokens.append(index[Array(rest.prefix(length))] ?? -1)
      rest = rest.dropFirst(length)
    }
    return tokens
  }
}
