internal import Fovea

/// What is loaded once and serves all requests: weights and projector.
// Sendable: nothing of it changes once it is loaded, but for what the projector computes, which its
// PictureEncoder does in turn.
final class LoadedModel: @unchecked Sendable {
  let weights: ModelHandle
  let projector: ProjectorHandle?
  /// The tokens that are found by their text in prompts.
  let specialTokens: SpecialTokens
  /// How the model is computed.
  let plan: DevicePlan

  /// Loads the weights and the projector for them.
  ///
  /// - Throws: `.insufficientMemory` before anything is loaded, where it can be foreseen.
  init(files: ModelFiles, load: LoadPlan, chatTemplate: String?) throws(FoveaError) {
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
    plan = load.plan
  }
}
