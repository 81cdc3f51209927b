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

  /// What is known of a mask beside its tokens.
  struct Note {
    /// Whether the text before decides on some tokens.
    var needsCorrection: Bool
    /// By how many bytes what is missing can grow with one token, at most; nil when that was not
    /// asked.
    var growth: Int?
  }

  private struct Entry {
    var base: Base
    var note: Note
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
  /// The words of the mask at hand that differ, kept so that they need not grow anew.
  private var changed: [UInt32] = []

  /// Writes the mask of a configuration into `mask`, and says what is known of it; nil when it is
  /// not kept, or without the growth although that is wanted.
  mutating func find(
    _ key: Configuration, withGrowth: Bool, trie: TokenTrie, into mask: inout TokenMask
  ) -> Note? {
    if let entry = young[key] {
      if withGrowth, entry.note.growth == nil { return nil }
      Self.write(entry, trie, into: &mask)
      return entry.note
    }
    guard let entry = old[key], !withGrowth || entry.note.growth != nil else { return nil }
    Self.write(entry, trie, into: &mask)
    insert(entry, for: key)
    return entry.note
  }

  /// Keeps a mask that is close to `base`.
  mutating func insert(
    _ mask: TokenMask, base: Base, _ note: Note, trie: TokenTrie, for key: Configuration
  ) {
    let other = trie.mask(base)?.words
    let words = mask.words
    changed.removeAll(keepingCapacity: true)
    if let other {
      for index in words.indices where words[index] != other[index] {
        changed.append(UInt32(index))
      }
    } else {
      for index in words.indices where words[index] != 0 { changed.append(UInt32(index)) }
    }
    let entry = Entry(
      base: base, note: note, words: Array(changed[...]),
      bits: changed.map { words[Int($0)] })
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
    for index in entry.words.indices { mask.words[Int(entry.words[index])] = entry.bits[index] }
  }
}
