internal import Fovea

/// All that one lane evaluates with: the loaded model, a context, and what is remembered for it.
// Sendable: made on one thread and then used only by its lane, which runs one job at a time.
final class NativeModel: @unchecked Sendable {
  let loaded: LoadedModel
  let context: ContextHandle
  /// Runs what uses all this.
  let executor: EngineExecutor
  /// Brings together what requests evaluate.
  let scheduler: BatchScheduler
  /// The context's memory and what is known of it; each request evaluates in a sequence of it.
  let sequences: SequencePool
  /// What was answered about the last images.
  var answers = AnswerCache()
  /// How the model cuts what schemas force.
  var habits = TokenHabits()
  /// How texts that schemas force were tokenised.
  var tokenizations = TokenizationCache()

  var weights: ModelHandle { loaded.weights }
  var projector: ProjectorHandle? { loaded.projector }
  var plan: DevicePlan { loaded.plan }

  /// Makes a context for a loaded model.
  init(_ loaded: LoadedModel, executor: EngineExecutor) throws(FoveaError) {
    self.loaded = loaded
    self.executor = executor
    context = try ContextHandle.make(model: loaded.weights, plan: loaded.plan)
    scheduler = BatchScheduler(context, executor: executor)
    sequences = SequencePool(
      context, scheduler: scheduler, hasRunningState: loaded.weights.hasRunningState)
  }
}
