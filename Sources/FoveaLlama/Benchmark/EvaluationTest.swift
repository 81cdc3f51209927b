internal import Fovea

/// The two tests of `llama-bench`: a prompt of random tokens, and random tokens one after the other.
/// Nothing is sampled. Runs on the engine's thread, through the code that evaluates requests.
struct EvaluationTest {
  private let weights: ModelHandle
  private let context: ContextHandle
  private let memory: ContextMemory
  private let clock = ContinuousClock()
  /// The same tokens in every process: experts and caches may depend on them.
  private var generator = SeededGenerator(seed: 1)

  init(
    weights: ModelHandle, context: ContextHandle, memory: ContextMemory, owner: CancellationFlag
  ) {
    memory.owner = owner
    self.weights = weights
    self.context = context
    self.memory = memory
  }

  /// Evaluates a prompt in an empty context and returns the seconds that it took.
  mutating func prefill(tokens count: Int) throws(FoveaError) -> Double {
    clear()
    var tokens = randomTokens(count)
    if let begin = weights.addedBegin(before: []) { tokens[0] = begin }
    let start = clock.now
    try evaluate(tokens, during: "the benchmark's prompt")
    return (clock.now - start) / .seconds(1)
  }

  /// Evaluates tokens one by one behind what the context holds and returns the seconds.
  mutating func decode(tokens count: Int) throws(FoveaError) -> Double {
    let tokens = randomTokens(count)
    let start = clock.now
    for token in tokens { try evaluate([token], during: "the benchmark's text") }
    return (clock.now - start) / .seconds(1)
  }

  /// Empties the context.
  func clear() { _ = memory.begin([], reuses: false) }

  private func evaluate(_ tokens: [TokenID], during what: String) throws(FoveaError) {
    if Task.isCancelled { throw FoveaError(.cancelled, "the benchmark was cancelled") }
    try memory.evaluateAlone(tokens, outputs: 1, during: what)
    context.waitUntilDone()
  }

  private mutating func randomTokens(_ count: Int) -> [TokenID] {
    (0..<count).map { _ in TokenID.random(in: 0..<TokenID(weights.tokenCount), using: &generator) }
  }
}
