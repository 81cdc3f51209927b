internal import Fovea

/// All that llama.cpp holds for one engine.
// Sendable: made on the engine's thread and then used only by its actor, which runs one job at a
// time on that same thread.
final class NativeModel: @unchecked Sendable {
  let weights: ModelHandle
  let projector: ProjectorHandle?
  /// Makes what the model sees of pictures; nil: it cannot see any.
  let encoder: PictureEncoder?
  let context: ContextHandle
  /// Runs what uses all this.
  let executor: EngineExecutor
  /// Brings together what requests evaluate.
  let scheduler: BatchScheduler
  /// The context's memory and what is known of it; each request evaluates in a sequence of it.
  let sequences: SequencePool
  /// The pictures that are encoded at present.
  let encodings = EncodingsUnderway()
  /// What the projector made of the last pictures.
  var embeddings: EmbeddingCache
  /// What was answered about the last images.
  var answers = AnswerCache()
  /// How the model cuts what schemas force.
  var habits = TokenHabits()
  /// How texts that schemas force were tokenised.
  var tokenizations = TokenizationCache()
  /// The tokens that are found by their text in prompts.
  let specialTokens: SpecialTokens

  /// How the model is computed.
  let plan: DevicePlan

  /// Loads the weights, the projector for them, and makes a context.
  ///
  /// - Throws: `.insufficientMemory` before anything is loaded, where it can be foreseen.
  init(
    files: ModelFiles, load: LoadPlan, chatTemplate: String?, keepsEmbeddings: Bool,
    executor: EngineExecutor
  ) throws(FoveaError) {
    var load = load
    if let refusal = load.refusal { throw refusal }
    weights = try ModelHandle.load(
      path: files.model, gpuLayers: load.plan.layerCount, devices: load.plan.deviceList)
    specialTokens = weights.readSpecialTokens(template: chatTemplate ?? "")
    if let path = files.projector {
      let projector = try ProjectorHandle.load(
        path: path, model: weights, plan: load.plan)
      // Where an image must be evaluated whole, a batch must hold it: llama.cpp asserts that.
      if projector.needsWholeImageBatch { load = try load.forWholeImages() }
      if let refusal = load.refusal { throw refusal }
      self.projector = projector
    } else {
      projector = nil
    }
    embeddings = keepsEmbeddings ? EmbeddingCache() : EmbeddingCache(capacity: 0)
    plan = load.plan
    let besides = plan.encodesBeside.value
    encoder = projector.map { PictureEncoder($0, isBeside: besides) }
    context = try ContextHandle.make(model: weights, plan: plan)
    self.executor = executor
    scheduler = BatchScheduler(context, executor: executor)
    sequences = SequencePool(
      context, scheduler: scheduler, hasRunningState: weights.hasRunningState)
  }
}
