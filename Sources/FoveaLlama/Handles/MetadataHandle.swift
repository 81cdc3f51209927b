internal import CLlama
internal import CLlamaShim
internal import Fovea

/// The key-value pairs of a GGUF file and the table of its tensors, read without their data.
struct MetadataHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Reads a file's metadata.
  ///
  /// - Throws: An error of the code when the file is damaged. The caller has checked that it can be
  ///   read and begins with GGUF's magic.
  init(path: String, code: FoveaError.Code = .invalidModel) throws(FoveaError) {
    _ = Native.start
    let parameters = gguf_init_params(no_alloc: true, ctx: nil)
    let (pointer, cause) = Native.call { fovea_metadata_load(path, parameters, $0, $1) }
    guard let pointer else {
      throw FoveaError(
        code, "'\(path)' is a damaged GGUF file", fix: "fetch the file again", cause: cause)
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
    if let list = numbers(key) { return list.compactMap { Int(exactly: $0) } }
    return integer(key).map { [$0] } ?? []
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

  /// The name of a value's type in GGUF, such as "u32"; nil where there is no such key.
  func typeName(_ key: String) -> String? {
    let id = gguf_find_key(pointer, key)
    guard id >= 0, let name = gguf_type_name(gguf_get_kv_type(pointer, id)) else { return nil }
    return String(cString: name)
  }

  /// An array of numbers of 32 bits, as all that matter here are; nil: it is something else.
  func numbers(_ key: String) -> [Double]? {
    let id = gguf_find_key(pointer, key)
    guard id >= 0, gguf_get_kv_type(pointer, id) == GGUF_TYPE_ARRAY else { return nil }
    let count = gguf_get_arr_n(pointer, id)
    func read<Number>(_ convert: (Number) -> Double) -> [Double] {
      guard let start = gguf_get_arr_data(pointer, id) else { return [] }
      return UnsafeBufferPointer(start: start.assumingMemoryBound(to: Number.self), count: count)
        .map(convert)
    }
    switch gguf_get_arr_type(pointer, id) {
    case GGUF_TYPE_UINT32: return read { (number: UInt32) in Double(number) }
    case GGUF_TYPE_INT32: return read { (number: Int32) in Double(number) }
    case GGUF_TYPE_FLOAT32: return read { (number: Float) in Double(number) }
    default: return nil
    }
  }

  /// The tensors, in the order of the file.
  func tensors() -> [TensorEntry] {
    let start = UInt64(gguf_get_data_offset(pointer))
    return (0..<gguf_get_n_tensors(pointer)).map { id in
      let type = gguf_get_tensor_type(pointer, id)
      return TensorEntry(
        name: gguf_get_tensor_name(pointer, id).map { String(cString: $0) } ?? "",
        shape: gguf_get_tensor_ne(pointer, id).map { shape in (0..<4).map { Int(shape[$0]) } }
          ?? [],
        typeName: ggml_type_name(type).map { String(cString: $0) } ?? "",
        canBeMultiplied: Self.canBeMultiplied(type),
        // llama.cpp has checked that no offset goes beyond the sizes before it.
        end: start &+ UInt64(gguf_get_tensor_offset(pointer, id))
          &+ UInt64(gguf_get_tensor_size(pointer, id)))
    }
  }

  /// Whether ggml can multiply by numbers of this type. It looks up how in a table that is empty for the
  /// others, without asking first.
  private static func canBeMultiplied(_ type: ggml_type) -> Bool {
    switch type {
    case GGML_TYPE_I8, GGML_TYPE_I16, GGML_TYPE_I32, GGML_TYPE_I64, GGML_TYPE_F64,
      GGML_TYPE_Q8_1, GGML_TYPE_Q8_K:
      false
    default: true
    }
  }
}
