internal import Foundation
internal import Fovea

/// The small receipt reader that comes with Fovea.
enum EmbeddedModel {
  private static let folders = ["Models/tiny-receipt", "share/fovea/tiny-receipt"]
  private static let model = "fovea-tiny-f16.gguf"
  private static let projector = "mmproj-fovea-tiny-f16.gguf"

  /// Finds its files above the program: in the source tree it was built in, or below the prefix it
  /// was installed into.
  static func files() throws(FoveaError) -> ModelFiles {
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
    var folder = program?.deletingLastPathComponent()
    while let current = folder, current.path != "/" {
      for name in folders {
        let path = current.appendingPathComponent(name).path
        if FileManager.default.fileExists(atPath: "\(path)/\(model)") {
          return .gguf("\(path)/\(model)", projector: "\(path)/\(projector)")
        }
      }
      folder = current.deletingLastPathComponent()
    }
    throw FoveaError(
      .invalidModel, "the embedded model is not where this program is",
      fix: "give a model with --model, or run the program from where it was built or installed")
  }
}
