import CLlama
import Fovea

@testable import FoveaLlama

/// What a model says after each token of a given text, whatever it would have written itself.
struct TeacherForcedLogits {
  /// One row for each token of the text, one column for each of the vocabulary.
  let rows: [[Float]]

  /// Nil: llama.cpp makes no context, or fails to evaluate the text.
  init?(_ text: String, model: ModelHandle) throws(FoveaError) {
    let tokens = try model.tokenize(text, isTrusted: false, addsSpecial: false)
    var parameters = llama_context_default_params()
    parameters.n_ctx = UInt32(tokens.count)
    parameters.n_batch = UInt32(tokens.count)
    parameters.n_ubatch = UInt32(tokens.count)
    parameters.n_threads = 1
    parameters.n_threads_batch = 1
    guard let context = llama_init_from_model(model.pointer, parameters) else { return nil }
    defer { llama_free(context) }
    var batch = llama_batch_init(Int32(tokens.count), 0, 1)
    defer { llama_batch_free(batch) }
    batch.n_tokens = Int32(tokens.count)
    for (index, token) in tokens.enumerated() {
      batch.token[index] = token
      batch.pos[index] = Int32(index)
      batch.n_seq_id[index] = 1
      batch.seq_id[index]?[0] = 0
      batch.logits[index] = 1
    }
    guard llama_decode(context, batch) == 0 else { return nil }
    var rows: [[Float]] = []
    for index in tokens.indices {
      guard let row = llama_get_logits_ith(context, Int32(index)) else { return nil }
      rows.append(Array(UnsafeBufferPointer(start: row, count: model.tokenCount)))
    }
    self.rows = rows
  }
}
