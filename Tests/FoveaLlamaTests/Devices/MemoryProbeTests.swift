import Fovea
import FoveaImages
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// What llama.cpp says a model would take, beside what it then takes, and models computed as planned.
@Suite("Memory probe", .serialized)
struct MemoryProbeTests {
  private static let machine = DevicePlanTests.machine(logical: 2)
  private static let embedded = ModelFiles.gguf(Material.model, projector: Material.projector)

  private func facts(_ path: String) throws -> ModelFacts {
    try ModelFileCheck(path: path, role: .model).facts
  }

  @Test("the sizes in the header of the embedded model")
  func header() throws {
    let facts = try facts(Material.model)
    #expect(facts.layerCount == 4)
    #expect(facts.headCount == 5)
    #expect(facts.keyValueHeads == 20)
    #expect(facts.keyLength == 32)
    #expect(facts.valueLength == 32)
    #expect(facts.trainedContextSize == 2_048)
    #expect(facts.vocabularySize == 352)
    #expect(facts.recurrentLength == 0)
    #expect(facts.canQuantizeCache)
    let weights = try ModelHandle.load(path: Material.model, gpuLayers: 0)
    #expect(facts.parameterCount == Int(weights.parameterCount))
  }

  @Test("a layout that allocates nothing has the sizes of one that does")
  func layout() throws {
    var files = [Self.embedded]
    if let path = Material.smolLM2 { files.append(.gguf(path)) }
    for files in files {
      let facts = try facts(files.model)
      func plan(_ options: LlamaOptions) -> DevicePlan {
        DevicePlan(machine: Self.machine, model: facts, options: options)
      }
      let first = plan(LlamaOptions())
      let simulated = try #require(MemoryProbe(files: files, model: facts, plan: first))
      let real = try #require(
        MemoryProbe(files: files, model: facts, plan: first, extent: .whole))
      for options in [
        LlamaOptions(contextSize: 256), LlamaOptions(contextSize: 2_048),
        LlamaOptions(contextSize: 2_048, cacheType: .q8_0),
        LlamaOptions(contextSize: 1_000, usesFlashAttention: true, batchSize: 64),
      ] {
        let before = try #require(simulated.estimate(plan(options)))
        let after = try #require(real.estimate(plan(options)))
        #expect(before.source == .dryRun)
        #expect(before.host.cache == after.host.cache)
        #expect(before.host.compute == after.host.compute)
        #expect(before.host.projector == after.host.projector)
        #expect((before.host.projector > 0) == (files.projector != nil))
        // A mapping also has the gaps between tensors; buffers of mapped files are of a type of their own.
        let difference =
          after.host.weights + after.host.mappedWeights - before.host.weights
          - before.host.mappedWeights
        #expect((0...facts.weightBytes / 100).contains(difference))
        let rough = MemoryEstimate(
          model: facts, projectorBytes: files.projector == nil ? 0 : 1_700_000, plan: plan(options))
        #expect(rough.host.cache == before.host.cache)
        #expect(Double(rough.total) >= 0.9 * Double(before.total), "roughly, but not too little")
      }
    }
  }

  @Test("files that cannot be laid out give no estimate")
  func broken() throws {
    let facts = try facts(Material.model)
    let plan = DevicePlan(machine: Self.machine, model: facts, options: LlamaOptions())
    #expect(
      MemoryProbe(files: .gguf(Material.model, projector: Material.model), model: facts, plan: plan)
        == nil)
    #expect(MemoryProbe(files: .gguf(Material.projector), model: facts, plan: plan) == nil)
  }

  @Test("what a projector wants of a batch is found out")
  func wholeImages() throws {
    let load = try LoadPlan.inspect(Self.embedded)
    #expect(load.refusal == nil)
    #expect(load.estimate.source == .dryRun)
    #expect(load.plan.batchSize.value == 512, "pictures may be split")
    #expect(try load.forWholeImages().plan.batchSize.value == 2_048)
  }

  @Test("a context that cannot fit is refused before anything is loaded")
  func refused() async throws {
    // 16,777,216 tokens of 2,560 bytes each: 43 GB for the cache alone.
    let machine = LoadPlan.machine()
    let free = try #require(machine.memory.tightest?.free)
    try #require(free < 43_000_000_000, "this test needs a machine with less memory")
    let error = await #expect(throws: FoveaError.self) {
      try await LlamaEngine.load(
        .gguf(Material.model), options: LlamaOptions(contextSize: 1 << 24))
    }
    #expect(error?.code == .insufficientMemory)
    #expect(error?.memory.map { $0.needed > 42_000_000_000 && $0.free < $0.needed } == true)
    #expect(error?.fix?.contains("use a context of at most") == true)
  }

  @Test("what the machine or the model does not have is refused by name")
  func unknown() async throws {
    let error = await #expect(throws: FoveaError.self) {
      try await LlamaEngine.load(
        .gguf(Material.model), options: LlamaOptions(deviceNames: ["GPU9"]))
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("GPU9") == true)
    var odd = LlamaOptions(cacheType: .q8_0)
    odd.usesFlashAttention = false
    #expect(throws: FoveaError.self) { try odd.validate() }
    for count in [-1, 0, 65] {
      let error = #expect(throws: FoveaError.self) {
        try LlamaOptions(parallelRequests: count).validate()
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == "parallelRequests is \(count)")
    }
    try LlamaOptions(parallelRequests: 64).validate()
  }

  @Test("the list of devices ends with its end, and the CPU does what Apple's old GPUs do not")
  func devices() throws {
    #expect(BackendDevices.list(named: []).count == 1)
    #expect(BackendDevices.list(named: ["none"]).count == 1)
    let cpu = try #require(BackendDevices.list(named: ["CPU"]).first ?? nil)
    #expect(BackendDevices.multipliesMatrices(cpu))
    #expect(BackendDevices.descriptions.first { $0.name == "CPU" }?.multipliesMatrices == nil)
  }

  @Test(
    "a receipt is read the same however it is computed",
    arguments: [
      LlamaOptions(), LlamaOptions(gpuLayerCount: 0, deviceNames: []),
      LlamaOptions(usesFlashAttention: true), LlamaOptions(cacheType: .q8_0),
      LlamaOptions(batchThreadCount: 2, batchSize: 64, checksMemory: false),
    ])
  func reading(_ options: LlamaOptions) async throws {
    let model = try await LanguageModel.load(Self.embedded, options: options)
    let picture = try #require(try Material.pictures().first)
    let receipt = try await model.predict(
      image: .file(picture), prompt: "Extract the receipt as JSON.", as: Receipt.self)
    #expect(receipt == (try Receipt.truth(of: picture)))
  }
}
