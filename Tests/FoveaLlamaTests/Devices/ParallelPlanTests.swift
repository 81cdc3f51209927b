import CLlama
import Testing

@testable import FoveaLlama

/// How many requests are evaluated together, and what is done beside them.
@Suite("Plans for requests together")
struct ParallelPlanTests {
  /// Caches of 1,024 bytes a token.
  private static func model(_ parameters: Int = 4_000_000_000) -> ModelFacts {
    var model = DevicePlanTests.model()
    model.parameterCount = parameters
    model.keyValueHeads = 4
    model.keyLength = 64
    model.valueLength = 64
    model.recurrentLength = 0
    return model
  }

  private static func plan(
    _ options: LlamaOptions, savesMemory: Bool = false, devices: [ComputeDevice] = [],
    logical: Int = 8, model: ModelFacts = model()
  ) -> DevicePlan {
    DevicePlan(
      machine: DevicePlanTests.machine(devices, logical: logical), model: model, options: options,
      circumstances: DevicePlan.Circumstances(savesMemory: savesMemory))
  }

  @Test(
    "requests",
    arguments: [
      // 65,536 tokens of 1,024 bytes: four caches are exactly 256 MiB.
      (LlamaOptions(contextSize: 65_536), false, 4, "only 67.1 MB"),
      (LlamaOptions(contextSize: 65_537), false, 1, "would take 67.4 MB"),
      (LlamaOptions(contextSize: 65_537, cacheType: .q8_0), false, 4, "only"),
      (LlamaOptions(contextSize: 512), true, 1, "no memory"),
      (LlamaOptions(contextSize: 512, parallelRequests: 1), false, 1, "asked for"),
      (LlamaOptions(contextSize: 512, parallelRequests: 7), true, 7, "asked for"),
    ])
  func requests(_ options: LlamaOptions, _ saves: Bool, _ expected: Int, _ reason: String) {
    let choice = Self.plan(options, savesMemory: saves).parallelRequests
    #expect(choice.value == expected)
    #expect(choice.reason.contains(reason), "\(choice.reason)")
  }

  @Test(
    "requests have contexts of their own where one thread computes each and there are more cores",
    arguments: [
      // parameters in millions, threads, cores: contexts, requests in each
      (1, nil, 2, 2, 1), (1, nil, 4, 4, 1), (1, nil, 64, 8, 1), (1, nil, 1, 1, 4),
      (4_000, nil, 4, 1, 4), (4_000, 1, 4, 4, 1), (4_000, 2, 4, 1, 4), (1, 2, 4, 1, 4),
    ] as [(Int, Int?, Int, Int, Int)])
  func apart(millions: Int, threads: Int?, cores: Int, contexts: Int, sequences: Int) {
    let options = LlamaOptions(contextSize: 512, threadCount: threads)
    let plan = Self.plan(options, logical: cores, model: Self.model(millions * 1_000_000))
    #expect(plan.contextCount == contexts, "\(plan.evaluatesApart.reason)")
    #expect(plan.sequencesInContext == sequences)
    #expect(plan.contextParameters.n_seq_max == UInt32(sequences))
    #expect(!plan.evaluatesApart.reason.isEmpty)
  }

  @Test("contexts of their own are counted once for each request")
  func memory() {
    func estimate(_ count: Int, apart: Bool) -> MemoryEstimate {
      var options = LlamaOptions(contextSize: 512, parallelRequests: count)
      options.evaluatesApart = apart
      return MemoryEstimate(
        model: Self.model(), projectorBytes: 0, plan: Self.plan(options))
    }
    let (one, together, apart) = (
      estimate(1, apart: true), estimate(3, apart: false), estimate(3, apart: true)
    )
    #expect(together.host.cache == 3 * one.host.cache)
    #expect(apart.host.cache == 3 * one.host.cache)
    #expect(together.host.compute == one.host.compute)
    #expect(apart.host.compute == 3 * one.host.compute)
  }

  @Test("a GPU does one thing at a time")
  func graphics() {
    let options = LlamaOptions(contextSize: 512, threadCount: 1)
    #expect(Self.plan(options, devices: [DevicePlanTests.cuda]).contextCount == 1)
  }

  @Test("pictures are encoded beside where cores are left")
  func pictures() {
    let small = Self.model(1_000_000)
    #expect(Self.plan(LlamaOptions(), logical: 2, model: small).encodesBeside.value)
    #expect(!Self.plan(LlamaOptions(), logical: 1, model: small).encodesBeside.value)
    #expect(!Self.plan(LlamaOptions(), logical: 8).encodesBeside.value, "all cores write")
    #expect(Self.plan(LlamaOptions(threadCount: 4), logical: 8).encodesBeside.value)
    #expect(!Self.plan(LlamaOptions(threadCount: 5), logical: 8).encodesBeside.value)
    #expect(
      !Self.plan(LlamaOptions(threadCount: 2), devices: [DevicePlanTests.cuda]).encodesBeside.value)
  }

  @Test("a context holds each request's tokens, whatever their number")
  func native() {
    func size(_ count: Int) -> UInt32 {
      Self.plan(LlamaOptions(contextSize: 1_000, parallelRequests: count)).contextParameters.n_ctx
    }
    #expect(size(1) == 1_000)
    #expect(size(3) == 3 * 1_024, "llama.cpp rounds each share")
  }
}
