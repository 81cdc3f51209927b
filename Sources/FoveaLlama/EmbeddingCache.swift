/// The embeddings of the images seen last, so that several questions about one picture encode it
/// once.
struct EmbeddingCache {
  /// How many bytes of embeddings are kept.
  static let capacity = 64 << 20

  private var entries: [(id: String, embeddings: [Float])] = []
  private var size = 0

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
    while size > Self.capacity, !entries.isEmpty {
      size -= entries.removeFirst().embeddings.count * MemoryLayout<Float>.stride
    }
  }
}
