import Testing

@testable import FoveaLlama

/// What is chosen on which machine for which model: tables of made-up machines.
@Suite("Device plan")
struct DevicePlanTests {
  // MARK: Machines and models

  static let cpu = ComputeDevice(name: "CPU", description: "a processor", kind: .cpu)
  static let cuda = ComputeDevice(
    name: "CUDA0", description: "a card", kind: .gpu, freeMemory: 8_000_000_000,
    totalMemory: 12_000_000_000)
  static let vulkan = ComputeDevice(
    name: "Vulkan0", description: "in the processor", kind: .integratedGPU,
    freeMemory: 8_000_000_000, totalMemory: 16_000_000_000)

  static func metal(multiplies: Bool) -> ComputeDevice {
    ComputeDevice(
      name: "MTL0", description: "Apple", kind: .gpu, freeMemory: 4_000_000_000,
      totalMemory: 5_000_000_000, multipliesMatrices: multiplies)
  }

  static func machine(
    _ devices: [ComputeDevice] = [], logical: Int = 8, physical: Int? = nil,
    performance: Int? = nil, quota: Double? = nil
  ) -> MachineDescription {
    MachineDescription(
      platform: .linux,
      processors: ProcessorDescription(
        logical: logical, physical: physical ?? logical, performance: performance, quota: quota),
      devices: [cpu] + devices,
      memory: MemoryBudget(total: 16 << 30, limits: [.init(.machine, free: 12 << 30)]))
  }

  static func model(
    parameters: Int = 4_000_000_000, bytes: Int = 2_500_000_000, trained: Int = 32_768,
    heads: Int = 32
  ) -> ModelFacts {
    var model = ModelFacts()
    model.parameterCount = parameters
    model.weightBytes = bytes
    model.layerCount = 36
    model.headCount = heads
    model.keyValueHeads = 36 * 8
    model.keyLength = 128
    model.valueLength = 128
    model.trainedContextSize = trained
    return model
  }

  static let tiny = model(parameters: 1_300_000, bytes: 2_500_000, trained: 2_048, heads: 5)

  // MARK: Devices

  struct DeviceCase: CustomTestStringConvertible {
    let name: String
    let devices: [ComputeDevice]
    var options = LlamaOptions()
    var model = DevicePlanTests.model()
    /// What is expected.
    let uses: [String]
    let layers: Int
    let names: Bool
    let reason: String

    var testDescription: String { name }
  }

  static let deviceCases = [
    DeviceCase(
      name: "no GPU", devices: [], uses: [], layers: 0, names: false, reason: "finds no GPU"),
    DeviceCase(
      name: "a card", devices: [cuda], uses: ["CUDA0"], layers: -1, names: false,
      reason: "memory of its own"),
    DeviceCase(
      name: "a card beside an integrated GPU", devices: [vulkan, cuda], uses: ["CUDA0"],
      layers: -1, names: false, reason: "memory of its own"),
    DeviceCase(
      name: "an integrated GPU alone", devices: [vulkan], uses: ["Vulkan0"], layers: -1,
      names: false, reason: "faster than the CPU"),
    DeviceCase(
      name: "an A14 or later", devices: [metal(multiplies: true)], uses: ["MTL0"], layers: -1,
      names: false, reason: "faster than the CPU"),
    DeviceCase(
      name: "an A13 or earlier: the GPU must not even be listed",
      devices: [metal(multiplies: false)], uses: [], layers: 0, names: true,
      reason: "SIMD groups"),
    DeviceCase(
      name: "no layers asked for: the GPU must not even be listed",
      devices: [metal(multiplies: true)], options: LlamaOptions(gpuLayerCount: 0), uses: [],
      layers: 0, names: true, reason: "asked for"),
    DeviceCase(
      name: "some layers asked for", devices: [cuda], options: LlamaOptions(gpuLayerCount: 12),
      uses: ["CUDA0"], layers: 12, names: false, reason: "memory of its own"),
    DeviceCase(
      name: "another device asked for", devices: [cuda, vulkan],
      options: LlamaOptions(deviceNames: ["Vulkan0"]), uses: ["Vulkan0"], layers: -1, names: true,
      reason: "as asked for"),
    DeviceCase(
      name: "no device asked for", devices: [cuda], options: LlamaOptions(deviceNames: []),
      uses: [], layers: 0, names: true, reason: "no GPU was asked for"),
    DeviceCase(
      name: "a tiny model", devices: [metal(multiplies: true)], model: tiny, uses: [], layers: 0,
      names: true, reason: "before a GPU has started"),
    DeviceCase(
      name: "a tiny model, layers asked for", devices: [cuda],
      options: LlamaOptions(gpuLayerCount: 4), model: tiny, uses: ["CUDA0"], layers: 4,
      names: false, reason: "memory of its own"),
    DeviceCase(
      name: "a model that fits the card in part", devices: [cuda],
      model: model(bytes: 14_222_222_223), uses: ["CUDA0"], layers: 18, names: false,
      reason: "memory of its own"),
  ]

  @Test("devices, layers, and whether the list is given", arguments: deviceCases)
  func devices(_ row: DeviceCase) {
    let plan = DevicePlan(
      machine: Self.machine(row.devices), model: row.model, options: row.options)
    #expect(plan.devices.value == row.uses)
    #expect(plan.gpuLayers.value == row.layers)
    #expect(plan.namesDevices.value == row.names)
    #expect(plan.projectorDevice == (row.names ? row.uses.first : nil))
    #expect(plan.devices.reason.contains(row.reason))
  }

  // MARK: Threads

  struct ThreadCase: CustomTestStringConvertible {
    let name: String
    let machine: MachineDescription
    var options = LlamaOptions()
    var model = DevicePlanTests.model()
    let threads: Int
    let batch: Int
    let reason: String

    var testDescription: String { name }
  }

  static let threadCases = [
    ThreadCase(
      name: "eight cores", machine: machine(), threads: 8, batch: 8, reason: "each core"),
    ThreadCase(
      name: "two threads on each of four cores", machine: machine(logical: 8, physical: 4),
      threads: 4, batch: 4, reason: "each core"),
    ThreadCase(
      name: "six fast cores and eight slow ones",
      machine: machine(logical: 20, physical: 14, performance: 6), threads: 6, batch: 6,
      reason: "each fast core"),
    ThreadCase(
      name: "a server", machine: machine(logical: 64, physical: 32), threads: 8, batch: 16,
      reason: "no faster"),
    ThreadCase(
      name: "twelve cores", machine: machine(logical: 12), threads: 8, batch: 12,
      reason: "no faster"),
    ThreadCase(
      name: "a quota of 2.5 processors", machine: machine(quota: 2.5), threads: 2, batch: 2,
      reason: "grants 2.5 processors"),
    ThreadCase(
      name: "a quota of half a processor", machine: machine(quota: 0.5), threads: 1, batch: 1,
      reason: "grants 0.5 processors"),
    ThreadCase(
      name: "a quota above the cores", machine: machine(logical: 2, quota: 4), threads: 2,
      batch: 2, reason: "each core"),
    ThreadCase(
      name: "fewer processors allowed than cores", machine: machine(logical: 3, physical: 4),
      threads: 3, batch: 3, reason: "may use"),
    ThreadCase(
      name: "a tiny model", machine: machine(), model: tiny, threads: 1, batch: 1,
      reason: "1.3 M"),
    ThreadCase(
      name: "a number asked for", machine: machine(quota: 1),
      options: LlamaOptions(threadCount: 5), threads: 5, batch: 5, reason: "asked for"),
    ThreadCase(
      name: "both numbers asked for", machine: machine(),
      options: LlamaOptions(threadCount: 2, batchThreadCount: 6), model: tiny, threads: 2,
      batch: 6, reason: "asked for"),
  ]

  @Test("threads for writing and for prompts", arguments: threadCases)
  func threads(_ row: ThreadCase) {
    let plan = DevicePlan(machine: row.machine, model: row.model, options: row.options)
    #expect(plan.threads.value == row.threads)
    #expect(plan.batchThreads.value == row.batch)
    #expect(plan.threads.reason.contains(row.reason))
  }

  @Test("the number of threads adapts where the text cannot depend on it")
  func adapting() {
    func adapts(_ options: LlamaOptions, _ model: ModelFacts = Self.model()) -> Bool {
      DevicePlan(machine: Self.machine(), model: model, options: options).adaptsThreads.value
    }
    #expect(adapts(LlamaOptions(contextSize: 2_048)))
    #expect(!adapts(LlamaOptions(contextSize: 32_768)), "flash attention")
    #expect(!adapts(LlamaOptions(contextSize: 2_048, cacheType: .q8_0)), "flash attention")
    #expect(!adapts(LlamaOptions(contextSize: 2_048, threadCount: 4)), "asked for")
    #expect(!adapts(LlamaOptions(), Self.tiny), "one thread")
  }

  // MARK: Attention, batch and context

  @Test(
    "attention",
    arguments: [
      // 4,096 tokens × 512 × 32 heads × 4 bytes are exactly 256 MiB.
      (LlamaOptions(contextSize: 4_096), [ComputeDevice](), DevicePlan.Attention.plain),
      (LlamaOptions(contextSize: 4_097), [], .automatic),
      (LlamaOptions(contextSize: 8_192, batchSize: 256), [], .plain),
      (LlamaOptions(contextSize: 512), [cuda], .automatic),
      (LlamaOptions(contextSize: 512, usesFlashAttention: true), [], .flash),
      (LlamaOptions(contextSize: 65_536, usesFlashAttention: false), [cuda], .plain),
      (LlamaOptions(contextSize: 512, cacheType: .q8_0), [], .flash),
      (LlamaOptions(contextSize: 512), [metal(multiplies: false)], .plain),
    ])
  func attention(
    _ options: LlamaOptions, _ devices: [ComputeDevice], _ expected: DevicePlan.Attention
  ) {
    let plan = DevicePlan(
      machine: Self.machine(devices), model: Self.model(), options: options)
    #expect(plan.attention.value == expected)
    let saving = DevicePlan(
      machine: Self.machine(devices), model: Self.model(), options: options,
      circumstances: DevicePlan.Circumstances(savesMemory: true))
    #expect(
      saving.attention.value
        == (expected == .plain && options.usesFlashAttention == nil
          ? .automatic : expected))
  }

  @Test(
    "a batch holds a picture that must be evaluated whole, but is no larger than the context",
    arguments: [
      (512, false, 4_096, 512), (512, true, 4_096, 2_048), (4_096, true, 8_192, 4_096),
      (512, true, 1_024, 1_024), (512, false, 64, 64),
    ])
  func batch(_ asked: Int, _ whole: Bool, _ context: Int, _ expected: Int) {
    let plan = DevicePlan(
      machine: Self.machine(), model: Self.model(),
      options: LlamaOptions(contextSize: context, batchSize: asked),
      circumstances: DevicePlan.Circumstances(needsWholeImages: whole))
    #expect(plan.batchSize.value == expected)
  }

  @Test(
    "the context that is made unasked",
    arguments: [(32_768, 8_192), (2_048, 2_048), (0, 8_192)])
  func context(_ trained: Int, _ expected: Int) {
    let plan = DevicePlan(
      machine: Self.machine(), model: Self.model(trained: trained), options: LlamaOptions())
    #expect(plan.contextSize.value == expected)
  }

  @Test("every choice has a reason")
  func reasons() {
    for devices in [[], [Self.cuda], [Self.metal(multiplies: false)]] {
      let plan = DevicePlan(
        machine: Self.machine(devices), model: Self.model(), options: LlamaOptions())
      let reasons = [
        plan.devices.reason, plan.gpuLayers.reason, plan.namesDevices.reason,
        plan.attention.reason, plan.cacheType.reason, plan.threads.reason,
        plan.adaptsThreads.reason, plan.batchThreads.reason, plan.batchSize.reason,
        plan.contextSize.reason,
      ]
      #expect(reasons.allSatisfy { $0.count > 8 })
    }
  }
}
