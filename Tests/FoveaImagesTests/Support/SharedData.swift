import Foundation

/// Odd image files that are too many and too large to live in the repository.
enum SharedData {
  /// The folder of image files, or nil where it is not on this machine.
  static let images: String? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let given = ProcessInfo.processInfo.environment["FOVEA_SHARED_DATA"]
    let data = given ?? root.deletingLastPathComponent().appendingPathComponent("shared/data").path
    let folder = data + "/images"
    return FileManager.default.fileExists(atPath: folder + "/made/index.tsv") ? folder : nil
  }()
}
