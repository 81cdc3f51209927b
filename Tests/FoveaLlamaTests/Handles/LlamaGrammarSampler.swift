import CLlama
import Fovea

@testable import FoveaLlama

/// llama.cpp's own grammar sampler over a whole vocabulary.
final class LlamaGrammarSampler {
  private let model: ModelHandle  // the sampler reads its vocabulary
  private let pointer: UnsafeMutablePointer<llama_sampler>
  private var candidates: [llama_token_data]

  /// Nil: llama.cpp refuses the grammar.
  init?(grammar: String, model: ModelHandle) {
    let vocabulary = llama_model_get_vocab(model.pointer)
    guard let sampler = llama_sampler_init_grammar(vocabulary, grammar, "root") else { return nil }
    pointer = sampler
    self.model = model
    candidates = (0..<TokenID(model.tokenCount)).map { llama_token_data(id: $0, logit: 0, p: 0) }
  }

  deinit { llama_sampler_free(pointer) }

  /// The tokens that it lets through.
  func allowedTokens() -> TokenMask {
    for index in candidates.indices { candidates[index].logit = 0 }
    candidates.withUnsafeMutableBufferPointer { buffer in
      var array = llama_token_data_array(
        data: buffer.baseAddress, size: buffer.count, selected: -1, sorted: false)
      llama_sampler_apply(pointer, &array)
    }
    var mask = TokenMask(count: candidates.count)
    for candidate in candidates where candidate.logit == 0 { mask.insert(candidate.id) }
    return mask
  }

  /// Goes on by a token that it lets through; another one ends the process.
  func accept(_ token: TokenID) { llama_sampler_accept(pointer, token) }
}
