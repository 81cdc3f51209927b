import Foundation
import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaLlama

@Suite("Loading")
struct LoadingTests {
  private func failure(
    _ model: String, projector: String? = nil
  ) async -> FoveaError? {
    await #expect(throws: FoveaError.self) {
      try await LanguageModel.load(.gguf(model, projector: projector))
    }
  }

  @Test("files that are no models")
  func wrongFiles() async throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    func file(_ name: String, _ data: Data) throws -> String {
      let url = folder.appendingPathComponent(name)
      try data.write(to: url)
      return url.path
    }
    let model = try Data(contentsOf: URL(fileURLWithPath: Material.model))
    #expect(await failure("\(folder.path)/none")?.code == .fileNotReadable)
    #expect(await failure(folder.path)?.code == .fileNotReadable)
    #expect(await failure(try file("empty", Data()))?.cause == "it is empty")
    #expect(await failure(try file("text", Data("Hello, world".utf8)))?.code == .invalidModel)
    let litert = await failure(try file("m.gguf", Data("LITERTLM0123".utf8)))
    #expect(litert?.cause?.contains("LiteRT-LM") == true)
    // Cut in the header, in the metadata, and in the tensors.
    for length in [4, 12, 200, 5_000, model.count / 2, model.count - 1] {
      let error = await failure(try file("cut-\(length)", model.prefix(length)))
      #expect(error?.code == .invalidModel, "cut after \(length) bytes")
      #expect(error?.fix != nil)
    }
    #expect(await failure(Material.projector)?.code == .invalidModel)
    #expect(
      await failure(Material.model, projector: Material.model)?.code == .invalidProjector)
    #expect(
      await failure(Material.model, projector: "\(folder.path)/none")?.code == .fileNotReadable)
  }
}

@Suite("Native return codes")
struct ReturnCodeTests {
  @Test("five kinds of codes are five kinds of errors, each with the cause")
  func codes() {
    func failure(_ code: Int32) -> FoveaError? {
      Native.failure(of: code, cause: "why", during: "a token", contextSize: 64)
    }
    #expect(failure(0) == nil)
    #expect(failure(1)?.code == .promptTooLong)
    #expect(failure(1)?.message.contains("64") == true)
    #expect(failure(2)?.code == .cancelled)
    let engine = [-1, -2, -3, Native.exceptionCode].map(failure)
    #expect(engine.allSatisfy { $0?.code == .engineFailed && $0?.cause == "why" })
    #expect(Set(engine.compactMap { $0?.message }).count == 4, "each says something else")
  }

  @Test("an exception of C++ becomes an error, not the end of the process")
  func exception() {
    let (result, cause) = Native.call { message, capacity in
      Native.throwingCall(message, capacity)
    }
    #expect(result == Native.exceptionCode)
    #expect(cause == "thrown on purpose")
  }
}
