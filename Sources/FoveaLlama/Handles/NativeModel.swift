internal import Fovea

/// All that llama.cpp holds for one engine.
// Sendable: made on the engine's thread and then used only by its actor, which runs one job at a
// time on that same thread.
final class NativeModel: @unchecked Sendable {
  let weights: ModelHandle
  let projector: ProjectorHandle?
  let context: ContextHandle
  /// The context's memory and what is known of it; requests evaluate through it.
  let memory: ContextMemory
  /// What the projector made of the last images.
  var embeddings = EmbeddingCache()
  /// What was answered about the last images.
  var answers = AnswerCache()
  /// How the model cuts what schemas force.
  var habits = TokenHabits()
  /// How texts that schemas force were tokenised.
  var tokenizations = TokenizationCache()
  /// The tokens that are found by their text in prompts.
  let specialTokens: SpecialTokens

  /// Loads the weights, the projector for them, and makes a context.
  init(
    files: ModelFiles, options: LlamaOptions, chatTemplate: String?,
    cancellation: CancellationFlag
  ) throws(FoveaError) {
    weights = try ModelHandle.load(path: files.model, gpuLayers: options.gpuLayers)
    specialTokens = weights.readSpecialTokens(template: chatTemplate ?? "")
    let threads = options.threads(parameterCount: weights.parameterCount)
    var batchSize = max(1, options.batchSize)
    if let path = files.projector {
      let projector = try ProjectorHandle.load(
        path: path, model: weights, usesGPU: options.gpuLayers != 0, threads: threads)
      // Where an image must be evaluated whole, a batch must hold it: llama.cpp asserts that.
      if projector.needsWholeImageBatch { batchSize = max(batchSize, 2_048) }
      self.projector = projector
    } else {
      projector = nil
    }
    let size =
      options.contextSize
      ?? max(1, min(weights.trainedContextSize, LlamaOptions.largestDefaultContext))
    context = try ContextHandle.make(
      model: weights, size: size, batchSize: min(batchSize, size), threads: threads,
      adaptsThreads: options.threadCount == nil, cancellation: cancellation)
    memory = ContextMemory(context, hasRunningState: weights.hasRunningState)
  }
}
