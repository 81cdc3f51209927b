internal import Fovea

/// What a context's memory holds, in order, so that a prompt that begins alike need not be evaluated
/// again.
///
///     record   system … user ▣ receipt 1 … answer
///     prompt   system … user ▣ receipt 2 …
///              └── common ──┘ only the rest is evaluated
struct ContextRecord {
  /// One entry of the memory.
  enum Item: Hashable {
    /// A token of text.
    case token(TokenID)
    /// An image, or a tile of one: `id` names its content.
    case image(id: String, tokens: Int, positions: Int32)

    /// How many cells of the context it takes.
    var tokenCount: Int {
      switch self {
      case .token: 1
      case .image(_, let tokens, _): tokens
      }
    }

    /// How many positions it takes: with M-RoPE fewer than tokens.
    var positionCount: Int32 {
      switch self {
      case .token: 1
      case .image(_, _, let positions): positions
      }
    }
  }

  /// What the memory holds.
  private(set) var items: [Item] = []
  /// The next free position.
  private(set) var position: Int32 = 0
  /// How many cells are taken.
  private(set) var tokenCount = 0

  /// Notes what was evaluated.
  mutating func append(_ item: Item) {
    items.append(item)
    position += item.positionCount
    tokenCount += item.tokenCount
  }

  /// Notes tokens that were evaluated.
  mutating func append(_ tokens: [TokenID]) {
    for token in tokens { append(.token(token)) }
  }

  /// Notes that everything behind the first `count` entries was forgotten.
  mutating func truncate(to count: Int) {
    while items.count > count {
      let item = items.removeLast()
      position -= item.positionCount
      tokenCount -= item.tokenCount
    }
  }

  /// How many entries at the beginning are those of a prompt.
  func commonCount(with prompt: [Item]) -> Int {
    var count = 0
    while count < min(items.count, prompt.count), items[count] == prompt[count] { count += 1 }
    return count
  }

  /// The position of the entry at an index; of the next free one at the end.
  func position(ofItem index: Int) -> Int32 {
    items[index...].reduce(position) { $0 - $1.positionCount }
  }

  /// How many tokens at the beginning are those of a prompt.
  func commonTokens(with prompt: [Item]) -> Int {
    items.prefix(commonCount(with: prompt)).reduce(0) { $0 + $1.tokenCount }
  }

  /// What is saved where a prompt is evaluated behind this: as many tokens as both have in common, unless
  /// more would be lost that way.
  func worth(for prompt: [Item]) -> Int {
    let common = commonTokens(with: prompt)
    return 2 * common >= tokenCount ? common : 0
  }

  /// Whether it begins with these entries.
  func begins(with beginning: ArraySlice<Item>) -> Bool { items.starts(with: beginning) }
}
