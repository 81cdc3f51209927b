package import Fovea

/// All that is decided before a model is loaded: how it is computed here, and what memory it takes.
package struct LoadPlan {
  /// What the machine has.
  package let machine: MachineDescription
  /// What the model's header says.
  package let model: ModelFacts
  /// How it is computed.
  package let plan: DevicePlan
  /// The memory that it takes.
  package let estimate: MemoryEstimate
  /// Why it cannot be loaded; nil: it can.
  package let refusal: FoveaError?

  private let files: ModelFiles
  private let projector: ModelFacts?
  private let options: LlamaOptions

  /// What the machine has, without a model.
  package static func machine() -> MachineDescription { SystemReading.machine() }

  /// Plans a load and looks exactly, for people who want to know.
  ///
  /// - Throws: `.fileNotReadable`, `.invalidModel`, `.invalidProjector`, `.invalidArgument`,
  ///   `.unsupportedByModel`. What does not fit is no error here: see ``refusal``.
  package static func inspect(
    _ files: ModelFiles, options: LlamaOptions = LlamaOptions()
  ) throws(FoveaError) -> LoadPlan {
    try options.validate()
    let model = try ModelFileCheck(path: files.model, role: .model).facts
    var projector: ModelFacts?
    if let path = files.projector {
      projector = try ModelFileCheck(path: path, role: .projector).facts
    }
    let load = try LoadPlan(
      files: files, model: model, projector: projector, options: options,
      machine: SystemReading.machine(), isExact: true)
    guard projector != nil, load.refusal == nil,
      MemoryProbe.needsWholeImages(files, plan: load.plan)
    else { return load }
    return try load.forWholeImages(isExact: true)
  }

  /// Plans a load.
  ///
  /// - Throws: `.invalidArgument`, `.unsupportedByModel`. What does not fit is no error here: see
  ///   ``refusal``.
  init(
    files: ModelFiles, model: ModelFacts, projector: ModelFacts?, options: LlamaOptions
  ) throws(FoveaError) {
    try self.init(
      files: files, model: model, projector: projector, options: options,
      machine: SystemReading.machine())
  }

  /// The plan for a projector that turned out to need each picture in one batch: known once it is
  /// loaded. What was free before that still counts.
  func forWholeImages(isExact: Bool = false) throws(FoveaError) -> LoadPlan {
    try LoadPlan(
      files: files, model: model, projector: projector, options: options, machine: machine,
      needsWholeImages: true, isExact: isExact)
  }

  /// - Parameter isExact: Whether llama.cpp is asked although there is plenty of memory.
  private init(
    files: ModelFiles, model: ModelFacts, projector: ModelFacts?, options: LlamaOptions,
    machine: MachineDescription, needsWholeImages: Bool = false, isExact: Bool = false
  ) throws(FoveaError) {
    try Self.check(options, machine: machine, model: model, path: files.model)
    self.files = files
    self.projector = projector
    self.options = options
    self.machine = machine
    self.model = model
    func plan(_ wish: MemoryFit.Wish) -> DevicePlan {
      var options = options
      if let cache = wish.cache { options.cacheType = cache }
      return DevicePlan(
        machine: machine, model: model, options: options,
        circumstances: DevicePlan.Circumstances(
          needsWholeImages: needsWholeImages,
          contextSize: wish.context.map { .init($0, "the most that fits into memory") },
          savesMemory: wish.savesMemory))
    }
    func rough(_ plan: DevicePlan) -> MemoryEstimate {
      MemoryEstimate(model: model, projectorBytes: projector?.weightBytes ?? 0, plan: plan)
    }
    let roughly = MemoryFit(
      machine: machine, model: model, hasProjector: projector != nil, plan: plan, estimate: rough)
    let wanted = plan(MemoryFit.Wish())
    if !isExact, !options.checksMemory || roughly.hasPlenty(wanted) {
      (self.plan, estimate, refusal) = (wanted, rough(wanted), nil)
      return
    }
    let probe =
      roughly.hasRoomForDryRun ? MemoryProbe(files: files, model: model, plan: wanted) : nil
    let fit = MemoryFit(
      machine: machine, model: model, hasProjector: projector != nil, plan: plan
    ) { probe?.estimate($0) ?? rough($0) }
    do throws(FoveaError) {
      let fitting =
        options.checksMemory ? try fit.fitting(path: files.model, options: options) : wanted
      (self.plan, estimate, refusal) = (fitting, fit.estimate(fitting), nil)
    } catch {
      (self.plan, estimate, refusal) = (wanted, fit.estimate(wanted), error)
    }
  }

  /// What the options ask for and the machine or the model does not have.
  private static func check(
    _ options: LlamaOptions, machine: MachineDescription, model: ModelFacts, path: String
  ) throws(FoveaError) {
    let gpus = machine.devices.filter(\.isGPU).map(\.name)
    if let unknown = options.deviceNames?.first(where: { !gpus.contains($0) }) {
      throw FoveaError(
        .invalidArgument, "llama.cpp finds no GPU called '\(unknown)' here",
        fix: gpus.isEmpty ? "name none: it finds no GPU" : "name \(gpus.joined(separator: " or "))")
    }
    if options.cacheType == .q8_0, !model.canQuantizeCache {
      throw FoveaError(
        .unsupportedByModel,
        "keys of \(model.keyLength) and values of \(model.valueLength) numbers, as '\(path)' has "
          + "them, cannot be kept in q8_0, which takes 32 at a time",
        fix: "keep the cache in f16")
    }
  }
}
