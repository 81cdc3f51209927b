import Testing

@testable import FoveaLlama

@Suite("Record of a context")
struct ContextRecordTests {
  private static let picture = ContextRecord.Item.image(id: "a/0", tokens: 64, positions: 8)

  private static func record() -> ContextRecord {
    var record = ContextRecord()
    record.append([1, 2, 3])
    record.append(picture)
    record.append([4, 5])
    return record
  }

  @Test("positions and cells are counted apart: an image may take more cells than positions")
  func counts() {
    let record = Self.record()
    #expect(record.position == 13)
    #expect(record.tokenCount == 69)
    #expect((0...6).map { record.position(ofItem: $0) } == [0, 1, 2, 3, 11, 12, 13])
  }

  @Test("forgetting goes back to what was before")
  func truncation() {
    for count in 0...6 {
      var record = Self.record()
      record.truncate(to: count)
      var expected = ContextRecord()
      for item in Self.record().items.prefix(count) { expected.append(item) }
      #expect(record.items == expected.items)
      #expect(record.position == expected.position)
      #expect(record.tokenCount == expected.tokenCount)
    }
  }

  @Test("what prompts have in common ends at the first token, or picture, of another content")
  func common() {
    let record = Self.record()
    let other = ContextRecord.Item.image(id: "b/0", tokens: 64, positions: 8)
    func common(_ items: [ContextRecord.Item]) -> Int { record.commonCount(with: items) }
    #expect(common([]) == 0)
    #expect(common(record.items) == 6)
    #expect(common(record.items + [.token(9)]) == 6)
    #expect(common([.token(1), .token(3)]) == 1)
    #expect(common([.token(1), .token(2), .token(3), other, .token(4)]) == 3)
    #expect(common([.token(1), .token(2), .token(3), Self.picture, .token(5)]) == 4)
  }
}

@Suite("What an engine remembers")
struct EngineMemoryTests {
  @Test("embeddings: the least lately used go first, by size and by number")
  func embeddings() {
    var cache = EmbeddingCache(capacity: 40, mostEntries: 3)
    cache.insert([1, 2, 3], for: "a")
    cache.insert([4, 5, 6], for: "b")
    #expect(cache.find("a") == [1, 2, 3])
    cache.insert([7, 8, 9, 10], for: "c")  // 40 bytes: all fit
    #expect(cache.find("b") == [4, 5, 6])
    cache.insert([11], for: "d")  // too many, and "a" was not asked for since
    #expect(cache.find("a") == nil)
    #expect(cache.find("b") != nil && cache.find("c") != nil && cache.find("d") == [11])
    cache.insert([Float](repeating: 0, count: 11), for: "large")
    #expect(cache.find("large") == nil && cache.find("d") == nil)
  }

  @Test("answers belong to exactly their images")
  func answers() {
    var cache = AnswerCache()
    cache.insert([1], for: [])
    #expect(cache.find([]) == nil)
    cache.insert([1], for: ["a", "b"])
    cache.insert([2], for: ["a"])
    cache.insert([3], for: ["a"])
    #expect(cache.find(["a", "b"]) == [1])
    #expect(cache.find(["a"]) == [3])
    #expect(cache.find(["b"]) == nil)
    for index in 0..<8 { cache.insert([9], for: ["\(index)"]) }
    #expect(cache.find(["a"]) == nil)
  }
}
