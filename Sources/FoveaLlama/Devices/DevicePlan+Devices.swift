extension DevicePlan {
  // MARK: Which devices

  static func usableGPUs(
    _ machine: MachineDescription, _ model: ModelFacts, _ options: LlamaOptions
  ) -> Choice<[String]> {
    if let names = options.deviceNames {
      let known = machine.devices.filter { names.contains($0.name) && $0.isGPU }.map(\.name)
      return Choice(known, known.isEmpty ? "no GPU was asked for" : "as asked for")
    }
    if options.gpuLayerCount == 0 { return Choice([], "no layers on a GPU were asked for") }
    let gpus = machine.gpus
    guard !gpus.isEmpty else { return Choice([], "llama.cpp finds no GPU here") }
    let able = gpus.filter { $0.multipliesMatrices != false }
    guard !able.isEmpty else {
      return Choice(
        [],
        "this GPU does not multiply matrices in SIMD groups (A14, M1 and later do), so the CPU "
          + "is faster")
    }
    if options.gpuLayerCount == nil, model.parameterCount < smallestModelForThreads {
      return Choice(
        [], "a model of \(count(model.parameterCount)) parameters is done before a GPU has started")
    }
    let isSeparate = able.contains { $0.kind == .gpu && !$0.sharesMemory }
    return Choice(
      able.map(\.name),
      isSeparate ? "a GPU with memory of its own is the fastest" : "the GPU is faster than the CPU")
  }

  static func gpuLayers(
    _ machine: MachineDescription, _ model: ModelFacts, _ options: LlamaOptions, gpus: [String]
  ) -> Choice<Int> {
    guard !gpus.isEmpty else { return Choice(0, "the CPU computes") }
    if let asked = options.gpuLayerCount { return Choice(asked, "as asked for") }
    let memories = machine.devices.filter { gpus.contains($0.name) }
    guard memories.allSatisfy({ $0.totalMemory > 0 }) else {
      return Choice(-1, "all, since the GPU does not say how much memory it has")
    }
    let free = memories.reduce(0) { $0 + $1.freeMemory }
    let need = model.weightBytes + model.weightBytes / 8
    guard need > free, model.layerCount > 0 else {
      return Choice(-1, "all: \(ByteCount.text(free)) are free on the GPU")
    }
    // One more than there are layers: the output is a matrix of its own.
    let layers = Int(Double(model.layerCount + 1) * Double(free) / Double(need))
    return Choice(
      layers,
      "what fits: \(ByteCount.text(free)) of about \(ByteCount.text(need)) are free on the GPU")
  }

  static func namesDevices(
    _ machine: MachineDescription, _ options: LlamaOptions, gpus: [String]
  ) -> Choice<Bool> {
    let available = machine.gpus.map(\.name)
    if gpus == available, options.deviceNames == nil {
      return Choice(false, available.isEmpty ? "there is no GPU" : "llama.cpp chooses the same")
    }
    return Choice(
      true,
      gpus.isEmpty
        ? "with a GPU in the list, it would still multiply the large matrices of prompts"
        : "only these are to compute")
  }

  // MARK: Memory and attention

  static func contextSize(_ model: ModelFacts, _ options: LlamaOptions) -> Choice<Int> {
    if let asked = options.contextSize { return Choice(asked, "as asked for") }
    let trained = model.trainedContextSize
    guard trained > 0, trained <= LlamaOptions.largestDefaultContext else {
      return Choice(
        LlamaOptions.largestDefaultContext,
        trained > 0 ? "the most that is made unasked" : "the file does not say what it can")
    }
    return Choice(trained, "what the model was trained for")
  }

  /// So many requests share a context unasked, where their caches are this small.
  static let usualParallelRequests = 4
  static let mostCacheBytesUnasked = 256 << 20

  static func parallelRequests(
    _ options: LlamaOptions, _ circumstances: Circumstances, usually: Int, cacheBytes: Int
  ) -> Choice<Int> {
    if let asked = options.parallelRequests { return Choice(asked, "as asked for") }
    let each = ByteCount.text(cacheBytes)
    if circumstances.savesMemory {
      return Choice(1, "there is no memory for more caches of \(each)")
    }
    return cacheBytes <= mostCacheBytesUnasked / usually
      ? Choice(usually, "each takes only \(each) more")
      : Choice(1, "each would take \(each) more")
  }

  static func cacheType(_ options: LlamaOptions) -> Choice<CacheType> {
    switch options.cacheType {
    case .f16: Choice(.f16, "what models are evaluated with")
    case .q8_0: Choice(.q8_0, "as asked for")
    }
  }

  static func attention(
    _ model: ModelFacts, _ options: LlamaOptions, _ circumstances: Circumstances, usesGPU: Bool,
    context: Int, batch: Int
  ) -> Choice<Attention> {
    if options.cacheType == .q8_0 { return Choice(.flash, "a cache in q8_0 needs it") }
    if let asked = options.usesFlashAttention {
      return Choice(asked ? .flash : .plain, "as asked for")
    }
    if circumstances.savesMemory {
      return Choice(.automatic, "there is no memory for the scores of a batch")
    }
    if usesGPU { return Choice(.automatic, "the fastest on a GPU that has it") }
    let scores = Int(min(4 * Double(context) * Double(batch) * Double(model.headCount), 1e15))
    if scores <= mostScoreBytes {
      return Choice(
        .plain, "writes faster on the CPU; the scores of a batch need \(ByteCount.text(scores))")
    }
    return Choice(.automatic, "the scores of a batch would need \(ByteCount.text(scores))")
  }

  /// Scores of a batch up to this size are computed whole. On the CPU flash attention writes a long
  /// text at half the speed, and only pays where the scores would need much memory.
  static let mostScoreBytes = 256 << 20

  static func batchSize(
    _ options: LlamaOptions, _ circumstances: Circumstances, context: Int
  ) -> Choice<Int> {
    var choice = Choice(
      max(1, options.batchSize),
      options.batchSize == LlamaOptions.defaultBatchSize ? "the default" : "as asked for")
    if circumstances.needsWholeImages, choice.value < largestWholeImage {
      choice = Choice(largestWholeImage, "a picture's tokens must be evaluated in one batch")
    }
    if choice.value > context { choice = Choice(context, "the whole context") }
    return choice
  }

  /// llama.cpp ends the process where a picture that must be evaluated whole has more tokens than a
  /// batch.
  static let largestWholeImage = 2_048

  /// 135 M, 4.2 B.
  static func count(_ parameters: Int) -> String {
    parameters >= 1_000_000_000
      ? "\(ByteCount.decimal(parameters, of: 1_000_000_000)) B"
      : "\(ByteCount.decimal(parameters, of: 1_000_000)) M"
  }
}
