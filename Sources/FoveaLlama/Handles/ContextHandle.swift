internal import CLlama
internal import CLlamaShim
internal import Fovea

/// Owns a context: the model's working memory (KV cache) for one sequence, and a batch of tokens.
final class ContextHandle {
  private let pointer: OpaquePointer
  private let model: ModelHandle
  private let cancellation: CancellationFlag
  private var batch: llama_batch
  /// One entry for each token of the vocabulary; reused for every token sampled.
  private let candidates: UnsafeMutableBufferPointer<llama_token_data>

  /// The size of the context as llama.cpp made it.
  let size: Int
  /// The most tokens in one physical batch.
  let batchSize: Int

  /// Whether the memory may hold NaN. A new context's is zero.
  private var mayHoldNaN = false

  private let clock = ContinuousClock()
  private let batchThreads: Int32
  /// Threads that stay between evaluations; nil where one is enough.
  private let pool: OpaquePointer?
  /// What small batches take.
  private(set) var timing = BatchTiming()
  /// Nil where the number of threads is fixed.
  private var governor: ThreadGovernor?

  private init(
    pointer: OpaquePointer, model: ModelHandle, cancellation: CancellationFlag, threads: Int32,
    batchThreads: Int32, governsThreads: Bool
  ) {
    self.batchThreads = batchThreads
    governor = governsThreads && threads > 1 ? ThreadGovernor(most: Int(threads)) : nil
    self.pointer = pointer
    pool = fovea_threads_attach(pointer, max(threads, batchThreads))
    self.model = model
    self.cancellation = cancellation
    size = Int(llama_n_ctx(pointer))
    batchSize = Int(llama_n_ubatch(pointer))
    batch = llama_batch_init(Int32(batchSize), 0, 1)
    candidates = .allocate(capacity: model.tokenCount)
    candidates.initialize(repeating: llama_token_data())
  }

  deinit {
    candidates.deallocate()
    llama_batch_free(batch)
    fovea_context_free(pointer)
    fovea_threads_free(pool)
  }

  /// Makes a context as planned.
  ///
  /// - Parameter cancellation: Evaluation stops soon after this flag is set (on the CPU).
  /// - Throws: `.insufficientMemory`, since a context fails for hardly any other reason.
  static func make(
    model: ModelHandle, plan: DevicePlan, cancellation: CancellationFlag
  ) throws(FoveaError) -> ContextHandle {
    var parameters = plan.contextParameters
    if let flag = cancellation.pointer {
      parameters.abort_callback = fovea_flag_is_set
      parameters.abort_callback_data = UnsafeMutableRawPointer(flag)
    }
    let (pointer, cause) = Native.call { fovea_context_init(model.pointer, parameters, $0, $1) }
    guard let pointer else {
      throw FoveaError(
        .insufficientMemory, "llama.cpp cannot make a context of \(plan.contextSize.value) tokens",
        fix: "ask for a smaller context, or use a smaller model", cause: cause)
    }
    return ContextHandle(
      pointer: pointer, model: model, cancellation: cancellation,
      threads: parameters.n_threads, batchThreads: parameters.n_threads_batch,
      governsThreads: plan.adaptsThreads.value)
  }

  // MARK: Memory

  /// Forgets everything from a position on.
  ///
  /// - Returns: Whether that is done; models with a running state cannot forget a part, and then
  ///   nothing has changed.
  func forget(from position: Int32) -> Bool {
    llama_memory_seq_rm(llama_get_memory(pointer), 0, position, -1)
  }

  /// What a model keeps besides the memory of each token: a running state. Empty where there is none.
  func runningState() -> [UInt8] {
    let size = llama_state_seq_get_size_ext(pointer, 0, Self.partialState)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = llama_state_seq_get_data_ext(pointer, buffer.baseAddress, size, 0, Self.partialState)
    }
  }

  /// Puts a running state back; what was evaluated since must be forgotten next.
  ///
  /// - Returns: Whether llama.cpp took it.
  func restore(_ state: [UInt8]) -> Bool {
    state.withUnsafeBufferPointer {
      llama_state_seq_set_data_ext(pointer, $0.baseAddress, $0.count, 0, Self.partialState) > 0
    }
  }

  private static let partialState = llama_state_seq_flags(LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY)

  /// Forgets everything that was evaluated. What it was stays in memory until it is written over;
  /// that harms nothing unless it is no number, since attention multiplies it by 0.
  func clear() {
    llama_memory_clear(llama_get_memory(pointer), mayHoldNaN)
    mayHoldNaN = false
  }

  /// Evaluates an image whose embeddings are known and returns the next free position.
  func evaluate(
    _ chunks: PromptChunks, _ index: Int, embeddings: [Float], projector: ProjectorHandle,
    at position: Int32
  ) throws(FoveaError) -> Int32 {
    guard let chunk = chunks.chunk(index) else { preconditionFailure("index out of range") }
    var next = position
    // The parameter is not const, but mtmd only reads: no copy for that.
    let (code, cause) = embeddings.withUnsafeBufferPointer { buffer in
      Native.call {
        fovea_decode_image(
          projector.pointer, pointer, chunk, UnsafeMutablePointer(mutating: buffer.baseAddress),
          position, 0, Int32(batchSize), &next, $0, $1)
      }
    }
    try check(code, cause: cause, during: "an image")
    return next
  }

  /// Evaluates tokens of text that begin at a position.
  ///
  /// - Parameter outputs: How many of the last tokens can be sampled after, at most a batch;
  ///   see ``sample(with:allowed:fromEnd:)``.
  func evaluate(
    _ tokens: [TokenID], at position: Int32, outputs: Int, during what: String
  ) throws(FoveaError) {
    precondition(outputs <= batchSize, "outputs must fit a batch")
    var start = 0
    while start < tokens.count {
      // The outputs stay together in the last batch.
      let left = tokens.count - start
      let count = left <= batchSize ? left : min(batchSize, left - outputs)
      fill(
        tokens[start..<start + count], at: position + Int32(start), outputs: outputs - left + count)
      try decode(count: count, during: what)
      start += count
    }
  }

  private func fill(_ tokens: ArraySlice<TokenID>, at position: Int32, outputs: Int) {
    batch.n_tokens = Int32(tokens.count)
    for (index, token) in tokens.enumerated() {
      batch.token[index] = token
      batch.pos[index] = position + Int32(index)
      batch.n_seq_id[index] = 1
      batch.seq_id[index]?[0] = 0
      batch.logits[index] = index >= tokens.count - outputs ? 1 : 0
    }
  }

  /// Evaluates the batch, with as many threads as are best at present where it is small.
  private func decode(count: Int, during what: String) throws(FoveaError) {
    let isSmall = count <= Self.mostTokensOfSmallBatch
    if let governor {
      let few = Int32(governor.threadCount)
      // Where one thread is faster for a token, it is for a prompt, too.
      let many = governor.prefersFewer ? few : batchThreads
      llama_set_n_threads(pointer, few, isSmall ? few : many)
    }
    let start = clock.now
    let (code, cause) = Native.call { fovea_decode(pointer, batch, $0, $1) }
    try check(code, cause: cause, during: what)
    guard isSmall else { return }
    let seconds = (clock.now - start) / .seconds(1)
    timing.record(tokens: count, seconds: seconds)
    governor?.record(seconds: seconds / (1 + timing.extraTokenCost * Double(count - 1)))
  }

  /// Waits until what was evaluated is computed: GPUs may still be at it.
  func waitUntilDone() { llama_synchronize(pointer) }

  /// Batches up to this size are what writing makes; larger ones are prompts.
  private static let mostTokensOfSmallBatch = 32

  private func check(_ code: Int32, cause: String?, during what: String) throws(FoveaError) {
    if let error = Native.failure(of: code, cause: cause, during: what, contextSize: size) {
      throw error
    }
  }

  /// Chooses the token that follows one of the last batch.
  ///
  /// - Parameters:
  ///   - allowed: The candidates; nil: the whole vocabulary.
  ///   - fromEnd: How many tokens of the batch come after that one.
  func sample(
    with sampler: borrowing SamplerHandle, allowed: TokenMask?, fromEnd: Int = 0
  ) throws(FoveaError) -> TokenID {
    guard let logits = llama_get_logits_ith(pointer, -1 - Int32(fromEnd)) else {
      throw FoveaError(.engineFailed, "llama.cpp has no logits to sample from")
    }
    var count = 0
    if let allowed {
      for (index, word) in allowed.words.enumerated() {
        var rest = word
        while rest != 0 {
          let token = TokenID(index << 6 + rest.trailingZeroBitCount)
          candidates[count] = llama_token_data(id: token, logit: logits[Int(token)], p: 0)
          count += 1
          rest &= rest - 1
        }
      }
    } else {
      for token in 0..<model.tokenCount {
        candidates[token] = llama_token_data(id: TokenID(token), logit: logits[token], p: 0)
      }
      count = model.tokenCount
    }
    guard count > 0 else { throw FoveaError(.engineFailed, "no token is allowed here") }
    var array = llama_token_data_array(
      data: candidates.baseAddress, size: count, selected: -1, sorted: false)
    let (token, cause) = Native.call { sampler.sample(&array, message: $0, capacity: $1) }
    // A sampler that compares NaN takes the first candidate, which would look like an answer.
    guard token >= 0, !logits[Int(token)].isNaN else {
      mayHoldNaN = true
      throw FoveaError(
        .engineFailed, "the model's output is not a number (NaN), so there is nothing to choose by",
        fix: "try again; when it happens again, the model file may be damaged: fetch it again",
        cause: cause)
    }
    return token
  }
}
