internal import CLlama
internal import CLlamaShim
internal import Fovea

/// Owns a chain of llama.cpp's samplers. Fovea's mask has been applied before: the chain only sees
/// tokens that are allowed.
struct SamplerHandle: ~Copyable {
  private let pointer: UnsafeMutablePointer<llama_sampler>

  /// Builds the chain: penalties, top-k, top-p, min-p, temperature, then the choice.
  init(_ options: SamplingOptions, tokenCount: Int) throws(FoveaError) {
    guard let chain = llama_sampler_chain_init(llama_sampler_chain_default_params()) else {
      throw FoveaError(.insufficientMemory, "llama.cpp cannot make a sampler")
    }
    pointer = chain
    if options.repeatPenalty != 1 {
      llama_sampler_chain_add(
        chain,
        llama_sampler_init_penalties(
          Int32(tokenCount), Int32(options.repeatWindow), options.repeatPenalty, 0, 0))
    }
    guard options.temperature > 0 else {
      llama_sampler_chain_add(chain, llama_sampler_init_greedy())
      return
    }
    if options.topK > 0 {
      llama_sampler_chain_add(chain, llama_sampler_init_top_k(Int32(clamping: options.topK)))
    }
    if options.topP < 1 {
      llama_sampler_chain_add(chain, llama_sampler_init_top_p(options.topP, 1))
    }
    if options.minP > 0 {
      llama_sampler_chain_add(chain, llama_sampler_init_min_p(options.minP, 1))
    }
    llama_sampler_chain_add(chain, llama_sampler_init_temp(options.temperature))
    llama_sampler_chain_add(
      chain, llama_sampler_init_dist(options.seed ?? UInt32.random(in: 0...UInt32.max)))
  }

  deinit { llama_sampler_free(pointer) }

  /// Chooses a token and accepts it; negative when that fails.
  func sample(
    _ candidates: inout llama_token_data_array, message: UnsafeMutablePointer<CChar>, capacity: Int
  ) -> TokenID {
    fovea_sample(pointer, &candidates, message, capacity)
  }

  /// Reports a token that was chosen without the chain.
  func accept(_ token: TokenID) { llama_sampler_accept(pointer, token) }
}
