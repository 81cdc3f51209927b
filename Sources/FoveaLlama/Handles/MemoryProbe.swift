internal import CLlama
internal import CLlamaShim
internal import Fovea

/// Asks llama.cpp what a model would take, without loading it: everything is laid out as for a load,
/// but no buffer is made. Reading the vocabulary is most of the work, some milliseconds to a tenth of
/// a second; each further plan takes a few milliseconds.
final class MemoryProbe {
  private let weights: ModelHandle
  private let model: ModelFacts
  private let projector: [Row]

  private struct Row {
    let device: String
    let isMapped: Bool
    let weights, context, compute: Int
  }

  /// Lays out a model and measures its projector; nil where this build of llama.cpp cannot tell, or
  /// the files are such that a load will say what is wrong with them.
  ///
  /// - Parameter extent: `.whole` measures what is really allocated, for tests.
  init?(
    files: ModelFiles, model: ModelFacts, plan: DevicePlan, extent: ModelHandle.Extent = .layout
  ) {
    guard let weights = Self.load(files.model, plan: plan, extent: extent) else { return nil }
    self.weights = weights
    self.model = model
    if let path = files.projector {
      guard let rows = Self.projectorRows(path, plan: plan) else { return nil }
      projector = rows
    } else {
      projector = []
    }
  }

  /// Whether the projector wants all tokens of a picture in one batch: it says so only once it is
  /// loaded, so there must be memory for it.
  static func needsWholeImages(_ files: ModelFiles, plan: DevicePlan) -> Bool {
    guard let path = files.projector,
      let weights = load(files.model, plan: plan, extent: .layout)
    else { return false }
    // A file that cannot be loaded is told by the load that follows.
    let projector = try? ProjectorHandle.load(path: path, model: weights, plan: plan)
    return projector?.needsWholeImageBatch ?? false
  }

  private static func load(
    _ path: String, plan: DevicePlan, extent: ModelHandle.Extent
  ) -> ModelHandle? {
    // A file that cannot be loaded is told by the load that follows.
    try? ModelHandle.load(
      path: path, gpuLayers: plan.layerCount, devices: plan.deviceList, extent: extent)
  }

  private static func projectorRows(_ path: String, plan: DevicePlan) -> [Row]? {
    var parameters = plan.projectorParameters
    parameters.warmup = true  // lays out the work on a picture, too
    let rows = rows { rows, capacity, message, length in
      fovea_projector_memory(path, parameters, rows, capacity, message, length)
    }
    return rows?.isEmpty == false ? rows : nil
  }

  /// What the plan would take; nil where llama.cpp cannot make such a context.
  func estimate(_ plan: DevicePlan) -> MemoryEstimate? {
    let (pointer, _) = Native.call {
      fovea_context_init(weights.pointer, plan.contextParameters, $0, $1)
    }
    guard let pointer else { return nil }
    defer { fovea_context_free(pointer) }
    let rows = Self.rows { rows, capacity, message, length in
      fovea_context_memory(pointer, rows, capacity, message, length)
    }
    guard let rows, !rows.isEmpty else { return nil }
    var estimate = MemoryEstimate(source: .dryRun)
    for row in rows {
      Self.change(&estimate, row.device) { part in
        if row.isMapped { part.mappedWeights += row.weights } else { part.weights += row.weights }
        part.cache += row.context * plan.contextCount
        part.compute += row.compute * plan.contextCount
      }
    }
    for row in projector {
      Self.change(&estimate, row.device) { $0.projector += row.weights }
    }
    estimate.addUncounted(model: model, hasProjector: !projector.isEmpty, plan: plan)
    return estimate
  }

  private static func change(
    _ estimate: inout MemoryEstimate, _ device: String, _ body: (inout MemoryEstimate.Part) -> Void
  ) {
    if device.isEmpty {
      body(&estimate.host)
    } else {
      body(&estimate.devices[device, default: .init()])
    }
  }

  private static func rows(
    _ call: (UnsafeMutablePointer<fovea_buffer_use>?, Int, UnsafeMutablePointer<CChar>, Int) ->
      Int32
  ) -> [Row]? {
    var buffer = [fovea_buffer_use](repeating: fovea_buffer_use(), count: 64)
    let count = buffer.withUnsafeMutableBufferPointer { room in
      Native.call { call(room.baseAddress, room.count, $0, $1) }.result
    }
    guard count >= 0 else { return nil }
    return buffer.prefix(Int(count)).map { row in
      var device = row.device
      let name = withUnsafeBytes(of: &device) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return Row(
        device: name, isMapped: row.can_be_mapped, weights: row.weights, context: row.context,
        compute: row.compute)
    }
  }
}
