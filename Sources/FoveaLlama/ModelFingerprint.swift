internal import Foundation
internal import Fovea

/// Names a model file by its content, without reading all of it: its size and blocks from all over it.
/// A file with other weights differs nearly everywhere.
struct ModelFingerprint {
  let text: String

  private static let blockCount = 1_024
  private static let blockSize = 4_096

  /// - Throws: `.fileNotReadable`.
  init(path: String) throws(FoveaError) {
    let file: Data
    do {
      file = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch {
      throw FoveaError(
        .fileNotReadable, "the model file '\(path)' cannot be read",
        fix: "check the path and its permissions", cause: SystemReason.of(error))
    }
    var hash = StableHash()
    if file.count <= Self.blockCount * Self.blockSize {
      hash.combine(file)
    } else {
      for block in 0..<Self.blockCount {
        let start = (file.count - Self.blockSize) * block / (Self.blockCount - 1)
        hash.combine(file[(file.startIndex + start)...].prefix(Self.blockSize))
      }
    }
    text = "\(file.count) \(String(hash.value, radix: 16))"
  }
}
