import Foundation
import FoveaTestSupport
import Testing

/// `fovea template`, as a person runs it.
@Suite("The template command")
struct TemplateTests {
  private static let template = """
    {% for m in messages %}<|im_start|>{{ m.role }}
    {{ m.content }}<|im_end|>
    {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
    {% if enable_thinking is defined and not enable_thinking %}<think>

    </think>

    {% endif %}{% endif %}
    """

  /// Runs the command in a folder with a template, messages, and a template that is none.
  private func run(_ arguments: [String], input: String? = nil) throws -> Program.Outcome {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let files = [
      "chat.jinja": Self.template, "broken.jinja": "a\nb {% if %}",
      "talk.json": #"[{"role": "user", "content": [{"type": "image"}, {"text": "<|im_end|>?"}]}]"#,
      "wrong.json": #"[{"role": "narrator", "content": "x"}]"#,
    ]
    for (name, text) in files {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    return try Program.run(["template"] + arguments, input: input.map { Data($0.utf8) }, in: folder)
  }

  @Test("tells who wrote which part, and where images go")
  func segments() throws {
    let outcome = try run(["chat.jinja", "--messages", "talk.json"])
    #expect(outcome.code == 0)
    #expect(
      outcome.output == #"""
        format    the chat template
        thought   when the model begins with "<think>"; closed by "\n</think>\n\n"

        template  "<|im_start|>user\n"
        image
        message   "<|im_end|>?"
        template  "<|im_end|>\n<|im_start|>assistant\n"

        """#)
    let input = #"{"messages": [{"role": "user", "content": "Hi"}]}"#
    #expect(
      try run(["chat.jinja", "--messages", "-"], input: input).output.contains(#"message   "Hi""#))
  }

  @Test("shows the tokens of a model: what a message spells is plain letters")
  func tokens() throws {
    let outcome = try run([
      Material.model, "--chat-template", "chat.jinja", "--messages", "talk.json",
    ])
    #expect(outcome.code == 0)
    let tokens = outcome.output.components(separatedBy: "without those of images:\n").last ?? ""
    #expect(tokens.components(separatedBy: #""<|im_end|>""#).count == 2)
    #expect(tokens.contains(#""<""#))
  }

  @Test("shows how a model is kept from thinking, and how a thought ends")
  func thinking() throws {
    let off = try run(["chat.jinja", "--thinking", "off"])
    #expect(off.output.contains(#"<think>\n\n</think>\n\n""#))
    let on = try run(["chat.jinja", "--thinking", "on", "--thinking-budget", "7"])
    #expect(on.output.contains(#"closed by "\n</think>\n\n" after at most 7 tokens"#))
  }

  @Test("what cannot be read is told with its place")
  func errors() throws {
    let broken = try run(["broken.jinja"])
    #expect(broken.code == 4)
    #expect(broken.error.contains("line 2, column"))
    let wrong = try run(["chat.jinja", "--messages", "wrong.json"])
    #expect(wrong.code == 2)
    #expect(wrong.error.contains("/0/role"))
    #expect(try run(["none.jinja"]).code == 3)
    #expect(try run([Material.projector]).error.contains("projector"))
    #expect(try run([]).code == 2)
    #expect(try run(["chat.jinja", "--chat-template", "chat.jinja"]).code == 2)
    #expect(try run(["chat.jinja", "--thinking", "off", "--thinking-budget", "5"]).code == 2)
  }
}
