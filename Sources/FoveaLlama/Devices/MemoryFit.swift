internal import Fovea

/// Whether what is planned fits into memory, and what would.
struct MemoryFit {
  /// What may differ from what the options ask for; by default nothing.
  struct Wish {
    var context: Int?
    var cache: CacheType?
    var savesMemory = false
  }

  let machine: MachineDescription
  let model: ModelFacts
  let hasProjector: Bool
  let plan: (Wish) -> DevicePlan
  let estimate: (DevicePlan) -> MemoryEstimate

  /// The least context that is made unasked.
  static let smallestDefaultContext = 512
  /// llama.cpp makes contexts in steps of this size.
  private static let step = 256
  /// What each thread takes of the address space: its stack.
  private static let stack = 8 << 20
  /// Address space for llama.cpp's graphs and tables, most of it never touched, as measured: 43 MB
  /// for a model of 30 layers, and 162 MB while a projector is loaded.
  private static let graphs = 48_000_000
  private static let projectorGraphs = 170_000_000
  /// A rough estimate will do where it is so many times less than what is free.
  private static let plenty = 2

  /// Where the need is greater than what is free.
  struct Shortage: Hashable {
    /// What limits the memory, for people.
    var place: String
    var need: Int
    var free: Int
  }

  /// The greatest shortage; nil: it fits.
  func shortage(_ plan: DevicePlan) -> Shortage? {
    needs(of: plan).filter { $0.need > $0.free }.max { $0.need - $0.free < $1.need - $1.free }
  }

  /// Whether there is so much room that a rough estimate will do. What a GPU takes is only known
  /// exactly.
  func hasPlenty(_ plan: DevicePlan) -> Bool {
    let needs = needs(of: plan)
    return !plan.usesGPU && !needs.isEmpty
      && needs.allSatisfy { $0.free / Self.plenty >= $0.need }
  }

  /// Whether llama.cpp can lay the model out: it has no way to say that there is no memory for its
  /// own tables, and ends the process.
  var hasRoomForDryRun: Bool {
    let tables =
      Self.graphs + (hasProjector ? Self.projectorGraphs : 0)
      + MemoryEstimate.vocabularyBytes(model)
    return machine.memory.limits.allSatisfy { $0.free >= 2 * tables }
  }

  private func needs(of plan: DevicePlan) -> [Shortage] {
    let estimate = estimate(plan)
    var needs = machine.memory.limits.map { limit in
      var need = estimate.hostNeed(
        sharedBy: machine.devices, countingMappedFiles: limit.kind.countsMappedFiles)
      if limit.kind == .addressSpace {
        let contexts = plan.contextCount
        need += contexts * (Self.stack * max(plan.threads.value, plan.batchThreads.value))
        need += contexts * Self.graphs + (hasProjector ? Self.projectorGraphs : 0)
        // The whole file is mapped, also weights that are then copied in another order.
        need += max(0, model.weightBytes - estimate.host.mappedWeights)
      }
      return Shortage(place: limit.kind.rawValue, need: need, free: limit.free)
    }
    for device in machine.devices where !device.sharesMemory && device.totalMemory > 0 {
      guard let part = estimate.devices[device.name] else { continue }
      needs.append(Shortage(place: device.name, need: part.total, free: device.freeMemory))
    }
    return needs
  }

  /// The plan as wanted, or one that takes less where the options leave it open.
  ///
  /// - Throws: `.insufficientMemory` with what would fit.
  func fitting(path: String, options: LlamaOptions) throws(FoveaError) -> DevicePlan {
    let wanted = plan(Wish())
    guard let first = shortage(wanted) else { return wanted }
    let saving = plan(Wish(savesMemory: true))
    if shortage(saving) == nil { return saving }
    let size = wanted.contextSize.value
    let largest = largestContext(below: size)
    if options.contextSize == nil, let largest, largest >= Self.smallestDefaultContext {
      return plan(Wish(context: largest, savesMemory: true))
    }
    throw error(path: path, context: size, shortage: first, largest: largest, options: options)
  }

  /// The largest context that fits where `size` does not; nil: none does.
  func largestContext(below size: Int, cache: CacheType? = nil) -> Int? {
    var low = 0
    var high = (size + Self.step - 1) / Self.step
    while high - low > 1 {
      let middle = (low + high) / 2
      let wish = Wish(context: middle * Self.step, cache: cache, savesMemory: true)
      if shortage(plan(wish)) == nil { low = middle } else { high = middle }
    }
    return low > 0 ? low * Self.step : nil
  }

  // MARK: What would fit

  private func error(
    path: String, context: Int, shortage: Shortage, largest: Int?, options: LlamaOptions
  ) -> FoveaError {
    var fixes: [String] = []
    if let largest { fixes.append("use a context of at most \(largest) tokens") }
    let parallel = options.parallelRequests ?? 1
    if parallel > 1 { fixes.append("evaluate fewer than \(parallel) requests together") }
    if options.cacheType == .f16, options.usesFlashAttention != false, model.canQuantizeCache,
      let quantized = largestQuantized(upTo: context), quantized > largest ?? 0
    {
      fixes.append("use a cache in q8_0 and a context of at most \(quantized) tokens")
    }
    if fixes.isEmpty, let bits = bitsThatFit() {
      fixes.append(
        "use a file with at most \(bits.fitting) bits for each parameter instead of \(bits.present)"
      )
    }
    if fixes.isEmpty { fixes.append("use a smaller model") }
    let contexts = parallel == 1 ? "a context" : "\(parallel) contexts"
    return FoveaError(
      .insufficientMemory,
      "'\(path)' with \(contexts) of \(context) tokens needs \(ByteCount.text(shortage.need)), "
        + "\(ByteCount.text(shortage.free)) are free (\(shortage.place))",
      fix: fixes.joined(separator: ", or ") + ", or free memory",
      memory: FoveaError.MemoryShortage(needed: shortage.need, free: shortage.free))
  }

  private func largestQuantized(upTo size: Int) -> Int? {
    let whole = plan(Wish(context: size, cache: .q8_0, savesMemory: true))
    return shortage(whole) == nil ? size : largestContext(below: size, cache: .q8_0)
  }

  /// The bits for each parameter that would leave room for the least context.
  private func bitsThatFit() -> (fitting: String, present: String)? {
    let least = plan(Wish(context: Self.smallestDefaultContext, savesMemory: true))
    guard model.parameterCount > 0, let short = shortage(least) else { return nil }
    func tenths(_ bytes: Int) -> Int { Int(80 * Double(bytes) / Double(model.parameterCount)) }
    let fitting = tenths(model.weightBytes - (short.need - short.free))
    // Hardly any model is of use with less than 2 bits.
    guard fitting >= 20 else { return nil }
    return (
      ByteCount.decimal(fitting, of: 10), ByteCount.decimal(tenths(model.weightBytes), of: 10)
    )
  }
}
