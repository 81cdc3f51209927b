/// The embeddings of the images seen last, so that several questions about one picture encode it
/// once.
struct EmbeddingCache {
  /// How many bytes of embeddings are kept, and of how many images or tiles.
  private let capacity: Int
  private let mostEntries: Int

  private var entries: [(id: String, embeddings: [Float])] = []
  private var size = 0

  /// Makes an empty cache.
  init(capacity: Int = 64 << 20, mostEntries: Int = 32) {
    self.capacity = capacity
    self.mostEntries = mostEntries
  }

  /// The embeddings of an image, or of a tile of one; nil: they are not kept.
  mutating func find(_ id: String) -> [Float]? {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.embeddings
  }

  /// Keeps embeddings; the least lately used ones make room.
  mutating func insert(_ embeddings: [Float], for id: String) {
    size += embeddings.count * MemoryLayout<Float>.stride
    entries.append((id, embeddings))
    while size > capacity || entries.count > mostEntries, !entries.isEmpty {
      size -= entries.removeFirst().embeddings.count * MemoryLayout<Float>.stride
    }
  }
}
