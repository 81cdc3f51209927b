import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Models that are wrong in one place, all loaded in this process: what one of them breaks, the next one
/// or the last test would show.
@Suite("Malformed models", .serialized)
struct MalformedModelTests {
  /// Where every file is either refused by name or harmless.
  private func checkModels(_ files: [URL]) async -> (refused: Int, failed: Int, working: [String]) {
    var counts = (refused: 0, failed: 0, working: [String]())
    for file in files {
      switch await LoadOutcome.of(file.path) {
      case .works: counts.working.append(file.lastPathComponent)
      case .refused(let error):
        counts.refused += 1
        LoadOutcome.check(
          error, of: file.path, code: .invalidModel, "\(file.lastPathComponent): \(error)")
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
    guard case .refused(let error) = await LoadOutcome.of(file.path) else {
      Issue.record("\(name) = \(value) was not refused")
      return
    }
    LoadOutcome.check(error, of: file.path, code: .invalidModel, "\(error)")
    #expect(error.message.contains("damaged") && error.cause == nil, "our own check: \(error)")
  }
}
