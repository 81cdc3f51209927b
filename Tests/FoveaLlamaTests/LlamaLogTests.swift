import Foundation
import Fovea
import FoveaLlama
import FoveaTestSupport
import Testing

@Suite("Lines that llama.cpp logs", .serialized)
struct LlamaLogTests {
  /// Lines of all threads.
  private final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [(level: LlamaLog.Level, text: String)] = []
    func add(_ level: LlamaLog.Level, _ text: String) {
      lock.withLock { lines.append((level, text)) }
    }
    var all: [(level: LlamaLog.Level, text: String)] { lock.withLock { lines } }
  }

  @Test("a handler gets whole lines with their levels, and none when it is taken away")
  func handler() async throws {
    let lines = Lines()
    LlamaLog.setHandler { lines.add($0, $1) }
    defer { LlamaLog.setHandler(nil) }
    _ = try await LanguageModel.load(.gguf(Material.model, projector: Material.projector))
    let loaded = lines.all
    #expect(loaded.contains { $0.level == .info && $0.text.contains("general.architecture") })
    #expect(loaded.contains { $0.text.contains("clip") })
    #expect(loaded.allSatisfy { !$0.text.isEmpty && !$0.text.contains("\n") })

    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let file = folder.appendingPathComponent("cut.gguf")
    try Data(contentsOf: URL(fileURLWithPath: Material.model)).prefix(5_000).write(to: file)
    let error = await #expect(throws: FoveaError.self) {
      try await LanguageModel.load(.gguf(file.path))
    }
    let cause = try #require(error?.cause)
    #expect(lines.all.contains { $0.level == .error && $0.text == cause })

    LlamaLog.setHandler(nil)
    let name = "cut again.gguf"
    let other = folder.appendingPathComponent(name)
    try FileManager.default.moveItem(at: file, to: other)
    _ = await #expect(throws: FoveaError.self) { try await LanguageModel.load(.gguf(other.path)) }
    #expect(!lines.all.contains { $0.text.contains(name) })
  }
}
