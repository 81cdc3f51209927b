/// What a container has behind it, beyond how far it came: only for shapes that must know.
struct ContainerProgress: Hashable, Sendable {
  /// The properties that are there: bit `i % 64` of word `i / 64`.
  var seen: [UInt64] = []
  /// The undeclared keys, or the items of a unique array: nodes of ``SpelledTexts``, ascending.
  var texts: [UInt32] = []
  /// How many properties there are, where that matters; how many items matched `contains`.
  var count: UInt32 = 0

  static let none = ContainerProgress()

  func contains(_ property: Int) -> Bool {
    let word = property >> 6
    return word < seen.count && seen[word] & (1 << UInt64(property & 63)) != 0
  }

  mutating func insert(_ property: Int) {
    let word = property >> 6
    while seen.count <= word { seen.append(0) }
    seen[word] |= 1 << UInt64(property & 63)
  }

  mutating func insert(text: UInt32) {
    texts.insert(text, at: texts.firstIndex { $0 > text } ?? texts.count)
  }
}

/// One more part of a container.
struct ProgressStep: Hashable, Sendable {
  /// What was there before.
  var from: UInt32
  /// The declared property, counted from 1; 0 for an undeclared key or an item.
  var property: UInt32
  /// The undeclared key or the item: a node of ``SpelledTexts``.
  var text: UInt32
  /// The object's shape; `UInt32.max` for lists.
  var shape: UInt32
}

/// All beginnings of keys and items that had to be remembered, as a tree: a number stands for a
/// text, so that "was this key there before?" compares numbers.
///
///     0 untracked │ 1 "" │ 2 unknown │ 3 "a" │ 4 "ab" │ …     parent of 4 is 3, of 3 is 1
struct SpelledTexts: Sendable {
  /// No text is followed.
  static let untracked: UInt32 = 0
  /// The empty text.
  static let root: UInt32 = 1
  /// A text that is equal to no other, for questions about "any other key".
  static let unknown: UInt32 = 2

  private var children: [UInt64: UInt32] = [:]
  private var parents: [UInt32] = [0, 0, 0]
  private var depths: [UInt32] = [0, 0, 0]
  private var bytes: [UInt8] = [0, 0, 0]

  /// The text that is one byte longer. With `isForgetful`, a text that was never met stays
  /// ``unknown``.
  mutating func child(_ text: UInt32, _ byte: UInt8, isForgetful: Bool) -> UInt32 {
    if text == Self.untracked || (text == Self.unknown && isForgetful) { return text }
    let key = UInt64(text) << 8 | UInt64(byte)
    if let known = children[key] { return known }
    if isForgetful { return Self.unknown }
    let fresh = UInt32(parents.count)
    parents.append(text)
    depths.append(depths[Int(text)] + 1)
    bytes.append(byte)
    children[key] = fresh
    return fresh
  }

  /// How many of these texts begin with `beginning`, itself included.
  func count(_ texts: [UInt32], from beginning: UInt32) -> UInt32 {
    let depth = depths[Int(beginning)]
    var total: UInt32 = 0
    for var text in texts {
      while depths[Int(text)] > depth { text = parents[Int(text)] }
      if text == beginning { total += 1 }
    }
    return total
  }

  /// What follows `beginning` in `text`; nil when it begins otherwise.
  func rest(of text: UInt32, from beginning: UInt32) -> [UInt8]? {
    let depth = depths[Int(beginning)]
    var at = text
    var result: [UInt8] = []
    while depths[Int(at)] > depth {
      result.append(bytes[Int(at)])
      at = parents[Int(at)]
    }
    return at == beginning ? result.reversed() : nil
  }

  /// What follows `beginning` in those of the texts that begin with it.
  func rests(of texts: [UInt32], from beginning: UInt32) -> [[UInt8]] {
    texts.compactMap { rest(of: $0, from: beginning) }
  }

  /// How many beginnings are remembered.
  var situationCount: Int { parents.count }
}
