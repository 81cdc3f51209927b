import Foundation
import Fovea
import FoveaImages
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// Files that are wrong in one place, all loaded in this process: what one of them breaks, the next one
/// or the last test would show.
@Suite("Malformed files", .serialized)
struct MalformedModelTests {
  /// What became of a file.
  enum Outcome {
    case works
    case refused(FoveaError)
    case failed(FoveaError)
  }

  /// Loads a model and lets it write a little, about a picture where it has a projector.
  private func outcome(_ model: String, projector: String? = nil) async -> Outcome {
    let loaded: LanguageModel
    do throws(FoveaError) {
      loaded = try await LanguageModel.load(
        .gguf(model, projector: projector), options: LlamaOptions(contextSize: 1_024))
    } catch {
      return .refused(error)
    }
    let options = ExtractionOptions(maxTokens: 60)
    do throws(FoveaError) {
      let schema = try Schema(jsonSchema: Self.schema)
      if projector != nil, let picture = Self.picture {
        _ = try await loaded.extract(
          image: picture, prompt: "Read it.", schema: schema, options: options)
      } else {
        _ = try await loaded.extract(
          text: "12.50", prompt: "Read it.", schema: schema, options: options)
      }
      return .works
    } catch {
      return .failed(error)
    }
  }

  private static let schema = #"{"type":"object","properties":{"total":{"type":"number"}}}"#
  private static let picture = (try? Material.pictures())?.first.map { ImageInput.file($0) }

  /// Whether a failed assertion says no more of the machine that built llama.cpp than a file's name.
  private func namesNoSource(_ error: FoveaError) -> Bool {
    guard let cause = error.cause, cause.contains("GGML_ASSERT") else { return true }
    return !cause.prefix { $0 != "(" }.contains("/")
  }

  private func check(
    _ error: FoveaError, of file: String, code: FoveaError.Code, _ comment: Comment
  ) {
    #expect(error.code == code, comment)
    #expect(error.message.contains(file), comment)
    #expect(error.fix != nil, comment)
    #expect(namesNoSource(error), comment)
  }

  // MARK: Models

  /// Where every file is either refused by name or harmless.
  private func checkModels(_ files: [URL]) async -> (refused: Int, failed: Int, working: [String]) {
    var counts = (refused: 0, failed: 0, working: [String]())
    for file in files {
      switch await outcome(file.path) {
      case .works: counts.working.append(file.lastPathComponent)
      case .refused(let error):
        counts.refused += 1
        check(error, of: file.path, code: .invalidModel, "\(file.lastPathComponent): \(error)")
      case .failed(let error):
        counts.failed += 1
        #expect(error.code == .engineFailed, "\(file.lastPathComponent): \(error)")
      }
    }
    return counts
  }

  @Test(
    "the small files of the collection",
    .enabled(if: SharedData.isPresent, SharedData.missing))
  func collection() async throws {
    let files = SharedData.files(below: "gguf-malformed/files", extensions: ["gguf"])
    #expect(files.count == 47)
    let counts = await checkModels(files)
    #expect(counts.refused == 47, "\(counts)")
  }

  @Test(
    "the collection's changes of a real model",
    .enabled(if: SharedData.isPresent, SharedData.missing))
  func realModels() async throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let data = SharedData.folder
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", data.appendingPathComponent("gguf-malformed/make_malformed.py").path, folder.path,
      data.appendingPathComponent("models/stories260K/stories260K.gguf").path,
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.lastPathComponent.hasPrefix("real-") }.sorted { $0.path < $1.path }
    #expect(files.count == 32)
    let counts = await checkModels(files)
    // What a model of this kind does not need, or has a bound for.
    #expect(
      counts.working == [
        "real-llama.context_length-0.gguf", "real-llama.context_length-4294967295.gguf",
        "real-llama.vocab_size-0.gguf", "real-llama.vocab_size-511.gguf",
        "real-llama.vocab_size-600.gguf", "real-tokenizer.ggml.bos_token_id-99999.gguf",
        "real-tokenizer.ggml.eos_token_id-99999.gguf", "real-trailing-garbage.gguf",
      ])
    #expect(counts.refused == 23 && counts.failed == 1, "the weights of one are no numbers")
  }

  /// Each of these ends the process, or never ends, in llama.cpp alone.
  static let modelValues: [(model: String, key: String, value: UInt32)] = [
    ("llama", "block_count", 0), ("llama", "block_count", 513),
    ("llama", "expert_used_count", 2), ("gemma3", "rope.dimension_count", 0),
    ("lfm2", "rope.dimension_count", 0), ("lfm2", "rope.dimension_count", 7),
    ("lfm2", "rope.dimension_count", 64), ("lfm2", "shortconv.l_cache", 1),
    ("qwen35", "full_attention_interval", 0), ("qwen35", "ssm.group_count", 0),
    ("qwen35", "ssm.time_step_rank", 0), ("mamba", "ssm.conv_kernel", 0),
    ("mamba", "attention.layer_norm_rms_epsilon", Float.nan.bitPattern),
    ("qwen2vl", "attention.layer_norm_rms_epsilon", Float(-1).bitPattern),
  ]

  @Test("a model that is wrong in one number", arguments: modelValues)
  func model(model: String, key: String, value: UInt32) async throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let file = folder.appendingPathComponent("model.gguf")
    var editor = try GGUFEditor(path: TinyModelTests.file(model))
    let name = "\(model).\(key)"
    let isDone = editor.set(name, to: value)
    try #require(isDone || editor.add(name, value))
    try editor.write(to: file)
    guard case .refused(let error) = await outcome(file.path) else {
      Issue.record("\(name) = \(value) was not refused")
      return
    }
    check(error, of: file.path, code: .invalidModel, "\(error)")
    #expect(error.message.contains("damaged") && error.cause == nil, "our own check: \(error)")
  }

  // MARK: Projectors

  /// One change of the embedded projector.
  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    /// What the error says; nil: the file is harmless, or fails when it sees a picture.
    var says: String?
    var edit: @Sendable (inout GGUFEditor) -> Bool
    var testDescription: String { name }

    /// A value of "clip.vision.".
    static func value(_ key: String, _ value: UInt32) -> Change {
      Change(name: "\(key) \(value)", says: "clip.vision.\(key) is ") {
        $0.set("clip.vision.\(key)", to: value)
      }
    }
    /// A value of "clip.vision." that the file has not got.
    static func added(_ key: String, _ value: UInt32) -> Change {
      Change(name: "\(key) \(value)", says: "clip.vision.\(key) is ") {
        $0.add("clip.vision.\(key)", value)
      }
    }
    /// A value said to be of another type.
    static func type(_ key: String, _ type: UInt32, _ says: String) -> Change {
      Change(name: "\(key) of type \(type)", says: says) { $0.setType(of: key, to: type) }
    }
    static func without(_ tensor: String, says: String = "is missing") -> Change {
      Change(name: "without \(tensor)", says: says) { $0.hide(tensor: tensor) }
    }
  }

  static let changes: [Change] = [
    .value("patch_size", 0), .value("patch_size", 7), .value("patch_size", .max),
    .value("image_size", 100_000), .value("embedding_length", 0),
    .value("embedding_length", .max), .value("attention.head_count", 0),
    .value("attention.head_count", 1 << 30), .value("block_count", 100_000),
    .value("feed_forward_length", .max), .value("spatial_merge_size", 0),
    .value("spatial_merge_size", 1 << 20),
    .value("attention.layer_norm_epsilon", Float(-1).bitPattern),
    .value("attention.layer_norm_epsilon", Float.nan.bitPattern),
    .added("projector.scale_factor", 0), .added("projector.window_side", 0),
    .added("projector.query_side", 0), .added("projector.window_side", 1_000),
    .added("attention.head_count_kv", 0), .added("preproc_max_tiles", .max),
    .added("image_min_pixels", .max), .added("sam.head_count", 0),
    Change(name: "windows without patches", says: "windows of 8 pixels") {
      $0.add("clip.vision.n_wa_pattern", 8) && $0.add("clip.vision.window_size", 8)
    },
    Change(name: "no deviation of colours", says: "clip.vision.image_std is ") {
      $0.set("clip.vision.image_std", item: 1, to: 0)
    },
    Change(name: "no number as a mean of colours", says: "clip.vision.image_mean is ") {
      $0.set("clip.vision.image_mean", item: 2, to: Float.nan.bitPattern)
    },
    .type("clip.vision.patch_size", 5, "clip.vision.patch_size is i32, not u32"),
    .type("clip.vision.block_count", 6, "clip.vision.block_count is f32, not u32"),
    .type("clip.vision.attention.layer_norm_epsilon", 4, "is u32, not f32"),
    .type("clip.has_vision_encoder", 0, "clip.has_vision_encoder is u8, not bool"),
    .without("v.blk.2.attn_q.weight"), .without("v.blk.0.attn_out.weight"),
    .without("v.blk.3.ln2.weight"), .without("v.patch_embd.weight"),
    .without("mm.1.weight", says: "cannot be loaded"),
    .without("v.blk.1.ffn_up.weight", says: "cannot be loaded"),
    Change(name: "an unknown projector", says: "cannot be loaded") { editor in
      editor.pairs.first { $0.key == "clip.projector_type" }.map {
        editor.write(UInt8(ascii: "?"), at: $0.valueAt + 8)
      } != nil
    },
    Change(name: "weights of whole numbers", says: "'mm.1.bias' has the type i32") {
      $0.setType(ofTensor: "mm.1.bias", to: 26)
    },
    Change(name: "a tensor without numbers", says: "damaged") {
      $0.setLength(ofTensor: "v.pre_ln.weight", axis: 0, to: 0)
    },
    Change(name: "a tensor of another length", says: "damaged") {
      $0.setLength(ofTensor: "v.pre_ln.weight", axis: 0, to: 4_096)
    },
    Change(name: "cut in the header", says: "damaged") { $0.cut(to: 900) },
    Change(name: "cut behind the header", says: "would end at") { $0.cut(to: $0.headerEnd + 64) },
    Change(name: "the last byte is missing", says: "would end at") {
      $0.cut(to: $0.data.count - 1)
    },
    Change(name: "fewer blocks than there are") { $0.set("clip.vision.block_count", to: 2) },
    Change(name: "more blocks than there are", says: "cannot be loaded") {
      $0.set("clip.vision.block_count", to: 5)
    },
    Change(name: "another width") { $0.set("clip.vision.embedding_length", to: 64) },
    Change(name: "heads of part of a number") { $0.set("clip.vision.attention.head_count", to: 7) },
    Change(name: "merged where nothing is prepared for it") {
      $0.set("clip.vision.spatial_merge_size", to: 2)
    },
    Change(name: "another projection") { $0.set("clip.vision.projection_dim", to: 5) },
  ]

  @Test("a projector that is wrong in one place", arguments: changes)
  func projector(change: Change) async throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let file = folder.appendingPathComponent("mmproj.gguf")
    var editor = try GGUFEditor(path: Material.projector)
    try #require(change.edit(&editor))
    try editor.write(to: file)
    switch (await outcome(Material.model, projector: file.path), change.says) {
    case (.refused(let error), let says?):
      check(error, of: file.path, code: .invalidProjector, "\(error)")
      #expect(error.message.contains(says), "\(error)")
    case (.works, nil): break
    case (.failed(let error), nil):
      #expect(error.code == .engineFailed && error.cause != nil, "\(error)")
    case (let found, let says): Issue.record("\(found) instead of \(says ?? "no refusal")")
    }
  }

  // MARK: By chance

  static let files = [
    ("llama", "mmproj-pixtral"), ("lfm2", "mmproj-lfm2"), ("qwen35", "mmproj-qwen3vl_merger"),
    ("mamba", "mmproj-pixtral"), ("gemma3", "mmproj-gemma3"), ("qwen2vl", nil),
  ]

  @Test("headers that were changed by chance are refused or harmless", arguments: files)
  func chance(model: String, projector: String?) async throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let good = (try TinyModelTests.file(model), try projector.map { try TinyModelTests.file($0) })
    var generator = SeededGenerator(seed: 7)
    var counts = (works: 0, refused: 0, failed: 0)
    for round in 0..<120 {
      let isProjector = round % 2 == 1 && good.1 != nil
      let path = isProjector ? good.1 ?? good.0 : good.0
      var editor = try GGUFEditor(path: path)
      let change = editor.changeByChance(&generator)
      let file = folder.appendingPathComponent("\(round).gguf")
      try editor.write(to: file)
      let found =
        isProjector
        ? await outcome(good.0, projector: file.path)
        : await outcome(file.path, projector: good.1)
      switch found {
      case .works: counts.works += 1
      case .failed(let error):
        counts.failed += 1
        #expect(error.fix != nil || error.cause != nil, "\(change): \(error)")
      case .refused(let error):
        counts.refused += 1
        #expect(namesNoSource(error), "\(change): \(error)")
      }
      try FileManager.default.removeItem(at: file)
    }
    #expect(counts.refused > 30 && counts.works > 5, "\(counts)")
    // Nothing of it has harmed the process.
    guard case .works = await outcome(good.0, projector: good.1) else {
      Issue.record("the good files do not work any more")
      return
    }
  }
}
