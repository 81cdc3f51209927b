/// How a model is computed on a machine: what llama.cpp is told, each choice with its reason.
package struct DevicePlan: Sendable, Hashable {
  /// A choice and why it was made.
  package struct Choice<Value: Sendable & Hashable>: Sendable, Hashable {
    package var value: Value
    /// A phrase for people.
    package var reason: String

    package init(_ value: Value, _ reason: String) {
      self.value = value
      self.reason = reason
    }
  }

  /// How attention is computed.
  package enum Attention: String, Sendable {
    /// Scores of a batch are computed whole.
    case plain
    /// In pieces, without the scores in memory.
    case flash
    /// Flash attention where all devices can.
    case automatic
  }

  /// The GPUs that compute, by name; empty: the CPU alone.
  package var devices: Choice<[String]>
  /// Layers on GPUs; -1: all.
  package var gpuLayers: Choice<Int>
  /// Whether llama.cpp gets ``devices`` as the only ones. Else it chooses by itself, and with 0 layers
  /// on a GPU it still lets the GPU multiply large matrices.
  package var namesDevices: Choice<Bool>
  package var attention: Choice<Attention>
  package var cacheType: Choice<CacheType>
  /// Threads that write a token.
  package var threads: Choice<Int>
  /// Whether fewer threads may write for as long as more are slower.
  package var adaptsThreads: Choice<Bool>
  /// Threads that evaluate a prompt or a picture.
  package var batchThreads: Choice<Int>
  /// The most tokens evaluated at once.
  package var batchSize: Choice<Int>
  /// Tokens of prompt and answer that fit, for each request.
  package var contextSize: Choice<Int>
  /// How many requests are evaluated together.
  package var parallelRequests: Choice<Int>
  /// Whether each request has a context and a thread of its own, where several are evaluated.
  package var evaluatesApart: Choice<Bool>
  /// Whether pictures are encoded beside what else is evaluated.
  package var encodesBeside: Choice<Bool>

  /// Whether memory left no room for what only makes it faster.
  package var savesMemory: Bool

  /// The GPU that a projector is put on; nil: none, or the first that mtmd finds.
  package var projectorDevice: String? { namesDevices.value ? devices.value.first : nil }

  /// How many contexts there are.
  package var contextCount: Int { evaluatesApart.value ? parallelRequests.value : 1 }
  /// How many requests share a context.
  package var sequencesInContext: Int { parallelRequests.value / contextCount }

  /// Whether a GPU computes anything.
  package var usesGPU: Bool { !devices.value.isEmpty }
}

extension DevicePlan {
  /// What must be decided beside machine, model and options.
  package struct Circumstances: Sendable, Hashable {
    /// Whether all tokens of a picture must be evaluated in one batch.
    package var needsWholeImages: Bool
    /// The context, where memory leaves less than what would be chosen without looking.
    package var contextSize: Choice<Int>?
    /// Whether memory leaves no room for what only makes it faster.
    package var savesMemory: Bool

    package init(
      needsWholeImages: Bool = false, contextSize: Choice<Int>? = nil, savesMemory: Bool = false
    ) {
      self.needsWholeImages = needsWholeImages
      self.contextSize = contextSize
      self.savesMemory = savesMemory
    }
  }

  /// Chooses. The same input gives the same plan; nothing is read or measured here.
  package init(
    machine: MachineDescription, model: ModelFacts, options: LlamaOptions,
    circumstances: Circumstances = Circumstances()
  ) {
    let gpus = Self.usableGPUs(machine, model, options)
    let size = circumstances.contextSize ?? Self.contextSize(model, options)
    let batch = Self.batchSize(options, circumstances, context: size.value)
    savesMemory = circumstances.savesMemory
    devices = gpus
    gpuLayers = Self.gpuLayers(machine, model, options, gpus: gpus.value)
    namesDevices = Self.namesDevices(machine, options, gpus: gpus.value)
    contextSize = size
    batchSize = batch
    cacheType = Self.cacheType(options)
    attention = Self.attention(
      model, options, circumstances, usesGPU: !gpus.value.isEmpty, context: size.value,
      batch: batch.value)
    threads = Self.threads(machine.processors, model, options)
    batchThreads = Self.batchThreads(machine.processors, model, options, threads: threads)
    adaptsThreads = Self.adaptsThreads(options, threads: threads.value, attention: attention.value)
    evaluatesApart = Self.evaluatesApart(
      machine.processors, options, usesGPU: !gpus.value.isEmpty, threads: threads.value,
      batchThreads: batchThreads.value)
    parallelRequests = Self.parallelRequests(
      options, circumstances,
      usually: evaluatesApart.value
        ? min(Self.usableCores(machine.processors).value, Self.mostThreads)
        : Self.usualParallelRequests,
      cacheBytes: MemoryEstimate.cacheBytes(
        model, context: size.value, cacheType: cacheType.value))
    encodesBeside = Self.encodesBeside(
      machine.processors, usesGPU: !gpus.value.isEmpty, threads: threads.value,
      batchThreads: batchThreads.value)
  }

  /// Models with fewer parameters are computed by one thread.
  package static let smallestModelForThreads = 16_000_000
}
