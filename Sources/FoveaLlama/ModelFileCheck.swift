internal import Foundation
internal import Fovea

/// What a GGUF file says before its weights are loaded. Files that would end the process inside
/// llama.cpp, or keep it busy for ever, are refused here.
///
/// A failed assertion of llama.cpp becomes an error by itself (`shim.cpp`) where it fails on the thread
/// that called. What remains to be found here: numbers that are divided by, tensors that are used
/// without being looked for, types without arithmetic, sizes that no machine has room for, and
/// numbers that only the threads of a computation assert on. The rules go by keys and tensor names,
/// never by architecture, so that they hold for models that nobody has seen yet.
struct ModelFileCheck {
  /// The kinds of GGUF files that matter here.
  enum Role {
    case model, projector

    var code: FoveaError.Code { self == .model ? .invalidModel : .invalidProjector }
  }

  let name: String?
  let architecture: String
  let chatTemplate: String?
  let promptStyle: PromptStyle
  let defaultInstruction: String?
  let sampling: SamplingOptions?
  let imageRequirements: ImageRequirements
  /// The sizes that decide how it is computed.
  let facts: ModelFacts

  /// Reads a file's metadata and checks that it can play its role.
  ///
  /// - Throws: `.fileNotReadable`, `.invalidModel` or `.invalidProjector`.
  init(path: String, role: Role) throws(FoveaError) {
    let size = try Self.checkMagic(path, role: role)
    let metadata = try MetadataHandle(path: path, code: role.code)
    let file = CheckedFile(path: path, code: role.code, size: size)
    let architecture = metadata.string("general.architecture") ?? ""
    self.architecture = architecture
    name = metadata.string("general.name")
    chatTemplate = metadata.string("tokenizer.chat_template")
    promptStyle = metadata.string("fovea.prompt.style").flatMap(PromptStyle.init) ?? .full
    defaultInstruction = metadata.string("fovea.prompt.default")
    sampling = Self.sampling(metadata)
    imageRequirements = Self.imageRequirements(metadata)
    facts = ModelFacts(metadata, architecture: architecture)

    let tensors = metadata.tensors()
    let isProjector =
      architecture == "clip" || metadata.string("general.type") == "mmproj"
    switch role {
    case .model:
      if isProjector {
        throw FoveaError(
          .invalidModel, "'\(path)' is a projector (mmproj), not a model",
          fix: "give it as the projector, beside the model file that belongs to it")
      }
      try Self.checkModel(metadata, architecture: architecture, file)
    case .projector:
      guard isProjector else {
        throw FoveaError(
          .invalidProjector,
          "'\(path)' is not a projector but a model (architecture '\(architecture)')",
          fix: "give the mmproj file that was published together with the model")
      }
      try Self.checkProjector(metadata, tensors, file)
    }
    try Self.checkTensors(tensors, file)
  }

  /// - Returns: The size of the file.
  private static func checkMagic(_ path: String, role: Role) throws(FoveaError) -> UInt64 {
    let what = role == .model ? "model" : "projector"
    let beginning: Data
    let size: UInt64
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }  // nothing was written: a failed close loses nothing
      beginning = try file.read(upToCount: 8) ?? Data()
      size = try file.seekToEnd()
    } catch {
      throw FoveaError(
        .fileNotReadable, "the \(what) file '\(path)' cannot be read",
        fix: "check the path and its permissions", cause: SystemReason.of(error))
    }
    if beginning.starts(with: Array("GGUF".utf8)) { return size }
    let found: String
    if beginning.isEmpty {
      found = "it is empty"
    } else if beginning.starts(with: Array("LITERTLM".utf8)) {
      found = "it is a LiteRT-LM file, which this version does not run yet"
    } else if beginning.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x0D }) {
      found = "it begins with the text \"\(String(decoding: beginning, as: UTF8.self))\""
        .replacingOccurrences(of: "\n", with: " ")
    } else {
      found =
        "it begins with the bytes "
        + beginning.prefix(4).map { String(format: "%02X", $0) }.joined(separator: " ")
    }
    throw FoveaError(
      role.code, "'\(path)' is not a GGUF file", fix: "give a \(what) in GGUF format", cause: found)
  }

  /// How the model's makers would have tokens chosen; values that no sampler can work with are left
  /// out.
  private static func sampling(_ metadata: borrowing MetadataHandle) -> SamplingOptions? {
    func value(_ name: String, in range: ClosedRange<Double>) -> Float? {
      metadata.number("general.sampling.\(name)").flatMap { range.contains($0) ? Float($0) : nil }
    }
    guard let temperature = value("temp", in: 0...100) else { return nil }
    return SamplingOptions(
      temperature: temperature, topK: value("top_k", in: 0...1e6).map { Int($0) } ?? 0,
      topP: value("top_p", in: 1e-6...1) ?? 1, minP: value("min_p", in: 0...1) ?? 0,
      repeatPenalty: value("penalty_repeat", in: 0.01...100) ?? 1,
      repeatWindow: value("penalty_last_n", in: 0...1e6).map { Int($0) } ?? 64)
  }

  private static func imageRequirements(_ metadata: borrowing MetadataHandle) -> ImageRequirements {
    let patch = metadata.integer("clip.vision.patch_size") ?? 1
    let merge = metadata.integer("clip.vision.spatial_merge_size") ?? 1
    return ImageRequirements(
      alignment: max(1, min(patch, 1_024) * max(1, min(merge, 64))),
      maxWidth: metadata.integer("fovea.image.max_width"),
      maxHeight: metadata.integer("fovea.image.max_height"),
      shrinksByWholeFactor: metadata.boolean("fovea.image.integer_shrink") ?? false)
  }
}
