internal import CLlama
internal import CLlamaShim
internal import Fovea

/// Owns a loaded projector (mtmd's context), which turns images into a model's embeddings.
// Sendable: it encodes and tokenises on one thread, that of its PictureEncoder. What the engine's thread
// uses of it is never written after loading.
final class ProjectorHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  private let model: ModelHandle  // mtmd keeps the model's pointer

  private let work: NativeWork  // mtmd keeps its pointer

  private init(pointer: OpaquePointer, model: ModelHandle, work: NativeWork) {
    self.pointer = pointer
    self.model = model
    self.work = work
  }

  deinit { fovea_projector_free(pointer) }

  /// Loads a projector for a model.
  ///
  /// - Parameter plan: How the model is computed.
  /// - Throws: `.invalidProjector` with mtmd's first error as the cause.
  static func load(
    path: String, model: ModelHandle, plan: DevicePlan
  ) throws(FoveaError) -> ProjectorHandle {
    var parameters = plan.projectorParameters
    parameters.warmup = false  // the first image is the warm-up; loading stays quick
    let work = NativeWork()
    if let data = work.data {
      parameters.cb_eval = fovea_evaluation_goes_on
      parameters.cb_eval_user_data = data
    }
    let (pointer, cause) = Native.call {
      fovea_projector_load(path, model.pointer, parameters, $0, $1)
    }
    guard let pointer else {
      throw FoveaError(
        .invalidProjector, "the projector '\(path)' cannot be loaded for this model",
        fix: "use the mmproj file that was published together with the model", cause: cause)
    }
    return ProjectorHandle(pointer: pointer, model: model, work: work)
  }

  var supportsImages: Bool { mtmd_support_vision(pointer) }

  /// Whether an image's tokens attend to each other in both directions, so that they must all be
  /// evaluated in one batch.
  var needsWholeImageBatch: Bool { mtmd_decode_use_non_causal(pointer, nil) }

  /// Encodes an image chunk into the model's embeddings.
  ///
  /// - Parameter owner: Who wants them; encoding stops soon after this flag is set.
  func encode(
    _ chunks: PromptChunks, _ index: Int, for owner: CancellationFlag
  ) throws(FoveaError) -> [Float] {
    guard let chunk = chunks.chunk(index) else { preconditionFailure("index out of range") }
    let (code, cause) = work.serving([owner]) {
      Native.call { fovea_encode_chunk(pointer, chunk, $0, $1) }
    }
    if owner.isSet {
      throw FoveaError(.cancelled, "encoding of an image was cancelled")
    }
    guard code == 0, let embeddings = mtmd_get_output_embd(pointer) else {
      throw FoveaError(
        .engineFailed, "mtmd could not encode an image (code \(code))",
        fix: "check that the projector belongs to the model, or fetch it again", cause: cause)
    }
    let count = mtmd_input_chunk_get_n_tokens(chunk) * model.embeddingSize
    return Array(UnsafeBufferPointer(start: embeddings, count: count))
  }

  /// Tokenises a prompt of text and images into chunks.
  ///
  /// - Throws: `.engineFailed` when an image cannot be prepared.
  func chunks(of prompt: [SpecialTokens.Piece]) throws(FoveaError) -> PromptChunks {
    guard let chunks = mtmd_input_chunks_init() else {
      throw FoveaError(.insufficientMemory, "no memory for the prompt")
    }
    let result = PromptChunks(pointer: chunks)
    let arguments = PromptArguments(prompt)
    // mtmd puts the model's begin token in front; the template may have written it already.
    let addsBegin = model.addedBegin(before: prompt) != nil
    let (code, cause) = Native.call { message, capacity in
      arguments.withParts { parts, count in
        fovea_tokenize_parts(pointer, chunks, parts, count, addsBegin, message, capacity)
      }
    }
    guard code == 0 else {
      throw FoveaError(
        .engineFailed,
        code == 2
          ? "mtmd could not prepare an image of the prompt"
          : "mtmd could not tokenise the prompt (code \(code))", cause: cause)
    }
    return result
  }
}

/// Owns a prompt's chunks: runs of text tokens and of image tokens.
// Sendable: nothing changes them once they are made.
final class PromptChunks: @unchecked Sendable {
  fileprivate let pointer: OpaquePointer

  fileprivate init(pointer: OpaquePointer) { self.pointer = pointer }

  deinit { mtmd_input_chunks_free(pointer) }

  var count: Int { mtmd_input_chunks_size(pointer) }

  /// The chunk at an index; it lives as long as this object.
  func chunk(_ index: Int) -> OpaquePointer? { mtmd_input_chunks_get(pointer, index) }

  func tokenCount(_ index: Int) -> Int {
    chunk(index).map { mtmd_input_chunk_get_n_tokens($0) } ?? 0
  }

  /// How many positions of the context a chunk takes: with M-RoPE fewer than tokens.
  func positionCount(_ index: Int) -> Int32 {
    chunk(index).map { mtmd_input_chunk_get_n_pos($0) } ?? 0
  }

  /// What an image chunk's content is called: equal for equal pixels; nil: mtmd has lost the name.
  func contentID(_ index: Int) -> String? {
    let name = chunk(index).flatMap { mtmd_input_chunk_get_id($0) }.map { String(cString: $0) }
    return name?.isEmpty == false ? name : nil
  }

  func isImage(_ index: Int) -> Bool {
    chunk(index).map { mtmd_input_chunk_get_type($0) == MTMD_INPUT_CHUNK_TYPE_IMAGE } ?? false
  }

  /// The tokens of a text chunk.
  func textTokens(_ index: Int) -> [TokenID] {
    guard let chunk = chunk(index) else { return [] }
    var count = 0
    guard let tokens = mtmd_input_chunk_get_tokens_text(chunk, &count) else { return [] }
    return Array(UnsafeBufferPointer(start: tokens, count: count))
  }
}

/// A prompt in the form that mtmd takes: owns the C structs, texts and bitmaps during one call.
private final class PromptArguments {
  private var texts: [UnsafeMutablePointer<mtmd_input_text>] = []
  private var characters: [UnsafeMutableBufferPointer<CChar>] = []
  private var bitmaps: [OpaquePointer] = []
  private var parts: [UnsafeMutablePointer<mtmd_input_part>] = []

  init(_ prompt: [SpecialTokens.Piece]) {
    for item in prompt {
      let part = UnsafeMutablePointer<mtmd_input_part>.allocate(capacity: 1)
      switch item {
      case .token(_, let text): part.initialize(to: textPart(text, isTrusted: true))
      case .text(let text): part.initialize(to: textPart(text, isTrusted: false))
      case .image(let image): part.initialize(to: imagePart(image))
      }
      parts.append(part)
    }
  }

  deinit {
    for part in parts { part.deallocate() }
    for text in texts { text.deallocate() }
    for buffer in characters { buffer.deallocate() }
    for bitmap in bitmaps { mtmd_bitmap_free(bitmap) }
  }

  private func textPart(_ text: String, isTrusted: Bool) -> mtmd_input_part {
    let utf8 = Array(text.utf8)
    let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: utf8.count + 1)
    for (index, byte) in utf8.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    buffer[utf8.count] = 0
    characters.append(buffer)
    let pointer = UnsafeMutablePointer<mtmd_input_text>.allocate(capacity: 1)
    pointer.initialize(
      to: mtmd_input_text(
        text: UnsafePointer(buffer.baseAddress), text_len: utf8.count, add_special: false,
        parse_special: isTrusted))
    texts.append(pointer)
    return mtmd_input_part(text: UnsafePointer(pointer), bitmap: nil)
  }

  private func imagePart(_ image: PixelImage) -> mtmd_input_part {
    let bitmap = image.rgb.withUnsafeBufferPointer {
      mtmd_bitmap_init(UInt32(image.width), UInt32(image.height), $0.baseAddress)
    }
    if let bitmap {
      bitmaps.append(bitmap)
      mtmd_bitmap_set_id(bitmap, String(image.contentHash, radix: 36))
    }
    return mtmd_input_part(text: nil, bitmap: bitmap)
  }

  func withParts<Result>(
    _ body: (UnsafePointer<UnsafePointer<mtmd_input_part>?>?, Int) -> Result
  ) -> Result {
    let list: [UnsafePointer<mtmd_input_part>?] = parts.map { UnsafePointer($0) }
    return list.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
  }
}

extension PixelImage {
  /// A number for the picture's content. It is seeded anew in each process, so that nobody can make
  /// two pictures with the same one.
  fileprivate var contentHash: UInt64 {
    var hasher = Hasher()
    hasher.combine(width)
    rgb.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
