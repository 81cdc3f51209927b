/// How much memory a model takes once it is loaded, before it is.
package struct MemoryEstimate: Sendable, Hashable {
  /// Where the numbers come from.
  package enum Source: String, Sendable {
    /// From the sizes in the file's header: at least what it takes, and often more.
    case header
    /// llama.cpp has laid everything out without allocating it.
    case dryRun = "dry run"
  }

  /// Bytes in the memory of one place.
  package struct Part: Sendable, Hashable {
    /// Weights that are the mapped file itself.
    package var mappedWeights = 0
    /// Weights in memory of their own, for example because they were put in another order.
    package var weights = 0
    /// Keys and values of the context, and what recurrent layers keep.
    package var cache = 0
    /// Working memory of one batch.
    package var compute = 0
    /// The projector's weights and its working memory for the largest picture.
    package var projector = 0

    package init() {}

    package var total: Int { mappedWeights + weights + cache + compute + projector }
  }

  /// Where the numbers come from.
  package var source: Source
  /// In the machine's own memory.
  package var host = Part()
  /// In the memory of devices, by their names.
  package var devices: [String: Part] = [:]
  /// Texts and index of the vocabulary, masks and logits.
  package var vocabulary = 0
  /// What Fovea takes itself: grammars, pictures, threads.
  package var program = 0

  /// Makes an estimate of nothing.
  package init(source: Source) { self.source = source }

  /// Bytes in all places.
  package var total: Int {
    devices.values.reduce(host.total + vocabulary + program) { $0 + $1.total }
  }

  /// Bytes in the machine's memory; those of devices count where they work in it.
  package func hostNeed(sharedBy devices: [ComputeDevice], countingMappedFiles: Bool) -> Int {
    var parts = [host]
    for device in devices where device.sharesMemory {
      if let part = self.devices[device.name] { parts.append(part) }
    }
    let mapped = parts.reduce(0) { $0 + $1.mappedWeights }
    return parts.reduce(vocabulary + program) { $0 + $1.total } - (countingMappedFiles ? 0 : mapped)
  }
}

extension MemoryEstimate {
  /// Estimates from sizes alone.
  ///
  /// - Parameter projectorBytes: The weights of the projector; 0: there is none.
  package init(model: ModelFacts, projectorBytes: Int, plan: DevicePlan) {
    self.init(source: .header)
    // In floating point: the numbers come from a file, and products of them could overflow.
    let cells = Self.cells(plan.contextSize.value)
    let cache = Self.cacheBytes(
      model, context: plan.contextSize.value, cacheType: plan.cacheType.value)
    host.mappedWeights = model.weightBytes
    host.cache = Self.bytes(Double(cache) * Double(plan.parallelRequests.value))
    let isPlain = plan.attention.value == .plain
    let scores = isPlain ? 2 * Double(model.headCount) * cells : cells / 2
    let widest = Double(8 * model.embeddingLength + 3 * model.feedForwardLength)
    let compute = 4 * Double(plan.batchSize.value) * (scores + widest)
    host.compute = Self.bytes(compute * Double(plan.contextCount))
    host.projector = projectorBytes + projectorBytes / 2
    addUncounted(model: model, hasProjector: projectorBytes > 0, plan: plan)
  }

  /// Keys and values of one sequence, and its running state.
  static func cacheBytes(_ model: ModelFacts, context: Int, cacheType: CacheType) -> Int {
    let perToken = Double(model.keyValueHeads) * Double(model.keyLength + model.valueLength)
    return bytes(
      perToken * cells(context) * cacheType.bytesPerNumber + 4 * Double(model.recurrentLength))
  }

  /// llama.cpp makes contexts in steps of 256 tokens.
  private static func cells(_ context: Int) -> Double { Double((context + 255) / 256 * 256) }

  /// Adds what neither the header nor llama.cpp's own count tells.
  mutating func addUncounted(model: ModelFacts, hasProjector: Bool, plan: DevicePlan) {
    // The CPU backend converts one side of each product first, and the largest are the scores of
    // plain attention: from 4 bytes to 2.
    let context = plan.attention.value == .plain ? plan.contextSize.value : 0
    let widest = max(model.headCount * context, model.feedForwardLength)
    if !plan.usesGPU {
      let converted = 2 * Double(plan.batchSize.value) * Double(widest)
      host.compute += Self.bytes(converted * Double(plan.contextCount))
    }
    vocabulary = Self.vocabularyBytes(model)
    program = Self.programBytes + (hasProjector ? Self.pictureBytes : 0)
  }

  /// Measured with vocabularies of 49,152 and 352 tokens, and with a picture of half a megapixel: what
  /// the process grew by beyond llama.cpp's own buffers.
  private static let bytesPerToken = 700
  private static let programBytes = 8_000_000
  private static let pictureBytes = 20_000_000

  static func vocabularyBytes(_ model: ModelFacts) -> Int { bytesPerToken * model.vocabularySize }

  private static func bytes(_ value: Double) -> Int { Int(min(max(0, value), 1e15)) }
}
