internal import Foundation
internal import Fovea

/// How a GGUF model is loaded.
public struct LlamaOptions: Sendable, Hashable {
  /// How many tokens of prompt and answer fit; nil: what the model was trained for, at most 8,192.
  public var contextSize: Int?
  /// How many threads compute. Nil: one for each core, at most 8; only one for a model so small that
  /// threads would wait for each other longer than they compute; and only one for as long as other
  /// programs make more threads slower. The text does not depend on it.
  public var threadCount: Int?
  /// Layers computed by the GPU; nil: all, where there is one.
  public var gpuLayerCount: Int?
  /// The most tokens evaluated at once.
  public var batchSize: Int
  /// The source of a chat template, in Jinja, to use instead of the model file's own.
  public var chatTemplate: String?
  /// Ways to compute less for the same text.
  public var decoding = DecodingOptions()

  /// Makes options.
  public init(
    contextSize: Int? = nil, threadCount: Int? = nil, gpuLayerCount: Int? = nil,
    batchSize: Int = 512, chatTemplate: String? = nil
  ) {
    self.contextSize = contextSize
    self.threadCount = threadCount
    self.gpuLayerCount = gpuLayerCount
    self.batchSize = batchSize
    self.chatTemplate = chatTemplate
  }

  /// The largest context that is made unasked.
  static let largestDefaultContext = 8_192

  /// Models with fewer parameters are computed by one thread.
  static let smallestModelForThreads: UInt64 = 16_000_000

  func threads(parameterCount: UInt64) -> Int32 {
    if let threadCount { return Int32(clamping: threadCount) }
    if parameterCount < Self.smallestModelForThreads { return 1 }
    return Int32(min(8, ProcessInfo.processInfo.activeProcessorCount))
  }

  /// llama.cpp takes a negative count for "all layers".
  var gpuLayers: Int32 { gpuLayerCount.map { Int32(clamping: $0) } ?? -1 }

  func validate() throws(FoveaError) {
    let counts = [
      ("contextSize", contextSize), ("threadCount", threadCount), ("batchSize", batchSize),
    ]
    for (name, value) in counts {
      guard let value, !(1...1 << 24).contains(value) else { continue }
      throw FoveaError(
        .invalidArgument, "\(name) is \(value)", fix: "use a value of at least 1, or none")
    }
  }
}
