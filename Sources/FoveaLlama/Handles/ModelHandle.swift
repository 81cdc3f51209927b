internal import CLlama
internal import CLlamaShim
internal import Fovea

/// Owns a loaded model. Contexts and projectors hold on to it.
final class ModelHandle {
  let pointer: OpaquePointer
  private let vocabulary: OpaquePointer

  private init(pointer: OpaquePointer, vocabulary: OpaquePointer) {
    self.pointer = pointer
    self.vocabulary = vocabulary
  }

  deinit { fovea_model_free(pointer) }

  /// How much of a file is loaded.
  enum Extent {
    case whole
    /// All that some files hold.
    case vocabulary
    /// The weights are laid out, but neither read nor allocated.
    case layout
  }

  /// Loads a model.
  ///
  /// - Parameters:
  ///   - gpuLayers: Layers on GPUs; negative: all.
  ///   - devices: The names of the GPUs that may compute anything; nil: llama.cpp chooses.
  /// - Throws: `.invalidModel` with llama.cpp's first error as the cause.
  static func load(
    path: String, gpuLayers: Int32, devices: [String]? = nil, extent: Extent = .whole
  ) throws(FoveaError) -> ModelHandle {
    _ = Native.start
    var parameters = llama_model_default_params()
    parameters.n_gpu_layers = gpuLayers
    parameters.vocab_only = extent == .vocabulary
    if extent == .layout {
      parameters.no_alloc = true
      parameters.load_mode = LLAMA_LOAD_MODE_NONE
    }
    var list = devices.map(BackendDevices.list) ?? []
    let (pointer, cause) = list.withUnsafeMutableBufferPointer { buffer in
      if devices != nil { parameters.devices = buffer.baseAddress }
      return Native.call { fovea_model_load(path, parameters, $0, $1) }
    }
    guard let pointer, let vocabulary = llama_model_get_vocab(pointer) else {
      throw FoveaError(
        .invalidModel, "llama.cpp cannot load '\(path)'",
        fix: "fetch the file again, or use a model that this version of llama.cpp knows",
        cause: cause)
    }
    return ModelHandle(pointer: pointer, vocabulary: vocabulary)
  }

  var parameterCount: UInt64 { llama_model_n_params(pointer) }
  var tokenCount: Int { Int(llama_vocab_n_tokens(vocabulary)) }

  /// How many numbers a token is where it goes into the model: what projectors make.
  var embeddingSize: Int { Int(llama_model_n_embd_inp(pointer)) }
  /// Whether the model keeps a running state, of which no part can be forgotten.
  var hasRunningState: Bool {
    llama_model_is_recurrent(pointer) || llama_model_is_hybrid(pointer)
  }

  /// Whether this token ends a generation.
  func isEndToken(_ token: TokenID) -> Bool { llama_vocab_is_eog(vocabulary, token) }

  /// Tokenises text.
  ///
  /// - Parameters:
  ///   - isTrusted: Whether control tokens in the text count as such.
  ///   - addsSpecial: Whether the model's begin token is put in front, where it wants one.
  func tokenize(_ text: String, isTrusted: Bool, addsSpecial: Bool) throws(FoveaError) -> [TokenID]
  {
    var text = text
    let (tokens, cause) = Native.call { _, _ in
      text.withUTF8 { bytes -> [TokenID]? in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          func run(_ room: UnsafeMutableBufferPointer<TokenID>?) -> Int32 {
            llama_tokenize(
              vocabulary, characters.baseAddress, Int32(characters.count), room?.baseAddress,
              Int32(room?.count ?? 0), addsSpecial, isTrusted)
          }
          // Hardly any text has more tokens than bytes, so that one call is enough.
          var room = characters.count + 8
          while true {
            var written: Int32 = 0
            let tokens = [TokenID](unsafeUninitializedCapacity: room) { buffer, count in
              written = run(UnsafeMutableBufferPointer(rebasing: buffer[..<room]))
              count = max(0, Int(written))
            }
            if written >= 0 { return tokens }
            guard written != Int32.min, -Int(written) > room else { return nil }
            room = -Int(written)
          }
        }
      }
    }
    guard let tokens else {
      throw FoveaError(.engineFailed, "llama.cpp could not tokenise the prompt", cause: cause)
    }
    return tokens
  }

  /// Whether each of these texts is one control token of the model.
  func hasControlTokens(_ texts: [String]) throws(FoveaError) -> Bool {
    for text in texts {
      let tokens = try tokenize(text, isTrusted: true, addsSpecial: false)
      guard tokens.count == 1,
        llama_vocab_is_control(vocabulary, tokens[0]) || isEndToken(tokens[0])
      else { return false }
    }
    return true
  }

  /// Reads the whole vocabulary. Tokens that text can never contain get no bytes: control,
  /// unknown and unused entries, end tokens, and user-defined placeholders such as `<unused7>`.
  func readVocabulary() -> Vocabulary {
    var pieces: [[UInt8]] = []
    var endTokens: [TokenID] = []
    pieces.reserveCapacity(tokenCount)
    for token in 0..<TokenID(tokenCount) {
      if isEndToken(token) { endTokens.append(token) }
      pieces.append(isText(token) ? bytes(of: token) : [])
    }
    return Vocabulary(pieces: pieces, endTokens: endTokens)
  }

  private func isText(_ token: TokenID) -> Bool {
    let attributes = llama_vocab_get_attr(vocabulary, token).rawValue
    let never =
      LLAMA_TOKEN_ATTR_CONTROL.rawValue | LLAMA_TOKEN_ATTR_UNKNOWN.rawValue
      | LLAMA_TOKEN_ATTR_UNUSED.rawValue
    guard attributes & never == 0, !isEndToken(token) else { return false }
    guard attributes & LLAMA_TOKEN_ATTR_USER_DEFINED.rawValue != 0 else { return true }
    let bytes = bytes(of: token)
    let isPlaceholder =
      bytes.count > 2
      && (bytes.first == UInt8(ascii: "<") && bytes.last == UInt8(ascii: ">")
        || bytes.starts(with: "[PAD".utf8))
    return !isPlaceholder
  }

  /// The tokens that the tokenizer finds by their text; `template` is the chat template's source.
  func readSpecialTokens(template: String) -> SpecialTokens {
    let found =
      LLAMA_TOKEN_ATTR_CONTROL.rawValue | LLAMA_TOKEN_ATTR_UNKNOWN.rawValue
      | LLAMA_TOKEN_ATTR_USER_DEFINED.rawValue
    var entries: [SpecialTokens.Entry] = []
    for token in 0..<TokenID(tokenCount) {
      let attributes = llama_vocab_get_attr(vocabulary, token).rawValue
      guard attributes & found != 0, let text = llama_vocab_get_text(vocabulary, token) else {
        continue
      }
      entries.append(
        SpecialTokens.Entry(
          token: token, text: Array(String(cString: text).utf8),
          isFoundEverywhere: attributes & LLAMA_TOKEN_ATTR_USER_DEFINED.rawValue != 0,
          stripsLeft: attributes & LLAMA_TOKEN_ATTR_LSTRIP.rawValue != 0,
          stripsRight: attributes & LLAMA_TOKEN_ATTR_RSTRIP.rawValue != 0))
    }
    return SpecialTokens(entries, template: template)
  }

  /// The tokens of a prompt's pieces, behind the begin token where the model wants one and the
  /// template has not written it.
  func tokenizePrompt(_ pieces: [SpecialTokens.Piece]) throws(FoveaError) -> [TokenID] {
    (addedBegin(before: pieces).map { [$0] } ?? []) + (try tokenize(pieces))
  }

  /// The tokens of pieces. Images have none here.
  func tokenize(_ pieces: [SpecialTokens.Piece]) throws(FoveaError) -> [TokenID] {
    var tokens: [TokenID] = []
    for piece in pieces {
      switch piece {
      case .token(let token, _): tokens.append(token)
      case .text(let text):
        tokens += try tokenize(text, isTrusted: false, addsSpecial: false)
      case .image: break
      }
    }
    return tokens
  }

  /// The begin token, where it must be put before a prompt.
  func addedBegin(before pieces: [SpecialTokens.Piece]) -> TokenID? {
    guard llama_vocab_get_add_bos(vocabulary),
      let begin = beginOfText
    else { return nil }
    if case .token(begin, _)? = pieces.first { return nil }
    return begin
  }

  /// The spelling of the tokens that templates ask for by name.
  var tokenTexts: [String: String] {
    let tokens = [
      "bos_token": llama_vocab_bos(vocabulary), "eos_token": llama_vocab_eos(vocabulary),
      "pad_token": llama_vocab_pad(vocabulary), "sep_token": llama_vocab_sep(vocabulary),
    ]
    return tokens.compactMapValues { token in
      Self.present(token).flatMap { llama_vocab_get_text(vocabulary, $0) }.map {
        String(cString: $0)
      }
    }
  }

  /// What a token writes; its spelling where it is a control token.
  func spelling(of token: TokenID) -> [UInt8] { bytes(of: token, withControl: true) }

  /// What llama.cpp says about each token, control tokens with their text too; for tools.
  func readTokenEntries() -> [Tokenizer.Entry] {
    (0..<TokenID(tokenCount)).map { token in
      Tokenizer.Entry(
        bytes: bytes(of: token, withControl: true),
        attributes: llama_vocab_get_attr(vocabulary, token).rawValue,
        endsGeneration: isEndToken(token))
    }
  }

  /// The tokens that begin a text, end a text, and end a turn; nil where the model has none.
  var beginOfText: TokenID? { Self.present(llama_vocab_bos(vocabulary)) }
  var endOfText: TokenID? { Self.present(llama_vocab_eos(vocabulary)) }
  var endOfTurn: TokenID? { Self.present(llama_vocab_eot(vocabulary)) }

  private static func present(_ token: TokenID) -> TokenID? { token < 0 ? nil : token }

  /// The bytes that a token writes; part of a character, or hundreds of bytes, are possible.
  private func bytes(of token: TokenID, withControl: Bool = false) -> [UInt8] {
    func read(room: Int) -> (bytes: [UInt8], length: Int32) {
      var length: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        buffer.withMemoryRebound(to: CChar.self) { characters in
          length = llama_token_to_piece(
            vocabulary, token, characters.baseAddress, Int32(room), 0, withControl)
        }
        count = max(0, Int(length))
      }
      return (bytes, length)
    }
    let first = read(room: 64)
    return first.length >= 0 ? first.bytes : read(room: Int(-first.length)).bytes
  }
}
