import Testing

@testable import Fovea

/// Thinking, as templates of different make have it.
@Suite("Thinking in prompts")
struct ThinkingFormatTests {
  /// How a template writes thoughts, and what prompts of it end with.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var source: String
    var off: String
    var on: String
    var automatic: String
    var closing: String
    var opening: String?

    var testDescription: String { name }
  }

  /// Messages with a mark before each, and thoughts of answers.
  private static let messages = """
    {% for m in messages %}<{{ m.role }}>{% if m.reasoning_content %}<think>\n\
    {{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content }}{% endfor %}
    """

  static let cases = [
    Case(
      name: "a switch, off writes an empty thought",
      source: messages + """
        {% if add_generation_prompt %}<assistant>{% if enable_thinking is defined and not \
        enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}
        """,
      off: "<assistant><think>\n\n</think>\n\n", on: "<assistant><think>\n",
      automatic: "<assistant>", closing: "\n</think>\n\n", opening: "<think>"),
    Case(
      name: "the prompt begins the thought, no switch",
      source: messages + "{% if add_generation_prompt %}<assistant><think>\n{% endif %}",
      off: "<assistant><think>\n\n</think>\n\n", on: "<assistant><think>\n",
      automatic: "<assistant><think>\n", closing: "\n</think>\n\n", opening: nil),
    Case(
      name: "another switch, which closes at once",
      source: messages + """
        {% if add_generation_prompt %}<assistant>{% if thinking %}<think>\n{% else %}</think>\
        {% endif %}{% endif %}
        """,
      off: "<assistant></think>", on: "<assistant><think>\n", automatic: "<assistant></think>",
      closing: "\n</think>\n\n", opening: nil),
    Case(
      name: "an answer has a mark of its own",
      source: """
        {% for m in messages %}<|start|>{{ m.role }}{% if m.role == 'assistant' %}{% if m.thinking %}\
        <|channel|>analysis<|message|>{{ m.thinking }}<|end|><|start|>assistant{% endif %}\
        <|channel|>final{% endif %}<|message|>{{ m.content }}<|end|>{% endfor %}\
        {% if add_generation_prompt %}<|start|>assistant{% endif %}
        """,
      off: "<|start|>assistant<|channel|>final<|message|>",
      on: "<|start|>assistant<|channel|>analysis<|message|>", automatic: "<|start|>assistant",
      closing: "<|end|><|start|>assistant<|channel|>final<|message|>",
      opening: "<|channel|>analysis<|message|>"),
    Case(
      name: "only thoughts of earlier answers are cut",
      source: """
        {% for m in messages %}<{{ m.role }}>{{ m.content.split('</think>')[-1] }}{% endfor %}\
        {% if add_generation_prompt %}<assistant>{% endif %}
        """,
      off: "<assistant>", on: "<assistant><think>\n", automatic: "<assistant>",
      closing: "\n</think>\n\n", opening: "<think>"),
  ]

  @Test("off, on and automatic, by what the template offers", arguments: cases)
  func modes(_ test: Case) throws {
    let format = try PromptFormat(source: test.source, speaksChatML: false, tokenTexts: [:])
    func prompt(_ mode: Thinking) throws -> (text: String, plan: ThinkingPlan?) {
      let rendered = try format.render([Message(.user, "Hi")], thinking: mode, now: 0)
      let text = rendered.parts.map { part -> String in
        switch part {
        case .trusted(let text), .untrusted(let text): text
        case .image: "?"
        }
      }
      return (text.joined(), rendered.thinking)
    }
    let off = try prompt(.off)
    #expect(off.text.hasSuffix("Hi" + test.off) || off.text.hasSuffix(test.off))
    #expect(off.plan == nil)
    let on = try prompt(.on(budget: 7))
    #expect(on.text.hasSuffix(test.on))
    #expect(on.plan == ThinkingPlan(closing: test.closing, budget: 7))
    let automatic = try prompt(.automatic)
    #expect(automatic.text.hasSuffix(test.automatic))
    let isClosed = test.automatic.hasSuffix("</think>")
    #expect(
      automatic.plan
        == (isClosed ? nil : ThinkingPlan(opening: test.opening, closing: test.closing)))
  }

  @Test("a budget for a model without thoughts is an error")
  func noThoughts() throws {
    let format = try PromptFormat(source: nil, speaksChatML: true, tokenTexts: [:])
    let error = #expect(throws: FoveaError.self) {
      try format.render([Message(.user, "Hi")], thinking: .on(budget: 5), now: 0)
    }
    #expect(error?.code == .unsupportedByModel)
  }

  @Test("a value that a template does not spell is not tried on it")
  func unknownEffort() throws {
    let source = """
      Effort: {{ reasoning_effort or 'medium' }}. {% for m in messages %}{{ m.content }}{% endfor %}
      """
    let format = try PromptFormat(source: source, speaksChatML: false, tokenTexts: [:])
    let prompt = try format.render([Message(.user, "Hi")], thinking: .off, now: 0)
    #expect(prompt.parts.first == .trusted("Effort: low. "))
  }
}
