internal import CLlama

/// The devices that this build of llama.cpp can compute with.
enum BackendDevices {
  /// All of them, in llama.cpp's order.
  static var descriptions: [ComputeDevice] {
    _ = Native.start
    return (0..<ggml_backend_dev_count()).compactMap { ggml_backend_dev_get($0) }.compactMap {
      description(of: $0)
    }
  }

  private static func description(of device: ggml_backend_dev_t) -> ComputeDevice? {
    var properties = ggml_backend_dev_props()
    ggml_backend_dev_get_props(device, &properties)
    let kind: ComputeDevice.Kind
    switch properties.type {
    case GGML_BACKEND_DEVICE_TYPE_CPU: kind = .cpu
    case GGML_BACKEND_DEVICE_TYPE_GPU: kind = .gpu
    case GGML_BACKEND_DEVICE_TYPE_IGPU: kind = .integratedGPU
    case GGML_BACKEND_DEVICE_TYPE_ACCEL: kind = .accelerator
    default: return nil
    }
    let backend = ggml_backend_dev_backend_reg(device).flatMap { ggml_backend_reg_name($0) }
    return ComputeDevice(
      name: text(properties.name), description: text(properties.description), kind: kind,
      freeMemory: Int(clamping: properties.memory_free),
      totalMemory: Int(clamping: properties.memory_total),
      multipliesMatrices: text(backend) == "MTL" ? multipliesMatrices(device) : nil)
  }

  /// Metal's backend does flash attention exactly where the GPU multiplies matrices in SIMD groups,
  /// and has no function that tells the family.
  static func multipliesMatrices(_ device: ggml_backend_dev_t) -> Bool {
    let room = ggml_tensor_overhead() * 8
    guard
      let context = ggml_init(ggml_init_params(mem_size: room, mem_buffer: nil, no_alloc: true))
    else { return false }
    defer { ggml_free(context) }
    func tensor(_ type: ggml_type) -> UnsafeMutablePointer<ggml_tensor>? {
      ggml_new_tensor_4d(context, type, 64, 32, 1, 1)
    }
    guard let query = tensor(GGML_TYPE_F32), let keys = tensor(GGML_TYPE_F16),
      let values = tensor(GGML_TYPE_F16),
      let attention = ggml_flash_attn_ext(context, query, keys, values, nil, 1, 0, 0)
    else { return false }
    return ggml_backend_dev_supports_op(device, attention)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  /// The devices of these names, in the order of the names, and the end of the list.
  static func list(named names: [String]) -> [ggml_backend_dev_t?] {
    names.map { ggml_backend_dev_by_name($0) }.filter { $0 != nil } + [nil]
  }
}
