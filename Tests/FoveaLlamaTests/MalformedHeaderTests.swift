import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Models and projectors of every kind whose headers are wrong where nobody has chosen it.
@Suite("Headers changed by chance", .serialized)
struct MalformedHeaderTests {
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
        ? await LoadOutcome.of(good.0, projector: file.path)
        : await LoadOutcome.of(file.path, projector: good.1)
      switch found {
      case .works: counts.works += 1
      case .failed(let error):
        counts.failed += 1
        #expect(error.fix != nil || error.cause != nil, "\(change): \(error)")
      case .refused(let error):
        counts.refused += 1
        #expect(LoadOutcome.namesNoSource(error), "\(change): \(error)")
      }
      try FileManager.default.removeItem(at: file)
    }
    #expect(counts.refused > 30 && counts.works > 5, "\(counts)")
    // Nothing of it has harmed the process.
    guard case .works = await LoadOutcome.of(good.0, projector: good.1) else {
      Issue.record("the good files do not work any more")
      return
    }
  }
}
