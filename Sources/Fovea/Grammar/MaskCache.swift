/// Masks that were made, by configuration, in little space.
///
///     base      nothing │ what stays inside a string, at most 5 characters │ …
///     words     2 3 9         the words of the mask that differ from the base
///     bits      … … …         and what they are
///
/// Most masks allow a handful of tokens, or nearly the same as a string's inside: they take some
/// hundred bytes instead of the sixteen to thirty thousand of the whole set.
///
/// Two generations bound the memory: when the young one is full it becomes the old one, and what
/// was not asked for since is forgotten. That keeps what is in use almost as well as a list by
/// last use does, without its links.
struct MaskCache {
  /// What a mask is close to.
  enum Base: Hashable, Sendable {
    case nothing
    /// The inside of a free string, by the index of the room.
    case text(Int)
    case key
  }

  private struct Entry {
    var base: Base
    var needsCorrection: Bool
    var words: [UInt32]
    var bits: [UInt64]
  }

  /// How many bytes the masks of one matcher may take.
  static let byteBudget = 32 << 20
  /// What an entry takes beside its words.
  private static let entryBytes = 160

  private var young: [Configuration: Entry] = [:]
  private var old: [Configuration: Entry] = [:]
  private var youngBytes = 0

  /// Writes the mask of a configuration into `mask`, and says whether it has to be corrected; nil
  /// when it is not kept.
  mutating func find(
    _ key: Configuration, trie: TokenTrie, into mask: inout TokenMask
  ) -> Bool? {
    if let entry = young[key] {
      Self.write(entry, trie, into: &mask)
      return entry.needsCorrection
    }
    guard let entry = old[key] else { return nil }
    Self.write(entry, trie, into: &mask)
    insert(entry, for: key)
    return entry.needsCorrection
  }

  /// Keeps a mask.
  mutating func insert(
    _ mask: TokenMask, _ made: (base: Base, needsCorrection: Bool), trie: TokenTrie,
    for key: Configuration
  ) {
    var entry = Entry(
      base: made.base, needsCorrection: made.needsCorrection, words: [], bits: [])
    let other = trie.mask(made.base)
    for (index, word) in mask.words.enumerated() where word != other?.words[index] ?? 0 {
      entry.words.append(UInt32(index))
      entry.bits.append(word)
    }
    insert(entry, for: key)
  }

  private mutating func insert(_ entry: Entry, for key: Configuration) {
    let bytes = Self.entryBytes + entry.words.count * 12
    if youngBytes + bytes > Self.byteBudget / 2 {
      old = young
      young = [:]
      youngBytes = 0
    }
    young[key] = entry
    youngBytes += bytes
  }

  private static func write(_ entry: Entry, _ trie: TokenTrie, into mask: inout TokenMask) {
    mask.copy(trie.mask(entry.base))
    for (index, word) in entry.words.enumerated() { mask.words[Int(word)] = entry.bits[index] }
  }
}
