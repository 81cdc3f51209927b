internal import CLlama
internal import CLlamaShim
internal import Fovea

/// Owns a context: the model's working memory (KV cache) for one sequence, and a batch of one.
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
  /// Nil where the number of threads is fixed.
  private var governor: ThreadGovernor?

  private init(
    pointer: OpaquePointer, model: ModelHandle, cancellation: CancellationFlag, threads: Int32,
    batchThreads: Int32, governsThreads: Bool
  ) {
    self.batchThreads = batchThreads
    governor = governsThreads && threads > 1 ? ThreadGovernor(most: Int(threads)) : nil
    self.pointer = pointer
    self.model = model
    self.cancellation = cancellation
    size = Int(llama_n_ctx(pointer))
    batchSize = Int(llama_n_ubatch(pointer))
    batch = llama_batch_init(1, 0, 1)
    candidates = .allocate(capacity: model.tokenCount)
    candidates.initialize(repeating: llama_token_data())
  }

  deinit {
    candidates.deallocate()
    llama_batch_free(batch)
    fovea_context_free(pointer)
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

  /// Forgets everything that was evaluated. What it was stays in memory until it is written over;
  /// that harms nothing unless it is no number, since attention multiplies it by 0.
  func clear() {
    llama_memory_clear(llama_get_memory(pointer), mayHoldNaN)
    mayHoldNaN = false
  }

  /// Evaluates a chunk of a prompt and returns the next free position.
  func evaluate(
    _ chunks: PromptChunks, _ index: Int, projector: ProjectorHandle, position: Int32,
    wantsLogits: Bool
  ) throws(FoveaError) -> Int32 {
    guard let chunk = chunks.chunk(index) else { preconditionFailure("index out of range") }
    var next = position
    let (code, cause) = Native.call {
      fovea_eval_chunk(
        projector.pointer, pointer, chunk, position, 0, Int32(batchSize), wantsLogits, &next, $0,
        $1)
    }
    try check(code, cause: cause, during: chunks.isImage(index) ? "an image" : "the prompt")
    return next
  }

  /// Evaluates tokens of text; the logits of the last one can be sampled afterwards.
  func evaluate(_ tokens: [TokenID]) throws(FoveaError) {
    var start = 0
    while start < tokens.count {
      let end = min(start + batchSize, tokens.count)
      var part = Array(tokens[start..<end])
      // llama_batch_get_one continues after the last position, which is what a prompt needs.
      let (code, cause) = part.withUnsafeMutableBufferPointer { buffer in
        Native.call {
          fovea_decode(
            pointer, llama_batch_get_one(buffer.baseAddress, Int32(buffer.count)), $0, $1)
        }
      }
      try check(code, cause: cause, during: "the prompt")
      start = end
    }
  }

  /// Evaluates one token at a position.
  func evaluate(_ token: TokenID, at position: Int32) throws(FoveaError) {
    batch.n_tokens = 1
    batch.token[0] = token
    batch.pos[0] = position
    batch.n_seq_id[0] = 1
    batch.seq_id[0]?[0] = 0
    batch.logits[0] = 1
    if let governor { llama_set_n_threads(pointer, Int32(governor.threadCount), batchThreads) }
    let start = clock.now
    let (code, cause) = Native.call { fovea_decode(pointer, batch, $0, $1) }
    try check(code, cause: cause, during: "a token")
    governor?.record(seconds: (clock.now - start) / .seconds(1))
  }

  private func check(_ code: Int32, cause: String?, during what: String) throws(FoveaError) {
    if let error = Native.failure(of: code, cause: cause, during: what, contextSize: size) {
      throw error
    }
  }

  /// Chooses the next token from the logits of the last evaluated one.
  ///
  /// - Parameter allowed: The candidates; nil: the whole vocabulary.
  func sample(
    with sampler: borrowing SamplerHandle, allowed: TokenMask?
  ) throws(FoveaError) -> TokenID {
    guard let logits = llama_get_logits_ith(pointer, -1) else {
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
