internal import Fovea

/// A prompt as a context records it, and where its images are.
struct PromptEntries {
  /// The entries in order.
  private(set) var items: [ContextRecord.Item] = []
  /// mtmd's chunks, where there are images.
  private(set) var chunks: PromptChunks?
  /// The chunk of each entry that is an image.
  private(set) var chunkOfItem: [Int: Int] = [:]

  /// How many tokens the prompt has, and how many of them are of images.
  private(set) var tokenCount = 0
  private(set) var imageTokenCount = 0
  /// The most tokens of one image, or of a tile.
  private(set) var largestImage = 0

  /// The entries of text.
  init(tokens: [TokenID]) {
    items = tokens.map { .token($0) }
    tokenCount = tokens.count
  }

  /// The entries of text and images. An image's chunk carries the name of its content; its tiles are
  /// numbered.
  init(chunks: PromptChunks) {
    self.chunks = chunks
    var tiles: [String: Int] = [:]
    for index in 0..<chunks.count {
      let count = chunks.tokenCount(index)
      tokenCount += count
      guard chunks.isImage(index) else {
        items += chunks.textTokens(index).map { .token($0) }
        continue
      }
      imageTokenCount += count
      largestImage = max(largestImage, count)
      // What has no name is like nothing else.
      let name = chunks.contentID(index) ?? "#\(UInt64.random(in: 0...UInt64.max))"
      let tile = tiles[name, default: 0]
      tiles[name] = tile + 1
      chunkOfItem[items.count] = index
      items.append(
        .image(id: "\(name)/\(tile)", tokens: count, positions: chunks.positionCount(index)))
    }
  }

  /// Names of the images.
  var imageIDs: [String] {
    items.compactMap { if case .image(let id, _, _) = $0 { id } else { nil } }
  }

  /// The last tokens of text before the answer, back to a token that writes nothing: what decides how
  /// the text that follows is cut into tokens.
  func lastTokens(_ most: Int, of vocabulary: Vocabulary) -> [TokenID] {
    var result: [TokenID] = []
    for item in items.reversed() {
      guard result.count < most, case .token(let token) = item,
        !vocabulary.pieces[Int(token)].isEmpty
      else { break }
      result.append(token)
    }
    return result.reversed()
  }
}
