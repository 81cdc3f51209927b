/// How a chat template writes a model's thoughts, found by rendering it.
///
///     …<|im_start|>assistant\n │ <think>\n │ Let me see. │ \n</think>\n\n │ 42<|im_end|>
///     prompt                     opening     thought       closing          answer
struct ThinkingMarks: Sendable {
  /// What begins a thought; empty when the template has none.
  private var opening = ""
  /// What stands between a thought and the answer.
  private var closing = ""
  /// What the template writes before an answer without a thought, where the prompt ends.
  private var beforeAnswer = ""
  /// The template's switches that make a difference, with their values for off and on.
  private var found: [Switch] = []

  /// A name by which a template lets callers choose.
  private struct Switch: Sendable {
    var name: String
    var off: Value
    var on: Value
    /// Whether the value counts only in templates that spell it: others write any value into the
    /// prompt, known to the model or not.
    var mustBeSpelled = false
    /// Whether the template thinks when it is told nothing.
    var isOnByDefault = false
  }

  private enum Value: Sendable {
    case boolean(Bool)
    case text(String)
    case integer(Int)

    var value: TemplateValue {
      switch self {
      case .boolean(let value): .boolean(value)
      case .text(let text): .text(text)
      case .integer(let value): .integer(value)
      }
    }
  }

  /// Names that templates use, with the values that turn thinking off and on. Only those that
  /// change what a template renders are used.
  private static let switches: [Switch] = [
    Switch(name: "enable_thinking", off: .boolean(false), on: .boolean(true)),
    Switch(name: "thinking", off: .boolean(false), on: .boolean(true)),
    Switch(name: "thinking_mode", off: .text("disabled"), on: .text("enabled")),
    Switch(name: "reasoning_mode", off: .text("/no_think"), on: .text("/think")),
    Switch(name: "reasoning", off: .boolean(false), on: .boolean(true)),
    Switch(name: "enable_reasoning", off: .boolean(false), on: .boolean(true)),
    Switch(
      name: "reasoning_effort", off: .text("none"), on: .text("high"), mustBeSpelled: true),
    Switch(
      name: "reasoning_effort", off: .text("no_think"), on: .text("high"), mustBeSpelled: true),
    Switch(name: "reasoning_effort", off: .text("low"), on: .text("high")),
    Switch(name: "thinking_budget", off: .integer(0), on: .integer(4_096)),
  ]

  /// Marks that some templates know without writing a message's thought between them.
  private static let knownMarks = [
    ("<think>\n", "\n</think>\n\n"), ("<thinking>\n", "\n</thinking>\n\n"),
    ("<thought>\n", "\n</thought>\n\n"), ("<reasoning>\n", "\n</reasoning>\n\n"),
    ("[THINK]", "[/THINK]"), ("<seed:think>", "</seed:think>"),
    ("<|channel>thought\n", "\n<channel|>"), ("<|START_THINKING|>", "<|END_THINKING|>"),
  ]

  init() {}

  init(of format: PromptFormat, source: String) {
    for candidate in Self.switches
    where format.template.names.contains(candidate.name)
      && !found.contains(where: { $0.name == candidate.name })
    {
      if candidate.mustBeSpelled, case .text(let text) = candidate.off,
        !source.contains("'\(text)'"), !source.contains("\"\(text)\"")
      {
        continue
      }
      if let found = Self.tested(candidate, format) { self.found.append(found) }
    }
    readMarks(format)
    if closing.isEmpty {
      let known = Self.knownMarks.first { source.contains(Self.trimmed($0.1)) }
      (opening, closing) = known ?? ("", "")
    }
    beforeAnswer = Self.beforeAnswer(format, switches(for: .off))
  }

  // MARK: What callers ask

  /// The values that a mode gives the template.
  func switches(for mode: Thinking) -> [(name: String, value: TemplateValue)] {
    switch mode {
    case .automatic: []
    case .off: found.map { ($0.name, $0.off.value) }
    case .on: found.filter { !$0.isOnByDefault }.map { ($0.name, $0.on.value) }
    }
  }

  /// What must stand behind a prompt so that the answer begins at once.
  func closing(behind prompt: String) -> String {
    if isOpen(prompt) {
      // A blank line between the marks is how templates write an empty thought.
      return prompt.hasSuffix("\n") || !closing.hasPrefix("\n") ? closing : "\n" + closing
    }
    return beforeAnswer.isEmpty ? restOfClosing(behind: prompt) : beforeAnswer
  }

  /// What is missing where a prompt ends within the closing, as with `<|end|>` of
  /// `<|end|><|start|>final`.
  private func restOfClosing(behind prompt: String) -> String {
    let end = Scalars(closing)
    let text = Scalars(prompt)
    let written = end.indices.last { $0 == 0 || text.ends(with: end[..<$0]) } ?? 0
    let rest = String(end[written...])
    // Blanks alone are the template's to leave out.
    let isWithin = !Self.trimmed(String(end[..<written])).isEmpty
    return isWithin && !Self.trimmed(rest).isEmpty ? rest : ""
  }

  /// What must stand behind a prompt so that a thought begins, and how it ends.
  func opened(
    behind prompt: String, budget: Int
  ) throws(FoveaError) -> (end: String, plan: ThinkingPlan) {
    guard !closing.isEmpty else {
      throw FoveaError(
        .unsupportedByModel, "the model's chat template has no thoughts",
        fix: "leave thinking off, or use a model that thinks")
    }
    let plan = ThinkingPlan(closing: closing, budget: budget)
    return (isOpen(prompt) ? "" : opening, plan)
  }

  /// How a thought ends that the prompt has begun, or that the model may begin.
  func plan(behind prompt: String) -> ThinkingPlan? {
    guard !closing.isEmpty else { return nil }
    if isOpen(prompt) { return ThinkingPlan(closing: closing) }
    let mark = Self.trimmed(opening)
    return mark.isEmpty || Self.trimmed(prompt).hasSuffix(Self.trimmed(closing))
      ? nil : ThinkingPlan(opening: mark, closing: closing)
  }

  private func isOpen(_ prompt: String) -> Bool {
    let mark = Self.trimmed(opening)
    return !mark.isEmpty && Self.trimmed(prompt).hasSuffix(mark)
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = Scalars(text)
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  // MARK: Finding out

  private static func conversation(
    _ answer: [(name: String, text: String)]?, content: String = PromptFormat.probe
  ) -> TemplateValue {
    var messages = [PromptFormat.message("user", [TemplateText("?")], asParts: false)]
    if let answer {
      messages.append(
        PromptFormat.message("assistant", [TemplateText(content)], asParts: false, extra: answer))
    }
    return .list(TemplateList(messages))
  }

  private static func rendered(
    _ messages: TemplateValue, _ format: PromptFormat, prompt: Bool,
    _ extra: [(name: String, value: TemplateValue)]
  ) -> Scalars? {
    // What a template refuses tells nothing.
    (try? format.render(messages, addsGenerationPrompt: prompt, extra: extra)).map {
      Scalars($0.text)
    }
  }

  /// A switch that makes a difference; nil for others.
  private static func tested(_ candidate: Switch, _ format: PromptFormat) -> Switch? {
    func text(_ value: Value?) -> Scalars? {
      rendered(
        conversation(nil), format, prompt: true,
        value.map { [(candidate.name, $0.value)] } ?? [])
    }
    guard let off = text(candidate.off), let on = text(candidate.on), off != on else { return nil }
    var found = candidate
    found.isOnByDefault = text(nil).map { $0 != off } ?? false
    return found
  }

  /// Reads the marks off an answer that has a thought.
  private mutating func readMarks(_ format: PromptFormat) {
    let thought = "fovea-thought-2c91"
    let keys = ["reasoning_content", "reasoning", "thinking", "thought"]
    let switches = switches(for: .on(budget: 0))
    guard
      let prompt = Self.rendered(Self.conversation(nil), format, prompt: true, switches),
      let text = Self.rendered(
        Self.conversation(keys.map { ($0, thought) }), format, prompt: false, switches),
      let start = text.place(of: Scalars(thought), from: 0),
      let end = text.place(of: Scalars(PromptFormat.probe), from: start + thought.count)
    else { return }
    closing = String(text[(start + thought.count)..<end])
    let before = text[..<start]
    opening = String(before.dropFirst(zip(before, prompt).prefix { $0 == $1 }.count))
    // Where the prompt begins the thought itself, the mark is what only such a prompt ends with.
    if Self.trimmed(opening).isEmpty {
      let own = String(
        Self.difference(
          Self.turnStart(format, switches), Self.turnStart(format, self.switches(for: .off))))
      opening = Self.trimmed(own).isEmpty ? Self.lastMark(prompt) : own
    }
    if Self.trimmed(closing).isEmpty || Self.trimmed(opening).isEmpty
      || Self.trimmed(opening) == Self.trimmed(closing)
    {
      (opening, closing) = ("", "")
    }
  }

  /// What a text has that another does not begin with. A mark is taken whole: "<think>" and "</think>"
  /// have their first character in common.
  private static func difference(_ text: Scalars, _ other: Scalars) -> Scalars.SubSequence {
    let same = text[..<zip(text, other).prefix { $0 == $1 }.count]
    let end = same.lastIndex { ">]".unicodeScalars.contains($0) } ?? -1
    guard let start = same.lastIndex(where: { "<[".unicodeScalars.contains($0) }), start > end
    else {
      return text[same.endIndex...]
    }
    return text[start...]
  }

  /// What a prompt has behind the messages.
  private static func turnStart(
    _ format: PromptFormat, _ switches: [(name: String, value: TemplateValue)]
  ) -> Scalars {
    guard let with = rendered(conversation(nil), format, prompt: true, switches),
      let without = rendered(conversation(nil), format, prompt: false, switches)
    else { return [] }
    return with.starts(with: without) ? Scalars(with[without.count...]) : with
  }

  /// The mark that a text ends with, and the blanks behind it.
  private static func lastMark(_ text: Scalars) -> String {
    guard let last = text.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    let pairs: [Unicode.Scalar: Unicode.Scalar] = [">": "<", "]": "["]
    guard let open = pairs[text[last]], let first = text[..<last].lastIndex(of: open) else {
      return ""
    }
    return String(text[first...])
  }

  /// What stands between a prompt and an answer that has no thought.
  private static func beforeAnswer(
    _ format: PromptFormat, _ switches: [(name: String, value: TemplateValue)]
  ) -> String {
    guard let prompt = rendered(conversation(nil), format, prompt: true, switches),
      let text = rendered(conversation([]), format, prompt: false, switches),
      text.starts(with: prompt),
      let answer = text.place(of: Scalars(PromptFormat.probe), from: prompt.count)
    else { return "" }
    return String(text[prompt.count..<answer])
  }
}

/// Text as code points: a mark must be found whatever stands beside it, also what would be one
/// character with it.
private typealias Scalars = [Unicode.Scalar]

extension [Unicode.Scalar] {
  fileprivate init(_ text: String) { self.init(text.unicodeScalars) }

  fileprivate func ends(with other: ArraySlice<Unicode.Scalar>) -> Bool {
    suffix(other.count).elementsEqual(other)
  }

  /// The first place of another text.
  fileprivate func place(of other: [Unicode.Scalar], from start: Int) -> Int? {
    guard count >= start + other.count else { return nil }
    return (start...(count - other.count)).first { self[$0...].starts(with: other) }
  }
}

extension String {
  fileprivate init(_ scalars: ArraySlice<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    self.init(text)
  }
}
