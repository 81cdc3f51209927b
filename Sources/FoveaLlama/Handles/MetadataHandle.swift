internal import CLlama
internal import Fovea

/// The key-value pairs of a GGUF file, read without its tensors' data.
struct MetadataHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Reads a file's metadata.
  ///
  /// - Throws: `.invalidModel` when the file is damaged. The caller has checked that it can be
  ///   read and begins with GGUF's magic.
  init(path: String) throws(FoveaError) {
    _ = Native.start
    let parameters = gguf_init_params(no_alloc: true, ctx: nil)
    Native.clearErrors()
    guard let pointer = gguf_init_from_file(path, parameters) else {
      throw FoveaError(
        .invalidModel, "'\(path)' is a damaged GGUF file", fix: "fetch the file again",
        cause: Native.firstError)
    }
    self.pointer = pointer
  }

  deinit { gguf_free(pointer) }

  /// A text value.
  func string(_ key: String) -> String? {
    let id = gguf_find_key(pointer, key)
    guard id >= 0, gguf_get_kv_type(pointer, id) == GGUF_TYPE_STRING,
      let text = gguf_get_val_str(pointer, id)
    else { return nil }
    return String(cString: text)
  }

  /// A whole number of any width.
  func integer(_ key: String) -> Int? {
    let id = gguf_find_key(pointer, key)
    guard id >= 0 else { return nil }
    switch gguf_get_kv_type(pointer, id) {
    case GGUF_TYPE_UINT8: return Int(gguf_get_val_u8(pointer, id))
    case GGUF_TYPE_INT8: return Int(gguf_get_val_i8(pointer, id))
    case GGUF_TYPE_UINT16: return Int(gguf_get_val_u16(pointer, id))
    case GGUF_TYPE_INT16: return Int(gguf_get_val_i16(pointer, id))
    case GGUF_TYPE_UINT32: return Int(gguf_get_val_u32(pointer, id))
    case GGUF_TYPE_INT32: return Int(gguf_get_val_i32(pointer, id))
    case GGUF_TYPE_UINT64: return Int(exactly: gguf_get_val_u64(pointer, id))
    case GGUF_TYPE_INT64: return Int(exactly: gguf_get_val_i64(pointer, id))
    default: return nil
    }
  }

  /// A number of either width, with a fraction or without.
  func number(_ key: String) -> Double? {
    let id = gguf_find_key(pointer, key)
    guard id >= 0 else { return nil }
    switch gguf_get_kv_type(pointer, id) {
    case GGUF_TYPE_FLOAT32: return Double(gguf_get_val_f32(pointer, id))
    case GGUF_TYPE_FLOAT64: return gguf_get_val_f64(pointer, id)
    default: return integer(key).map(Double.init)
    }
  }

  /// A truth value.
  func boolean(_ key: String) -> Bool? {
    let id = gguf_find_key(pointer, key)
    guard id >= 0, gguf_get_kv_type(pointer, id) == GGUF_TYPE_BOOL else { return nil }
    return gguf_get_val_bool(pointer, id)
  }

  /// A list of whole numbers, as files have it where layers differ; a single one counts as a list.
  func integers(_ key: String) -> [Int] {
    let id = gguf_find_key(pointer, key)
    guard id >= 0, gguf_get_kv_type(pointer, id) == GGUF_TYPE_ARRAY else {
      return integer(key).map { [$0] } ?? []
    }
    let count = gguf_get_arr_n(pointer, id)
    let type = gguf_get_arr_type(pointer, id)
    guard type == GGUF_TYPE_UINT32 || type == GGUF_TYPE_INT32,
      let data = gguf_get_arr_data(pointer, id)
    else { return [] }
    let values = UnsafeRawBufferPointer(start: data, count: count * MemoryLayout<Int32>.stride)
    return values.bindMemory(to: Int32.self).map {
      type == GGUF_TYPE_INT32 ? Int($0) : Int(UInt32(bitPattern: $0))
    }
  }

  /// How many elements a list has; 0: there is none.
  func count(_ key: String) -> Int {
    let id = gguf_find_key(pointer, key)
    guard id >= 0, gguf_get_kv_type(pointer, id) == GGUF_TYPE_ARRAY else { return 0 }
    return gguf_get_arr_n(pointer, id)
  }

  /// The bytes of all tensors in this file, and the numbers in them.
  var tensorTotals: (bytes: Int, elements: Int) {
    var bytes = 0
    var elements = 0
    for id in 0..<gguf_get_n_tensors(pointer) {
      let type = gguf_get_tensor_type(pointer, id)
      let size = gguf_get_tensor_size(pointer, id)
      bytes += size
      elements += size / max(1, ggml_type_size(type)) * Int(ggml_blck_size(type))
    }
    return (bytes, elements)
  }
}
