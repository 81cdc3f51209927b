package import Foundation

/// Where the files are that tests need.
package enum Material {
  /// The root of the source tree.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The embedded model's text half.
  package static let model = root.appendingPathComponent("Models/tiny-receipt/fovea-tiny-f16.gguf")
    .path
  /// The embedded model's projector.
  package static let projector = root.appendingPathComponent(
    "Models/tiny-receipt/mmproj-fovea-tiny-f16.gguf"
  ).path
  /// The example receipts.
  package static let receipts = root.appendingPathComponent("Examples/receipts")

  /// The pictures among the example receipts, by name.
  package static func pictures() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: receipts, includingPropertiesForKeys: nil)
      .filter { ["png", "jpg"].contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
  }

  /// SmolLM2-135M-Instruct, fetched by `scripts/fetch-models smollm2`; `make test` sets the
  /// variable. Nil where nobody fetched it.
  package static let smolLM2 = ProcessInfo.processInfo.environment["FOVEA_SMOLLM2"]

  /// Models with random weights, one for each kind of memory, and projectors for them: the folder that
  /// `scripts/make-tiny-models` prints; `make test` sets the variable.
  package static let tinyModels = ProcessInfo.processInfo.environment["FOVEA_TINY_MODELS"]
    .map { URL(fileURLWithPath: $0, isDirectory: true) }

  /// The source of the pinned llama.cpp, with its grammars and vocabularies: the folder that
  /// `scripts/setup --print-source` prints; `make test` sets the variable.
  package static let llamaSource = ProcessInfo.processInfo.environment["FOVEA_LLAMA_SOURCE"]
    .map { URL(fileURLWithPath: $0, isDirectory: true) }

  /// A new folder for a test's files; the caller removes it.
  package static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
