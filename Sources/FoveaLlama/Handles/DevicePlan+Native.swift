internal import CLlama

/// A plan in llama.cpp's own words.
extension DevicePlan {
  /// What each context is made with.
  var contextParameters: llama_context_params {
    var parameters = llama_context_default_params()
    let sequences = sequencesInContext
    // Shared evenly: in steps of 256 tokens, as llama.cpp rounds each share.
    let share = sequences == 1 ? contextSize.value : (contextSize.value + 255) / 256 * 256
    parameters.n_ctx = UInt32(share * sequences)
    parameters.n_batch = UInt32(batchSize.value)
    parameters.n_ubatch = UInt32(batchSize.value)
    parameters.n_seq_max = UInt32(sequences)
    // Only the last token of a batch is sampled, and the guesses behind it. Room for the logits of
    // all would take 4 bytes for each token of a batch times each of the vocabulary: half a gigabyte
    // for 262,144.
    parameters.n_outputs_max = UInt32(
      min(batchSize.value, sequences * (DraftPolicy.mostTokens + 1)))
    parameters.n_threads = Int32(clamping: threads.value)
    parameters.n_threads_batch = Int32(clamping: batchThreads.value)
    parameters.no_perf = true
    switch attention.value {
    case .plain: parameters.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED
    case .flash: parameters.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED
    case .automatic: parameters.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_AUTO
    }
    let type = cacheType.value == .q8_0 ? GGML_TYPE_Q8_0 : GGML_TYPE_F16
    parameters.type_k = type
    parameters.type_v = type
    return parameters
  }

  /// What a projector is loaded with.
  var projectorParameters: mtmd_context_params {
    var parameters = mtmd_context_params_default()
    parameters.use_gpu = usesGPU
    parameters.device = projectorDevice.flatMap { ggml_backend_dev_by_name($0) }
    parameters.print_timings = false
    parameters.n_threads = Int32(clamping: batchThreads.value)
    return parameters
  }

  /// What llama.cpp takes as the list of devices; nil: it chooses.
  var deviceList: [String]? { namesDevices.value ? devices.value : nil }

  /// What llama.cpp takes as the number of layers on GPUs.
  var layerCount: Int32 { Int32(clamping: gpuLayers.value) }
}
