import Fovea
import Testing

@testable import FoveaLlama

/// What fits where, with made-up machines and sizes that are easy to add up.
@Suite("Memory fit")
struct MemoryFitTests {
  private static let mega = 1_000_000

  /// 400 MB of weights, 1 MB for 256 tokens in f16 and half of it in q8_0, and 100 MB of working memory
  /// with plain attention, 10 without.
  private func fit(
    _ limits: [MemoryBudget.Limit], devices: [ComputeDevice] = [], trained: Int = 8_192,
    onDevice: String? = nil, hasProjector: Bool = false, options: LlamaOptions = LlamaOptions()
  ) -> MemoryFit {
    var model = DevicePlanTests.model(parameters: 400_000_000, bytes: 400_000_000, trained: trained)
    model.headCount = 8
    let machine = MachineDescription(
      platform: .linux, processors: ProcessorDescription(logical: 2, physical: 2),
      devices: devices, memory: MemoryBudget(total: 1 << 34, limits: limits))
    return MemoryFit(machine: machine, model: model, hasProjector: hasProjector) { wish in
      var options = options
      if let cache = wish.cache { options.cacheType = cache }
      return DevicePlan(
        machine: machine, model: model, options: options,
        circumstances: DevicePlan.Circumstances(
          contextSize: wish.context.map { .init($0, "it fits") }, savesMemory: wish.savesMemory))
    } estimate: { plan in
      var estimate = MemoryEstimate(source: .dryRun)
      var part = MemoryEstimate.Part()
      part.mappedWeights = 400 * Self.mega
      part.cache = plan.contextSize.value * Self.mega / (plan.cacheType.value == .f16 ? 256 : 512)
      part.compute = (plan.attention.value == .plain ? 100 : 10) * Self.mega
      if let onDevice { estimate.devices[onDevice] = part } else { estimate.host = part }
      return estimate
    }
  }

  private func context(
    _ free: Int, kind: MemoryBudget.Kind = .machine, options: LlamaOptions = LlamaOptions()
  ) throws -> DevicePlan {
    try fit([.init(kind, free: free * Self.mega)], options: options)
      .fitting(path: "m.gguf", options: options)
  }

  private func refusal(_ free: Int, _ options: LlamaOptions = LlamaOptions()) -> FoveaError? {
    #expect(throws: FoveaError.self) { try context(free, options: options) }
  }

  @Test("as wanted where it fits, else without what only makes it faster, else a smaller context")
  func steps() throws {
    let whole = try context(532)
    #expect(whole.contextSize.value == 8_192)
    #expect(whole.attention.value == .plain)
    let saving = try context(531)
    #expect(saving.contextSize.value == 8_192)
    #expect(saving.attention.value == .automatic)
    #expect(try context(442).contextSize.value == 8_192)
    #expect(try context(441).contextSize.value == 31 * 256)
    #expect(try context(412).contextSize.value == 512)
  }

  @Test("what does not fit is refused with both numbers and with what would")
  func refusals() {
    let small = refusal(411)
    #expect(small?.code == .insufficientMemory)
    #expect(
      small?.message
        == "'m.gguf' with a context of 8192 tokens needs 532.0 MB, 411.0 MB are free (machine)")
    #expect(small?.memory == FoveaError.MemoryShortage(needed: 532_000_000, free: 411_000_000))
    #expect(
      small?.fix
        == "use a context of at most 256 tokens, or use a cache in q8_0 and a context of at most "
        + "512 tokens, or free memory")
    let asked = refusal(420, LlamaOptions(contextSize: 4_096))
    #expect(asked?.fix?.contains("at most 2560 tokens") == true, "10 MB for 256 tokens each")
    #expect(asked?.fix?.contains("q8_0 and a context of at most 4096 tokens") == true)
    let quantized = refusal(411, LlamaOptions(contextSize: 4_096, cacheType: .q8_0))
    #expect(quantized?.fix == "use a context of at most 512 tokens, or free memory")
  }

  @Test("a file with fewer bits is advised where one could help")
  func bits() {
    // 412 MB are needed with 8 bits for each parameter.
    #expect(
      refusal(212)?.fix
        == "use a file with at most 4.0 bits for each parameter instead of 8.0, or free memory")
    #expect(refusal(100)?.fix == "use a smaller model, or free memory", "less than 2 bits")
  }

  @Test("mapped weights count, but not against an app; threads count in the address space")
  func kinds() throws {
    #expect(try context(132, kind: .app).contextSize.value == 8_192)
    #expect(try context(132, kind: .app).attention.value == .plain)
    #expect(throws: FoveaError.self) { try context(132, kind: .controlGroup) }
    // Two threads' stacks of 8 MiB, and 48 MB for tables.
    #expect(try context(596, kind: .addressSpace).attention.value == .automatic)
    #expect(try context(597, kind: .addressSpace).attention.value == .plain)
  }

  @Test("the worst of several limits counts")
  func several() throws {
    let limits: [MemoryBudget.Limit] = [
      .init(.machine, free: 5_000 * Self.mega), .init(.controlGroup, free: 420 * Self.mega),
      .init(.addressSpace, free: 560 * Self.mega),
    ]
    let plan = try fit(limits).fitting(path: "m.gguf", options: LlamaOptions())
    #expect(plan.contextSize.value == 2_560)
    #expect(throws: Never.self) {
      try fit([]).fitting(path: "m.gguf", options: LlamaOptions())
    }
  }

  @Test("a card's memory is looked at by itself; Apple's GPU works in the machine's")
  func gpus() throws {
    var card = DevicePlanTests.cuda
    card.freeMemory = 420 * Self.mega
    let room = MemoryBudget.Limit(.machine, free: 20 * Self.mega)
    let onCard = try fit([room], devices: [card], onDevice: "CUDA0")
      .fitting(path: "m.gguf", options: LlamaOptions())
    #expect(onCard.contextSize.value == 2_560)
    let metal = DevicePlanTests.metal(multiplies: true)
    let shared = fit([room], devices: [metal], onDevice: "MTL0")
    #expect(throws: FoveaError.self) {
      try shared.fitting(path: "m.gguf", options: LlamaOptions())
    }
  }

  @Test("a rough estimate does where there is twice as much, and never for a GPU")
  func plenty() {
    func hasPlenty(_ free: Int, _ devices: [ComputeDevice] = []) -> Bool {
      let fit = fit([.init(.machine, free: free * Self.mega)], devices: devices)
      return fit.hasPlenty(fit.plan(MemoryFit.Wish()))
    }
    #expect(hasPlenty(1_064))
    #expect(!hasPlenty(1_063))
    #expect(!hasPlenty(9_000, [DevicePlanTests.cuda]))
    let unknown = fit([])
    #expect(!unknown.hasPlenty(unknown.plan(MemoryFit.Wish())))
  }

  @Test("weights in another order are counted beside the mapped file only in the address space")
  func reordered() {
    func shortage(_ kind: MemoryBudget.Kind) -> MemoryFit.Shortage? {
      let mapped = fit([.init(kind, free: 0)])
      let fit = MemoryFit(
        machine: mapped.machine, model: mapped.model, hasProjector: false, plan: mapped.plan
      ) { plan in
        var estimate = mapped.estimate(plan)
        estimate.host.mappedWeights -= 300 * Self.mega
        estimate.host.weights += 300 * Self.mega
        return estimate
      }
      return fit.shortage(fit.plan(MemoryFit.Wish()))
    }
    #expect(shortage(.machine)?.need == 532 * Self.mega)
    #expect(shortage(.addressSpace)?.need == (532 + 300 + 48) * Self.mega + 2 * (8 << 20))
  }

  @Test("a dry run only where there is room for its tables, twice")
  func dryRun() {
    func hasRoom(_ free: Int, projector: Bool) -> Bool {
      fit([.init(.addressSpace, free: free * Self.mega)], hasProjector: projector).hasRoomForDryRun
    }
    #expect(!hasRoom(95, projector: false))
    #expect(hasRoom(96, projector: false))
    #expect(!hasRoom(435, projector: true))
    #expect(hasRoom(436, projector: true))
  }

  @Test("numbers of bytes")
  func texts() {
    #expect(ByteCount.text(0) == "0 bytes")
    #expect(ByteCount.text(999_999) == "999 kB")
    #expect(ByteCount.text(98_149_999) == "98.1 MB")
    #expect(ByteCount.text(999_949_999) == "999.9 MB")
    #expect(ByteCount.text(999_950_000) == "1.0 GB")
    #expect(ByteCount.text(5_149_999_999) == "5.1 GB")
  }
}
