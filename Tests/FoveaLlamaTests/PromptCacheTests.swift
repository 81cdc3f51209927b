import Foundation
import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// The beginning of prompts, evaluated ahead of time and kept on disk: answers must be those of a model
/// that did nothing of the kind.
@Suite("Prompt cache", .serialized)
struct PromptCacheTests {
  private struct Purchase: StructuredOutput {
    let vendor: String
    let total: Decimal
  }

  private static let text = "CORNER SHOP\n2 Tea   4.80\nTotal   4.80"
  private static let options = ExtractionOptions(maxTokens: 60)

  private static func load(
    _ kind: TinyModelTests.Kind, together count: Int = 1, apart: Bool = false
  ) async throws -> LanguageModel {
    var options = LlamaOptions(contextSize: 1_024, threadCount: 1, parallelRequests: count)
    options.evaluatesApart = apart
    return try await .load(.gguf(TinyModelTests.file(kind.model)), options: options)
  }

  private static func ask(_ model: LanguageModel) async throws -> Extraction<Purchase> {
    try await model.extract(
      text: text, prompt: "Extract the purchase.", as: Purchase.self, options: options)
  }

  private func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // the system clears it as well
    try await body(folder)
  }

  @Test(
    "what was kept serves another process's model as if it had evaluated it",
    arguments: TinyModelTests.kinds)
  func kinds(kind: TinyModelTests.Kind) async throws {
    let expected = try await Self.ask(Self.load(kind))
    #expect(expected.usage.reusedTokens == 0)
    try await inFolder { (folder) async throws -> Void in
      let first = try await Self.load(kind)
      let written = try await first.prepare(for: Purchase.self, promptCache: folder.path)
      #expect(written.source == .evaluation)
      #expect(written.tokenCount > 50)
      #expect(try await Self.ask(first).json == expected.json)

      // A running state is not copied from one sequence to another.
      let isCopied = !["lfm2", "qwen35", "mamba"].contains(kind.model)
      let loads: [(count: Int, apart: Bool, source: PreparedPrompt.Source)] = [
        (1, false, .file), (3, false, .evaluation), (3, false, .file), (3, true, .file),
      ]
      for load in loads {
        let model = try await Self.load(kind, together: load.count, apart: load.apart)
        let read = try await model.prepare(for: Purchase.self, promptCache: folder.path)
        #expect(
          read == PreparedPrompt(tokenCount: written.tokenCount, source: load.source))
        // In each lane, and behind other answers.
        for number in 0...load.count {
          let answer = try await Self.ask(model)
          #expect(answer.json == expected.json)
          if load.apart || isCopied || number == 0 {
            #expect(answer.usage.reusedTokens >= written.tokenCount)
          }
        }
      }
    }
  }

  @Test("prepared, the first answer needs no more than the document, on disk or not")
  func first() async throws {
    let model = try await Self.load(TinyModelTests.kinds[0], together: 2, apart: true)
    let prepared = try await model.prepare(for: Purchase.self)
    #expect(prepared.source == .evaluation)
    for _ in 0..<2 {
      #expect(try await Self.ask(model).usage.reusedTokens >= prepared.tokenCount)
    }
    #expect(try await model.prepare(for: Purchase.self).source == .memory)
    try await inFolder { (folder) async throws -> Void in
      // In memory, but not on disk.
      #expect(
        try await model.prepare(for: Purchase.self, promptCache: folder.path).source == .evaluation)
      #expect(
        try await model.prepare(for: Purchase.self, promptCache: folder.path).source == .memory)
    }
  }

  private struct Other: StructuredOutput {
    let iban: String
  }

  private static func files(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  @Test("each model, way to compute, number of sequences and type has a file of its own")
  func owners() async throws {
    try await inFolder { (folder) async throws -> Void in
      let kind = TinyModelTests.kinds[0]
      func load(_ change: (inout LlamaOptions) -> Void) async throws -> LanguageModel {
        var options = LlamaOptions(contextSize: 1_024)
        change(&options)
        return try await .load(.gguf(TinyModelTests.file(kind.model)), options: options)
      }
      let model = try await Self.load(kind)
      let others: [LanguageModel] = [
        try await Self.load(TinyModelTests.kinds[4]),
        try await Self.load(kind, together: 3),
        try await load { $0.usesFlashAttention = true },
      ]
      for number in 0...1 {
        var sources: [PreparedPrompt.Source] = []
        for model in [model] + others {
          sources.append(
            try await model.prepare(for: Purchase.self, promptCache: folder.path).source)
        }
        sources.append(try await model.prepare(for: Other.self, promptCache: folder.path).source)
        let isSecond = number == 1
        #expect(sources.dropLast().allSatisfy { $0 == (isSecond ? .memory : .evaluation) })
        #expect(sources.last == (isSecond ? .file : .evaluation))
        #expect(try Self.files(in: folder).count == 5)
        // The other type's beginning is in memory now.
        if number == 0 { _ = try await model.prepare(for: Purchase.self) }
      }
    }
  }

  /// Expects that whatever stands in the file instead is written anew, and that answers are right.
  private func expectRewritten(_ instead: (Data) throws -> [Data]) async throws {
    let kind = TinyModelTests.kinds[0]
    let expected = try await Self.ask(Self.load(kind)).json
    try await inFolder { (folder) async throws -> Void in
      _ = try await Self.load(kind).prepare(for: Purchase.self, promptCache: folder.path)
      let file = try #require(try Self.files(in: folder).first)
      let whole = try Data(contentsOf: file)
      for (number, content) in try instead(whole).enumerated() {
        try content.write(to: file)
        let model = try await Self.load(kind)
        let prepared = try await model.prepare(for: Purchase.self, promptCache: folder.path)
        #expect(prepared.source == .evaluation, "content \(number)")
        #expect(try await Self.ask(model).json == expected)
        #expect(try Data(contentsOf: file) == whole)
      }
    }
  }

  @Test("a damaged file is written anew, and the answer is right")
  func damage() async throws {
    var random = SeededGenerator(seed: 5)
    try await expectRewritten { whole in
      (0..<24).map { round in
        if round < 12 {
          return whole.prefix(round == 0 ? 0 : Int.random(in: 1..<whole.count, using: &random))
        }
        var damaged = whole
        damaged[Int.random(in: 0..<whole.count, using: &random)] ^= 1 << UInt8(round % 8)
        return damaged
      }
    }
  }

  @Test("a state that llama.cpp refuses is evaluated instead")
  func refusedState() async throws {
    try await expectRewritten { whole in
      let size = 12 + Int(whole[8..<12].reversed().reduce(0) { $0 << 8 | UInt64($1) })
      let state = whole[size...].dropLast(8)
      // Right by its hash, wrong by its content.
      return [Data(), state.prefix(100), state.dropLast(), state + Data([0])].map { wrong in
        var content = whole[..<size] + wrong
        var hash = StableHash()
        hash.combine(content)
        withUnsafeBytes(of: hash.value.littleEndian) { content += $0 }
        return content
      }
    }
  }

  @Test("a folder that cannot be written to is an error, and the model is as good as before")
  func refusals() async throws {
    let model = try await Self.load(TinyModelTests.kinds[0])
    let nowhere = "/nowhere/at/all"
    let error = await #expect(throws: FoveaError.self) {
      try await model.prepare(for: Purchase.self, promptCache: nowhere)
    }
    #expect(error?.code == .fileNotWritable)
    #expect(error?.message.contains(nowhere) == true)
    #expect(try await Self.ask(model).usage.reusedTokens > 50)
    try await inFolder { (folder) async throws -> Void in
      _ = try await model.prepare(for: Purchase.self, promptCache: folder.path)
      let file = try #require(try Self.files(in: folder).first)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      let unreadable = await #expect(throws: FoveaError.self) {
        try await model.prepare(for: Purchase.self, promptCache: folder.path)
      }
      #expect(unreadable?.code == .fileNotReadable)
    }
  }

  @Test("a beginning that does not fit the context is an error")
  func tooLong() async throws {
    let model = try await LanguageModel.load(
      .gguf(TinyModelTests.file(TinyModelTests.kinds[0].model)),
      options: LlamaOptions(contextSize: 64))
    let error = await #expect(throws: FoveaError.self) {
      try await model.prepare(for: Purchase.self)
    }
    #expect(error?.code == .promptTooLong)
  }

  @Test("a fingerprint tells files apart that differ in one block of those it looks at")
  func fingerprints() async throws {
    try await inFolder { (folder) async throws -> Void in
      func fingerprint(_ bytes: Data) throws -> String {
        let file = folder.appendingPathComponent("model")
        try bytes.write(to: file)
        return try ModelFingerprint(path: file.path).text
      }
      let small = Data((0..<5_000).map { UInt8($0 % 251) })
      var changed = small
      changed[4_999] ^= 1
      #expect(try fingerprint(small) == fingerprint(small))
      #expect(try fingerprint(small) != fingerprint(changed))
      #expect(try fingerprint(small) != fingerprint(small + [0]))
      let large = Data(count: 6_000_000)
      var other = large
      other[other.count - 1] = 1
      #expect(try fingerprint(large) != fingerprint(other))
      other = large
      other[0] = 1
      #expect(try fingerprint(large) != fingerprint(other))
    }
  }
}
