import Foundation
import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// What headers say, as files of different architectures have it.
@Suite("Model facts")
struct ModelFactsTests {
  /// A GGUF file without tensors.
  private struct Header {
    private var pairs = Data()
    private var count: UInt64 = 0

    private static func bytes(_ number: some FixedWidthInteger) -> Data {
      withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }

    private mutating func add(_ key: String, type: UInt32, _ value: Data) {
      pairs += Self.bytes(UInt64(key.utf8.count)) + Data(key.utf8) + Self.bytes(type) + value
      count += 1
    }

    mutating func add(_ key: String, _ number: UInt32) { add(key, type: 4, Self.bytes(number)) }

    mutating func add(_ key: String, _ numbers: [Int32]) {
      add(
        key, type: 9,
        numbers.reduce(Self.bytes(UInt32(5)) + Self.bytes(UInt64(numbers.count))) {
          $0 + Self.bytes($1)
        })
    }

    func facts() throws -> ModelFacts {
      let folder = try Material.temporaryFolder()
      defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
      let file = folder.appendingPathComponent("header.gguf")
      let start = Data("GGUF".utf8) + Self.bytes(UInt32(3)) + Self.bytes(UInt64(0))
      try (start + Self.bytes(count) + pairs).write(to: file)
      return ModelFacts(try MetadataHandle(path: file.path), architecture: "a")
    }
  }

  @Test("heads that are the same in all layers, and lengths that follow from them")
  func plain() throws {
    var header = Header()
    header.add("a.block_count", 3)
    header.add("a.embedding_length", 96)
    header.add("a.attention.head_count", 2)
    var facts = try header.facts()
    #expect(facts.keyValueHeads == 6, "as many as heads")
    #expect(facts.keyLength == 48)
    #expect(!facts.canQuantizeCache, "48 is no multiple of 32")
    header.add("a.attention.head_count_kv", 1)
    header.add("a.attention.key_length", 64)
    header.add("a.attention.value_length", 32)
    facts = try header.facts()
    #expect(facts.keyValueHeads == 3)
    #expect(facts.keyLength == 64 && facts.valueLength == 32)
    #expect(facts.canQuantizeCache)
  }

  @Test("layers that differ, and a state beside the cache")
  func hybrid() throws {
    var header = Header()
    header.add("a.block_count", 4)
    header.add("a.embedding_length", 128)
    header.add("a.attention.head_count", [0, 4, 0, 8])
    header.add("a.attention.head_count_kv", [0, 2, 0, 2])
    header.add("a.feed_forward_length", [256, 512, 256, 512])
    header.add("a.ssm.inner_size", 256)
    header.add("a.ssm.state_size", 16)
    header.add("a.ssm.conv_kernel", 4)
    header.add("a.ssm.group_count", 1)
    let facts = try header.facts()
    #expect(facts.headCount == 8)
    #expect(facts.keyValueHeads == 4)
    #expect(facts.feedForwardLength == 512)
    #expect(facts.recurrentLength == 4 * (4 * (256 + 2 * 16) + 256 * 16))
    let plan = DevicePlan(
      machine: DevicePlanTests.machine(), model: facts,
      options: LlamaOptions(contextSize: 256, parallelRequests: 3))
    let estimate = MemoryEstimate(model: facts, projectorBytes: 0, plan: plan)
    #expect(estimate.host.cache == 3 * (256 * 4 * 32 * 2 + 4 * facts.recurrentLength))
  }

  @Test("numbers of a damaged file overflow nothing")
  func absurd() throws {
    var header = Header()
    for key in [
      "block_count", "embedding_length", "attention.head_count_kv", "attention.key_length",
      "attention.value_length", "feed_forward_length", "context_length", "ssm.inner_size",
      "ssm.state_size", "ssm.conv_kernel", "ssm.group_count", "wkv.head_size",
    ] { header.add("a.\(key)", UInt32.max) }
    header.add("a.attention.head_count", [-1, 0])
    let facts = try header.facts()
    let plan = DevicePlan(
      machine: DevicePlanTests.machine(), model: facts, options: LlamaOptions())
    let estimate = MemoryEstimate(model: facts, projectorBytes: Int.max / 4, plan: plan)
    #expect(estimate.host.cache > 1 << 40)
    #expect(try Header().facts().layerCount == 0)
  }
}
