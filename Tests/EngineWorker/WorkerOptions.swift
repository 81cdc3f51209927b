internal import FoveaLlama

/// What the worker was asked for.
struct WorkerOptions {
  private(set) var model = ""
  private(set) var projector: String?
  private(set) var schema = ""
  private(set) var prompt = "Extract the receipt."
  private(set) var maxTokens = 512
  private(set) var engine = LlamaOptions()

  /// Nil where the arguments make no sense.
  init?(_ arguments: ArraySlice<String>) {
    var arguments = arguments
    while let name = arguments.popFirst() {
      guard let value = arguments.popFirst(), take(name, value) else { return nil }
    }
    if model.isEmpty || schema.isEmpty { return nil }
  }

  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "--model": model = value
    case "--projector": projector = value
    case "--schema": schema = value
    case "--prompt": prompt = value
    case "--without": return leaveOut(value)
    default:
      guard let number = Int(value) else { return false }
      switch name {
      case "--threads": engine.threadCount = number
      case "--context": engine.contextSize = number
      case "--parallel": engine.parallelRequests = number
      case "--max-tokens": maxTokens = number
      default: return false
      }
    }
    return true
  }

  private mutating func leaveOut(_ what: String) -> Bool {
    switch what {
    case "jumps": engine.decoding.jumpsForward = false
    case "drafts": engine.decoding.drafts = false
    case "reuse": engine.decoding.reusesPrompts = false
    default: return false
    }
    return true
  }
}
