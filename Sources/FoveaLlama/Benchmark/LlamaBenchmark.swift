package import Fovea

/// Measures how fast a model is on this machine.
///
///     let benchmark = try await LlamaBenchmark.load(.gguf("model.gguf"))
///     let result = try await benchmark.run { step in … }
///     result.decode.rate.mean     // tokens a second
package struct LlamaBenchmark: Sendable {
  private let engine: LlamaEngine
  private let options: BenchmarkOptions
  private let loadSeconds: Double
  private let clock = ContinuousClock()

  /// Loads the model and takes the time.
  ///
  /// - Throws: What ``LlamaEngine/load(_:options:)`` throws.
  package static func load(
    _ files: ModelFiles, engine engineOptions: LlamaOptions = LlamaOptions(),
    options: BenchmarkOptions = BenchmarkOptions()
  ) async throws(FoveaError) -> LlamaBenchmark {
    try options.validate()
    var engineOptions = engineOptions
    // Each run must do the same work.
    engineOptions.decoding.reusesPrompts = false
    engineOptions.parallelRequests = engineOptions.parallelRequests ?? 1
    let clock = ContinuousClock()
    let start = clock.now
    let engine = try await LlamaEngine.load(files, options: engineOptions)
    let seconds = (clock.now - start) / .seconds(1)
    return LlamaBenchmark(engine: engine, options: options, loadSeconds: seconds)
  }

  private init(engine: LlamaEngine, options: BenchmarkOptions, loadSeconds: Double) {
    self.engine = engine
    self.options = options
    self.loadSeconds = loadSeconds
  }

  /// Runs all tests, one after the other. Cancelling the task stops them.
  ///
  /// - Parameter onProgress: Gets a phrase when a test begins.
  /// - Throws: `.invalidArgument` for tests that do not fit the context, `.unsupportedByModel` for a
  ///   picture that the model cannot see, and what is wrong with the picture.
  package func run(
    onProgress: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(FoveaError) -> BenchmarkResult {
    try check()
    let options = options
    let energy = EnergyCounter()
    let plan = try await engine.withNative { native, _ throws(FoveaError) in native.plan }
    onProgress("evaluating prompts of \(options.promptTokens) tokens")
    let prefill = try await engine.withNative { native, owner throws(FoveaError) in
      try Self.evaluation(native, owner, tokens: options.promptTokens, options) {
        test throws(FoveaError) in
        try test.prefill(tokens: options.promptTokens)
      }
    }
    onProgress("writing \(options.writtenTokens) tokens")
    let decode = try await engine.withNative { native, owner throws(FoveaError) in
      try Self.evaluation(native, owner, tokens: options.writtenTokens, options) {
        test throws(FoveaError) in
        test.clear()
        return try test.decode(tokens: options.writtenTokens)
      }
    }
    var image: BenchmarkResult.Image?
    if let input = options.image {
      onProgress("looking at '\(input.name)'")
      image = try await look(at: input)
    }
    let peakMemory = PeakMemory.read()
    let tuning = options.tunes ? try await tune(onProgress: onProgress) : nil
    return BenchmarkResult(
      model: engine.model, plan: plan, repeats: options.repeats, loadSeconds: loadSeconds,
      prefill: prefill, decode: decode, image: image, tuning: tuning, peakMemory: peakMemory,
      energyUnavailable: energy.unavailable)
  }

  private func check() throws(FoveaError) {
    let size = engine.model.contextSize
    let most = max(options.promptTokens, options.writtenTokens)
    guard most <= size else {
      throw FoveaError(
        .invalidArgument, "\(most) tokens do not fit the context of \(size) tokens",
        fix: "measure fewer tokens, or load the model with a larger context")
    }
    guard options.image == nil || engine.model.supportsImages else {
      throw FoveaError(
        .unsupportedByModel, "'\(engine.model.name)' cannot see images",
        fix: "load it with its projector (the mmproj file), or measure without a picture")
    }
  }

  /// Runs a test once without counting, then as often as asked for.
  private static func evaluation(
    _ native: NativeModel, _ owner: CancellationFlag, tokens: Int, _ options: BenchmarkOptions,
    _ body: (inout EvaluationTest) throws(FoveaError) -> Double
  ) throws(FoveaError) -> BenchmarkResult.Evaluation {
    var test = EvaluationTest(
      weights: native.weights, context: native.context, memory: native.sequences.first,
      owner: owner)
    _ = try body(&test)
    let energy = EnergyCounter()
    let start = energy.read()
    var rates: [Double] = []
    for _ in 0..<options.repeats { rates.append(Double(tokens) / (try body(&test))) }
    let all = Double(tokens * options.repeats)
    return BenchmarkResult.Evaluation(
      tokens: tokens, rate: Samples(rates),
      joulesPerToken: energy.joules(since: start).map { $0 / all })
  }

  private func tune(
    onProgress: @escaping @Sendable (String) -> Void
  ) async throws(FoveaError) -> Tuning? {
    let options = options
    let processors = LoadPlan.machine().processors
    return try await engine.withNative { native, owner throws(FoveaError) in
      var tuner = Tuner(
        weights: native.weights, plan: native.plan, processors: processors, options: options,
        needsWholeImages: native.projector?.needsWholeImageBatch ?? false,
        owner: owner, executor: native.executor, onProgress: onProgress)
      return try tuner.run()
    }
  }

  // MARK: Pictures

  private func look(at input: ImageInput) async throws(FoveaError) -> BenchmarkResult.Image {
    let model = LanguageModel(engine: engine)
    let instruction = engine.model.defaultInstruction ?? "Describe this picture."
    let response = ResponseOptions(maxTokens: 1, sampling: SamplingOptions(), thinking: .off)
    var decoding: [Double] = []
    var encoding: [Double] = []
    var firstToken: [Double] = []
    var sizes = (width: 0, height: 0, tokens: 0, promptTokens: 0)
    for round in 0...options.repeats {
      let start = clock.now
      let pixels = try model.fit(input)
      let decoded = clock.now
      let message = Message(.user, [.image(pixels), .text(instruction)])
      let result = try await model.respond(to: [message], options: response)
      let answered = clock.now
      let encoded = try await engine.withNative { native, owner throws(FoveaError) in
        try Self.encode(pixels, native, owner)
      }
      sizes = (pixels.width, pixels.height, encoded.tokens, result.usage.promptTokens)
      if round == 0 { continue }
      decoding.append((decoded - start) / .seconds(1))
      firstToken.append((answered - start) / .seconds(1))
      encoding.append(encoded.seconds)
    }
    return BenchmarkResult.Image(
      name: input.name, width: sizes.width, height: sizes.height, tokens: sizes.tokens,
      promptTokens: sizes.promptTokens, decoding: Samples(decoding), encoding: Samples(encoding),
      firstToken: Samples(firstToken))
  }

  /// Makes embeddings of pixels, all tiles of them.
  private static func encode(
    _ pixels: PixelImage, _ native: NativeModel, _ owner: CancellationFlag
  ) throws(FoveaError) -> (seconds: Double, tokens: Int) {
    guard let projector = native.projector else {
      throw FoveaError(.unsupportedByModel, "the model cannot see images", fix: "load a projector")
    }
    let clock = ContinuousClock()
    let start = clock.now
    let chunks = try projector.chunks(of: [.image(pixels)])
    var tokens = 0
    for index in 0..<chunks.count where chunks.isImage(index) {
      _ = try projector.encode(chunks, index, for: owner)
      tokens += chunks.tokenCount(index)
    }
    return ((clock.now - start) / .seconds(1), tokens)
  }
}
