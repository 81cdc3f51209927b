internal import Fovea

/// The sizes in a model's GGUF header that decide how it is computed and how much memory it needs.
package struct ModelFacts: Sendable, Hashable {
  /// Numbers in the weights.
  package var parameterCount: Int = 0
  /// Bytes of the weights as stored.
  package var weightBytes: Int = 0
  package var layerCount: Int = 0
  package var embeddingLength: Int = 0
  package var feedForwardLength: Int = 0
  /// The most attention heads of a layer.
  package var headCount: Int = 1
  /// The heads of keys and values, summed over the layers.
  package var keyValueHeads: Int = 0
  /// Numbers of one head's key and value.
  package var keyLength: Int = 0
  package var valueLength: Int = 0
  /// Numbers of the state that recurrent layers keep, whatever the length of the context.
  package var recurrentLength: Int = 0
  package var trainedContextSize: Int = 0
  package var vocabularySize: Int = 0

  /// Makes facts by hand, for tests.
  package init() {}

  /// Reads the facts from a file's header; what is missing in it is 0.
  init(_ metadata: borrowing MetadataHandle, architecture: String) {
    func integer(_ key: String) -> Int { limited(metadata.integer("\(architecture).\(key)") ?? 0) }
    let totals = metadata.tensorTotals
    weightBytes = totals.bytes
    parameterCount = totals.elements
    layerCount = min(integer("block_count"), 1_024)
    embeddingLength = integer("embedding_length")
    feedForwardLength =
      metadata.integers("\(architecture).feed_forward_length").map(limited).max() ?? 0
    let heads = metadata.integers("\(architecture).attention.head_count").map(limited)
    headCount = max(1, heads.max() ?? 1)
    // Files without this key have as many as heads; a list has one number for each layer.
    let pairs = metadata.integers("\(architecture).attention.head_count_kv").map(limited)
    let perLayer = pairs.isEmpty ? heads : pairs
    keyValueHeads =
      perLayer.count > 1 ? perLayer.reduce(0, +) : (perLayer.first ?? 0) * layerCount
    let headLength = embeddingLength / headCount
    func length(_ key: String) -> Int {
      let value = integer("attention.\(key)_length")
      return value > 0 ? value : headLength
    }
    keyLength = length("key")
    valueLength = length("value")
    recurrentLength = Self.recurrentLength(layers: layerCount, embedding: embeddingLength, integer)
    trainedContextSize = integer("context_length")
    vocabularySize = metadata.count("tokenizer.ggml.tokens")
  }

  /// At least what recurrent layers keep: the window of a convolution, and a state for each channel.
  private static func recurrentLength(
    layers: Int, embedding: Int, _ integer: (String) -> Int
  ) -> Int {
    // In floating point: the numbers come from a file, and products of them could overflow.
    func number(_ key: String) -> Double { Double(integer(key)) }
    let channels = number("ssm.inner_size")
    let state = number("ssm.state_size")
    let window = number("ssm.conv_kernel") * (channels + 2 * number("ssm.group_count") * state)
    let heads = number("wkv.head_size")
    let head = heads > 0 ? Double(embedding) * (heads + 2) : 0
    return Int(min(Double(layers) * (window + channels * state + head), 1e15))
  }

  /// Whether the cache may hold numbers in blocks of 32.
  package var canQuantizeCache: Bool {
    keyLength > 0 && keyLength % 32 == 0 && valueLength % 32 == 0
  }
}

/// Keeps a number of a damaged file from overflowing what is computed with it.
private func limited(_ value: Int) -> Int { max(0, min(value, 1 << 24)) }
