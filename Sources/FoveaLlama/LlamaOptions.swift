internal import Fovea

/// How a GGUF model is loaded. What is nil is chosen by what the machine has; `fovea devices` shows
/// the choices and their reasons.
///
///     var options = LlamaOptions(contextSize: 4_096)
///     options.cacheType = .q8_0            // half the memory for the context
public struct LlamaOptions: Sendable, Hashable {
  /// How many tokens of prompt and answer fit; nil: what the model was trained for, at most 8,192,
  /// and less where memory is short.
  public var contextSize: Int?
  /// How many requests are evaluated at once; further ones wait. Each has room for ``contextSize``
  /// tokens. Where one thread computes the model, each has a thread and a context of its own; else they
  /// share a context (llama.cpp's `n_seq_max`) and are evaluated in batches. Nil: one for each core, or
  /// 4 in one context, where that takes little memory, else 1.
  public var parallelRequests: Int?
  /// How many threads write. Nil: one for each core that is fast and that the process may use, at
  /// most 8; only one for a model so small that threads would wait for each other longer than they
  /// compute; and only one for as long as other programs make more threads slower. The text does not
  /// depend on it.
  public var threadCount: Int?
  /// How many threads evaluate prompts and pictures; nil: as many as write where that is given, else
  /// up to 16 in the same way.
  public var batchThreadCount: Int?
  /// Layers computed by the GPU; nil: as many as fit, where there is a GPU that is faster.
  public var gpuLayerCount: Int?
  /// The GPUs to use, by llama.cpp's names; empty: none; nil: all that are faster than the CPU.
  public var deviceNames: [String]?
  /// Whether attention is computed in pieces; nil: where it is faster or saves much memory.
  public var usesFlashAttention: Bool?
  /// The numbers that keys and values of the context are kept in.
  public var cacheType: CacheType
  /// The most tokens evaluated at once; pictures that must be evaluated whole may need more.
  public var batchSize: Int
  /// Whether a model that needs more memory than is free is refused before it is loaded. Its weights
  /// count although the system could read them from the file again and again.
  public var checksMemory: Bool
  /// The source of a chat template, in Jinja, to use instead of the model file's own.
  public var chatTemplate: String?
  /// Whether requests have contexts of their own; nil: where that is faster. For tests.
  package var evaluatesApart: Bool?
  /// Ways to compute less for the same text.
  public var decoding = DecodingOptions()

  /// Makes options.
  public init(
    contextSize: Int? = nil, threadCount: Int? = nil, batchThreadCount: Int? = nil,
    gpuLayerCount: Int? = nil, deviceNames: [String]? = nil, usesFlashAttention: Bool? = nil,
    cacheType: CacheType = .f16, batchSize: Int = LlamaOptions.defaultBatchSize,
    parallelRequests: Int? = nil, checksMemory: Bool = true, chatTemplate: String? = nil
  ) {
    self.contextSize = contextSize
    self.threadCount = threadCount
    self.batchThreadCount = batchThreadCount
    self.gpuLayerCount = gpuLayerCount
    self.deviceNames = deviceNames
    self.usesFlashAttention = usesFlashAttention
    self.cacheType = cacheType
    self.batchSize = batchSize
    self.parallelRequests = parallelRequests
    self.checksMemory = checksMemory
    self.chatTemplate = chatTemplate
  }

  /// The most tokens evaluated at once unless asked otherwise.
  public static let defaultBatchSize = 512

  /// llama.cpp holds up to 256 sequences; more than this only wait for each other.
  package static let mostParallelRequests = 64

  /// The largest context that is made unasked.
  static let largestDefaultContext = 8_192

  func validate() throws(FoveaError) {
    let counts = [
      ("contextSize", contextSize), ("threadCount", threadCount),
      ("batchThreadCount", batchThreadCount), ("batchSize", batchSize),
    ]
    for (name, value) in counts {
      guard let value, !(1...1 << 24).contains(value) else { continue }
      throw FoveaError(
        .invalidArgument, "\(name) is \(value)", fix: "use a value of at least 1, or none")
    }
    if let count = parallelRequests, !(1...Self.mostParallelRequests).contains(count) {
      throw FoveaError(
        .invalidArgument, "parallelRequests is \(count)",
        fix: "use a value from 1 to \(Self.mostParallelRequests), or none")
    }
    if cacheType == .q8_0, usesFlashAttention == false {
      throw FoveaError(
        .invalidArgument, "a cache in q8_0 needs flash attention, which was turned off",
        fix: "keep the cache in f16, or leave usesFlashAttention out")
    }
  }
}
