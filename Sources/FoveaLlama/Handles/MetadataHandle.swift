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
}
