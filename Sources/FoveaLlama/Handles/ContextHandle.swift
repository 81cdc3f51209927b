internal import CLlama
internal import CLlamaShim
internal import Foundation
internal import Fovea

/// Owns a context: the model's working memory (KV cache) for one or several sequences, and a batch of
/// tokens.
final class ContextHandle {
  private let pointer: OpaquePointer
  private let model: ModelHandle
  private let work: NativeWork  // llama.cpp keeps its pointer
  private var batch: llama_batch
  /// One entry for each token of the vocabulary; reused for every token sampled.
  private let candidates: UnsafeMutableBufferPointer<llama_token_data>

  /// How many tokens fit into each sequence, as llama.cpp made it.
  let size: Int
  /// How many sequences there are.
  let sequenceCount: Int
  /// The most tokens in one physical batch.
  let batchSize: Int

  /// Whether the memory may hold NaN. A new context's is zero.
  private(set) var mayHoldNaN = false

  private let clock = ContinuousClock()
  private let batchThreads: Int32
  /// Threads that stay between evaluations; nil where one is enough.
  private let pool: OpaquePointer?
  /// What small batches take.
  private(set) var timing = BatchTiming()
  /// Nil where the number of threads is fixed.
  private var governor: ThreadGovernor?

  private init(
    pointer: OpaquePointer, model: ModelHandle, work: NativeWork, threads: Int32,
    batchThreads: Int32, governsThreads: Bool
  ) {
    self.batchThreads = batchThreads
    governor = governsThreads && threads > 1 ? ThreadGovernor(most: Int(threads)) : nil
    self.pointer = pointer
    pool = fovea_threads_attach(pointer, max(threads, batchThreads))
    self.model = model
    self.work = work
    size = Int(llama_n_ctx_seq(pointer))
    sequenceCount = Int(llama_n_seq_max(pointer))
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
  /// - Throws: `.insufficientMemory`, since a context fails for hardly any other reason.
  static func make(model: ModelHandle, plan: DevicePlan) throws(FoveaError) -> ContextHandle {
    var parameters = plan.contextParameters
    let work = NativeWork()
    if let data = work.data {
      parameters.abort_callback = fovea_work_is_unwanted
      parameters.abort_callback_data = data
    }
    let (pointer, cause) = Native.call { fovea_context_init(model.pointer, parameters, $0, $1) }
    guard let pointer else {
      throw FoveaError(
        .insufficientMemory, "llama.cpp cannot make a context of \(plan.contextSize.value) tokens",
        fix: "ask for a smaller context, or use a smaller model", cause: cause)
    }
    return ContextHandle(
      pointer: pointer, model: model, work: work, threads: parameters.n_threads,
      batchThreads: parameters.n_threads_batch, governsThreads: plan.adaptsThreads.value)
  }

  // MARK: Memory

  /// Forgets everything of a sequence from a position on.
  ///
  /// - Returns: Whether that is done; models with a running state cannot forget a part, and then
  ///   nothing has changed.
  func forget(from position: Int32, of sequence: Int32) -> Bool {
    llama_memory_seq_rm(llama_get_memory(pointer), sequence, position, -1)
  }

  /// What a model keeps of a sequence besides the memory of each token: a running state. Empty where
  /// there is none.
  func runningState(of sequence: Int32) -> [UInt8] {
    let size = llama_state_seq_get_size_ext(pointer, sequence, Self.partialState)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = llama_state_seq_get_data_ext(
        pointer, buffer.baseAddress, size, sequence, Self.partialState)
    }
  }

  /// Puts a running state back; what was evaluated since must be forgotten next.
  ///
  /// - Returns: Whether llama.cpp took it.
  func restore(_ state: [UInt8], of sequence: Int32) -> Bool {
    state.withUnsafeBufferPointer {
      llama_state_seq_set_data_ext(
        pointer, $0.baseAddress, $0.count, sequence, Self.partialState) > 0
    }
  }

  private static let partialState = llama_state_seq_flags(LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY)

  /// All that the memory holds of a sequence.
  func wholeState(of sequence: Int32) -> Data {
    let size = llama_state_seq_get_size(pointer, sequence)
    var state = Data(count: size)
    let written = state.withUnsafeMutableBytes {
      llama_state_seq_get_data(pointer, $0.baseAddress, size, sequence)
    }
    return state.prefix(written)
  }

  /// Puts the whole memory of a sequence back.
  ///
  /// - Returns: Whether llama.cpp took it; else nobody knows what the sequence holds.
  func restoreWhole(_ state: Data, of sequence: Int32) -> Bool {
    guard !state.isEmpty else { return false }
    return state.withUnsafeBytes { bytes in
      Native.call {
        fovea_state_restore(pointer, bytes.baseAddress, bytes.count, sequence, $0, $1)
      }.result == state.count
    }
  }

  /// Makes a sequence's memory what that of another one is.
  func copy(_ source: Int32, to sequence: Int32) {
    llama_memory_seq_cp(llama_get_memory(pointer), source, sequence, -1, -1)
  }

  /// Forgets a whole sequence. What it was stays in memory until it is written over; that harms
  /// nothing unless it is no number, since attention multiplies it by 0.
  func clear(_ sequence: Int32) {
    _ = llama_memory_seq_rm(llama_get_memory(pointer), sequence, -1, -1)
  }

  /// Forgets all sequences and makes the memory zero.
  func clearAll() {
    llama_memory_clear(llama_get_memory(pointer), true)
    mayHoldNaN = false
  }

  // MARK: Evaluation

  /// Tokens that one sequence goes on with.
  struct Piece {
    var sequence: Int32
    var tokens: ArraySlice<TokenID>
    /// The position of the first one.
    var position: Int32
    /// After how many of the last ones a token can be chosen.
    var outputs: Int
  }

  /// Evaluates an image whose embeddings are known.
  func evaluate(
    _ chunks: PromptChunks, _ index: Int, embeddings: [Float], projector: ProjectorHandle,
    at position: Int32, of sequence: Int32, for owner: CancellationFlag
  ) throws(FoveaError) {
    guard let chunk = chunks.chunk(index) else { preconditionFailure("index out of range") }
    var next = position
    // The parameter is not const, but mtmd only reads: no copy for that.
    let (code, cause) = work.serving([owner]) {
      embeddings.withUnsafeBufferPointer { buffer in
        Native.call {
          fovea_decode_image(
            projector.pointer, pointer, chunk, UnsafeMutablePointer(mutating: buffer.baseAddress),
            position, sequence, Int32(batchSize), &next, $0, $1)
        }
      }
    }
    try check(code, cause: cause, during: "an image")
  }

  /// Evaluates a batch: pieces of different sequences, in the order of these, with at most
  /// ``batchSize`` tokens together.
  ///
  /// - Parameter owners: Whose work it is; it stops soon after all of them are cancelled (on the CPU).
  func evaluate(
    _ pieces: [Piece], for owners: [CancellationFlag], during what: String
  ) throws(FoveaError) {
    var count = 0
    for piece in pieces {
      fill(piece, from: count)
      count += piece.tokens.count
    }
    batch.n_tokens = Int32(count)
    try decode(count: count, of: pieces.count, for: owners, during: what)
  }

  private func fill(_ piece: Piece, from start: Int) {
    precondition(start + piece.tokens.count <= batchSize, "the pieces must fit a batch")
    let silent = piece.tokens.count - piece.outputs
    for (offset, token) in piece.tokens.enumerated() {
      let index = start + offset
      batch.token[index] = token
      batch.pos[index] = piece.position + Int32(offset)
      batch.n_seq_id[index] = 1
      batch.seq_id[index]?[0] = piece.sequence
      batch.logits[index] = offset >= silent ? 1 : 0
    }
  }

  /// Evaluates the batch, with as many threads as are best at present where it is small.
  private func decode(
    count: Int, of pieceCount: Int, for owners: [CancellationFlag], during what: String
  ) throws(FoveaError) {
    let isSmall = count <= Self.mostTokensOfSmallBatch
    if let governor {
      let few = Int32(governor.threadCount)
      // Where one thread is faster for a token, it is for a prompt, too.
      let many = governor.prefersFewer ? few : batchThreads
      llama_set_n_threads(pointer, few, isSmall ? few : many)
    }
    let start = clock.now
    let (code, cause) = work.serving(owners) {
      Native.call { fovea_decode(pointer, batch, $0, $1) }
    }
    try check(code, cause: cause, during: what)
    guard isSmall else { return }
    let seconds = (clock.now - start) / .seconds(1)
    if pieceCount == 1 { timing.record(tokens: count, seconds: seconds) }
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
  ///   - index: Where that one is in the batch.
  ///   - allowed: The candidates; nil: the whole vocabulary.
  func sample(
    after index: Int, with sampler: borrowing SamplerHandle, allowed: TokenMask?
  ) throws(FoveaError) -> TokenID {
    guard let logits = llama_get_logits_ith(pointer, Int32(index)) else {
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
