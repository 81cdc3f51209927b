import Foundation
import Fovea
import FoveaImages
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// Thoughts in the real engine. The embedded model has nothing to think, but writes all the same.
@Suite("Thoughts of a real model")
struct ThoughtTests {
  private static let template = """
    {% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.reasoning_content %}<think>\n\
    {{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}\
    {% if add_generation_prompt %}<|im_start|>assistant\n{% if enable_thinking is defined and not \
    enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}
    """

  private func load(contextSize: Int? = nil) async throws -> LanguageModel {
    try await LanguageModel.load(
      .gguf(Material.model, projector: Material.projector),
      options: LlamaOptions(contextSize: contextSize, chatTemplate: Self.template))
  }

  @Test(
    "within the budget, closed, and then an answer that matches the type", arguments: [0, 1, 20])
  func budget(_ budget: Int) async throws {
    let model = try await load()
    let closing = try Tokenizer(path: Material.model, chatTemplate: Self.template)
      .tokenize([.trusted("\n</think>\n\n")]).count
    let picture = try #require(try Material.pictures().first)
    let extraction = try await model.extract(
      image: .file(picture.path), prompt: "Total?", as: Receipt.self,
      options: ExtractionOptions(maxTokens: 600, thinking: .on(budget: budget)))
    #expect(!extraction.value.vendor.contains("<think>"))
    #expect(extraction.usage.thinkingTokens <= budget + closing + 1)
    #expect(extraction.usage.thinkingTokens >= min(budget, 1))
    #expect(extraction.thinking.isEmpty || budget > 0)
  }

  @Test("a thought leaves room for the answer in a small context")
  func smallContext() async throws {
    let model = try await load(contextSize: 400)
    let result = try await model.respond(
      to: [Message(.user, "Hi")], constraint: .choice(["yes", "no"]),
      options: ResponseOptions(
        maxTokens: 40, sampling: SamplingOptions(), thinking: .on(budget: 100_000)))
    #expect(["yes", "no"].contains(result.text))
    let used = result.usage.promptTokens + result.usage.thinkingTokens
    #expect(used + 40 <= model.description.contextSize + 1)
  }

  @Test("cancelling stops a thought")
  func cancellation() async throws {
    let model = try await load()
    let task = Task {
      try await model.respond(
        to: [Message(.user, "Hi")],
        options: ResponseOptions(
          maxTokens: 8, sampling: SamplingOptions(), thinking: .on(budget: 1 << 20)))
    }
    task.cancel()
    let error = await #expect(throws: FoveaError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}

/// What a model file says about itself beside its weights.
@Suite("Metadata of model files")
struct MetadataTests {
  /// The beginning of a GGUF file without tensors.
  private struct GGUF {
    private var pairs = Data()
    private var count: UInt64 = 0

    mutating func set(_ key: String, _ value: String) {
      add(key, type: 8) { $0.append(Self.text(value)) }
    }

    mutating func set(_ key: String, _ value: Float) {
      add(key, type: 6) { $0.append(Self.bytes(value.bitPattern)) }
    }

    mutating func set(_ key: String, _ value: UInt32) {
      add(key, type: 4) { $0.append(Self.bytes(value)) }
    }

    private mutating func add(_ key: String, type: UInt32, _ write: (inout Data) -> Void) {
      pairs.append(Self.text(key))
      pairs.append(Self.bytes(type))
      write(&pairs)
      count += 1
    }

    private static func bytes<T: FixedWidthInteger>(_ value: T) -> Data {
      withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }

    private static func text(_ text: String) -> Data {
      bytes(UInt64(text.utf8.count)) + Data(text.utf8)
    }

    var data: Data {
      Data("GGUF".utf8) + Self.bytes(UInt32(3)) + Self.bytes(UInt64(0)) + Self.bytes(count) + pairs
    }
  }

  private func check(_ file: GGUF) throws -> ModelFileCheck {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let path = folder.appendingPathComponent("model.gguf")
    try file.data.write(to: path)
    return try ModelFileCheck(path: path.path, role: .model)
  }

  @Test("the template and how tokens are chosen")
  func promptFacts() throws {
    var file = GGUF()
    file.set("general.architecture", "llama")
    file.set("tokenizer.chat_template", "{{ messages }}")
    file.set("general.sampling.temp", Float(0.5))
    file.set("general.sampling.top_k", UInt32(20))
    file.set("general.sampling.top_p", Float(0.75))
    file.set("general.sampling.min_p", Float(7))
    let check = try check(file)
    #expect(check.chatTemplate == "{{ messages }}")
    // A value that no sampler can work with is left out.
    #expect(check.sampling == SamplingOptions(temperature: 0.5, topK: 20, topP: 0.75))
  }

  @Test("a file that says nothing about them")
  func nothing() throws {
    var file = GGUF()
    file.set("general.architecture", "llama")
    let check = try check(file)
    #expect(check.chatTemplate == nil)
    #expect(check.sampling == nil)
  }
}
