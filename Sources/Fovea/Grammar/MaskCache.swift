/// Masks that took long, by configuration.
///
/// Two generations bound the memory: when the young one is full it becomes the old one, and what
/// was not asked for since is forgotten. That keeps what is in use almost as well as a list by
/// last use does, without its links.
struct MaskCache {
  /// How many bytes the masks of one matcher may take.
  static let byteBudget = 32 << 20

  private var young: [Configuration: TokenMask] = [:]
  private var old: [Configuration: TokenMask] = [:]
  private let capacity: Int

  init(tokens: Int) {
    capacity = max(8, Self.byteBudget / (2 * (tokens / 8 + 64)))
  }

  mutating func find(_ key: Configuration) -> TokenMask? {
    if let mask = young[key] { return mask }
    guard let mask = old[key] else { return nil }
    insert(mask, for: key)
    return mask
  }

  mutating func insert(_ mask: TokenMask, for key: Configuration) {
    if young.count >= capacity {
      old = young
      young = [:]
    }
    young[key] = mask
  }
}
