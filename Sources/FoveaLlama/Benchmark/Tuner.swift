internal import Fovea

/// Tries other numbers of threads, both kinds of attention, and other batches, each in a context of
/// its own beside the engine's. Runs on the engine's thread.
struct Tuner {
  let weights: ModelHandle
  let plan: DevicePlan
  let processors: ProcessorDescription
  let options: BenchmarkOptions
  /// Whether pictures dictate the batch.
  let needsWholeImages: Bool
  let owner: CancellationFlag
  let executor: EngineExecutor
  let onProgress: @Sendable (String) -> Void

  private var prefill: [Tuning.Trial] = []
  private var decode: [Tuning.Trial] = []

  init(
    weights: ModelHandle, plan: DevicePlan, processors: ProcessorDescription,
    options: BenchmarkOptions, needsWholeImages: Bool, owner: CancellationFlag,
    executor: EngineExecutor,
    onProgress: @escaping @Sendable (String) -> Void
  ) {
    self.weights = weights
    self.plan = plan
    self.processors = processors
    self.options = options
    self.needsWholeImages = needsWholeImages
    self.owner = owner
    self.executor = executor
    self.onProgress = onProgress
  }

  /// Tries all and chooses.
  mutating func run() throws(FoveaError) -> Tuning? {
    let usual = plan.batchSize.value
    for usesFlash in plan.cacheType.value == .q8_0 ? [true] : [false, true] {
      for threads in Self.threadCounts(processors, planned: plan.threads.value) {
        try measure(threads: threads, batchSize: usual, usesFlash: usesFlash, writes: true)
      }
      // The batch changes little about which number of threads is best.
      let trials = prefill.filter { $0.usesFlashAttention == usesFlash }
      guard let best = trials.max(by: { $0.rate.median < $1.rate.median }) else { continue }
      for size in batchSizes where size != usual {
        try measure(threads: best.threads, batchSize: size, usesFlash: usesFlash, writes: false)
      }
    }
    return Tuning(
      prefill: prefill, decode: decode, promptTokens: options.promptTokens,
      writtenTokens: options.writtenTokens)
  }

  /// 1, 2, 4 and so on, all cores, all processors, and what is planned.
  static func threadCounts(_ processors: ProcessorDescription, planned: Int) -> [Int] {
    var counts: Set = [
      1, planned, min(processors.physical, processors.logical), processors.logical,
    ]
    var power = 2
    while power < processors.logical {
      counts.insert(power)
      power *= 2
    }
    return counts.sorted()
  }

  /// Batches that the prompt fills.
  private var batchSizes: [Int] {
    needsWholeImages ? [] : [64, 128, 256, 512, 1_024, 2_048].filter { $0 <= options.promptTokens }
  }

  /// Whether runs are so much slower than an earlier trial that more of them would tell nothing new:
  /// threads that wait for a core which another program holds take minutes.
  private static func isFarBehind(_ rates: [Double], of trials: [Tuning.Trial]) -> Bool {
    guard let best = trials.map(\.rate.median).max() else { return false }
    return Samples(rates).median * farBehind < best
  }

  private static let farBehind = 3.0

  private mutating func measure(
    threads: Int, batchSize: Int, usesFlash: Bool, writes: Bool
  ) throws(FoveaError) {
    onProgress(
      "trying \(threads) threads, batches of \(batchSize), "
        + "flash attention \(usesFlash ? "on" : "off")")
    var plan = plan
    plan.threads.value = threads
    plan.batchThreads.value = threads
    plan.adaptsThreads.value = false
    plan.batchSize.value = batchSize
    plan.attention.value = usesFlash ? .flash : .plain
    plan.parallelRequests.value = 1
    plan.contextSize.value = max(batchSize, options.promptTokens + options.writtenTokens)
    let context = try ContextHandle.make(model: weights, plan: plan)
    var test = EvaluationTest(
      weights: weights, context: context,
      memory: ContextMemory(
        context, sequence: 0,
        scheduler: BatchScheduler(context, executor: executor),
        hasRunningState: weights.hasRunningState),
      owner: owner)
    var prompts: [Double] = []
    var texts: [Double] = []
    for round in 0...options.repeats {
      let prompt = try test.prefill(tokens: options.promptTokens)
      let text = writes ? try test.decode(tokens: round == 0 ? 1 : options.writtenTokens) : nil
      if round == 0 { continue }
      prompts.append(Double(options.promptTokens) / prompt)
      if let text { texts.append(Double(options.writtenTokens) / text) }
      let isHopeless =
        Self.isFarBehind(prompts, of: prefill) && (!writes || Self.isFarBehind(texts, of: decode))
      if isHopeless { break }
    }
    func trial(_ rates: [Double]) -> Tuning.Trial {
      Tuning.Trial(
        threads: threads, batchSize: batchSize, usesFlashAttention: usesFlash,
        rate: Samples(rates))
    }
    prefill.append(trial(prompts))
    if writes { decode.append(trial(texts)) }
  }
}
