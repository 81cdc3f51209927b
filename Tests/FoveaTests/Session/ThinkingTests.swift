import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Thinking from the options to the answer, with an engine that writes what it is told.
@Suite("Thinking before an answer")
struct ThinkingTests {
  struct Total: StructuredOutput, Equatable {
    let total: Int
  }

  /// A template of a model that thinks unless it is told not to.
  private static let template = """
    {% for m in messages %}<{{ m.role }}>{% if m.reasoning_content %}<think>\n\
    {{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content }}{% endfor %}\
    {% if add_generation_prompt %}<assistant>{% if enable_thinking is defined and not \
    enable_thinking %}<think>\n\n</think>\n\n{% else %}<think>\n{% endif %}{% endif %}
    """

  private func model(_ script: String) -> LanguageModel {
    LanguageModel(engine: ScriptedEngine(script, chatTemplate: Self.template))
  }

  private func extract(
    _ script: String, _ thinking: Thinking
  ) async throws -> Extraction<Total> {
    try await model(script).extract(
      text: "TOTAL 12", prompt: "Total?", as: Total.self,
      options: ExtractionOptions(thinking: thinking))
  }

  @Test("off: the grammar begins with the first token")
  func off() async throws {
    let result = try await extract(#"{"total":12}"#, .off)
    #expect(result.value == Total(total: 12))
    #expect(result.thinking.isEmpty)
    #expect(result.usage.thinkingTokens == 0)
  }

  @Test("on: the thought is free text and no part of the answer, which the grammar begins with")
  func on() async throws {
    let thought = "Twelve? <b>{\"total\": 99}</b> </thin"
    let script = thought + "\n</think>\n\n" + #"{"total":12}"#
    let result = try await extract(script, .on(budget: 1_000))
    #expect(result.value == Total(total: 12))
    #expect(result.thinking == thought)
    #expect(result.json == #"{"total":12}"#)
  }

  @Test("on: over the budget the thought is closed, and the answer still matches")
  func budget() async throws {
    let result = try await extract("I think and think and never stop", .on(budget: 7))
    #expect(result.thinking == "I think")
    #expect(result.usage.thinkingTokens == 7 + "\n</think>\n\n".utf8.count)
    // The script goes on with words, of which the grammar takes none.
    #expect(result.json.hasPrefix(#"{"total":"#))
  }

  @Test("on: a budget of nothing is an empty thought")
  func noBudget() async throws {
    let result = try await extract(#"{"total":12}"#, .on(budget: 0))
    #expect(result.value == Total(total: 12))
    #expect(result.thinking.isEmpty)
  }

  @Test("a conversation streams the thought apart from the answer")
  func conversation() async throws {
    let model = model("Let me see.\n</think>\n\nForty-two.")
    var thought = ""
    var text = ""
    var final: GenerationResult?
    for try await event in model.streamResponse(to: [Message(.user, "?")]) {
      switch event {
      case .thinking(let piece): thought += piece
      case .text(let piece): text += piece
      case .finished(let result): final = result
      }
    }
    #expect(thought == "Let me see.")
    #expect(text == "Forty-two.")
    #expect(final?.text == text)
    #expect(final?.thinking == thought)
  }

  @Test("an answer with a constraint does not begin with a thought unasked")
  func constrainedConversation() async throws {
    let result = try await model("yes").respond(
      to: [Message(.user, "?")], constraint: .choice(["yes", "no"]))
    #expect(result.text == "yes")
    #expect(result.thinking.isEmpty)
  }
}
