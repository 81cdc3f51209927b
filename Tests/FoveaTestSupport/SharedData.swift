package import Foundation
package import Testing

/// Public test data that is not part of the repository: JSON Schemas with instances, the JSON
/// Schema test suite, receipts.
///
/// Looked for in the folder named by `FOVEA_SHARED_DATA`, else in `shared/data` beside the
/// repository.
package enum SharedData {
  /// Why a test that needs the data does not run.
  package static let missing: Comment =
    "the shared test data is not here: set FOVEA_SHARED_DATA to a folder with structured/maskbench (guidance-ai/jsonschemabench) and structured/json-schema-test-suite (json-schema-org/JSON-Schema-Test-Suite)"

  /// The folder, whether it exists or not.
  package static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["FOVEA_SHARED_DATA"], !path.isEmpty {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    var repository = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { repository.deleteLastPathComponent() }
    return repository.appendingPathComponent("../shared/data", isDirectory: true)
      .standardizedFileURL
  }()

  /// Whether the data is here.
  package static var isPresent: Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("structured").path)
  }

  /// The files below a folder with one of the extensions, sorted by path.
  package static func files(below path: String, extensions: Set<String>) -> [URL] {
    let start = folder.appendingPathComponent(path, isDirectory: true)
    guard let found = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
    else { return [] }
    let files = found.compactMap { $0 as? URL }.filter { extensions.contains($0.pathExtension) }
    return files.sorted { $0.path < $1.path }
  }
}
