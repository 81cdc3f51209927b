/// How a model's prompts are written: its chat template, and what was found out about it by
/// rendering it.
///
/// Nothing here depends on a model's name. Whether a template takes a system message, wants a
/// message's content as text or as a list of parts, or has a switch for thinking, shows in what it
/// renders.
package struct PromptFormat: Sendable {
  /// Where the format comes from.
  package enum Origin: Sendable, Equatable {
    /// A chat template: the model file's, or one that was given instead.
    case template
    /// The model file has none, but the control tokens of ChatML.
    case chatML
    /// The model file has neither: plain words in front of each message.
    case plain
  }

  /// Where the format comes from.
  package let origin: Origin
  let template: ChatTemplate
  /// `bos_token` and the like.
  private let tokenTexts: [String: String]
  /// Whether a message's content is given as a list of parts.
  private var givesParts = false
  /// Whether the template takes a message of the system.
  private var takesSystem = true
  /// Whether `tools` is null and not left out where there are none.
  private var givesNoTools = true
  private(set) var thinking = ThinkingMarks()

  /// Reads a template, and finds out what it can do.
  ///
  /// - Parameters:
  ///   - source: The template; nil when the model file has none.
  ///   - speaksChatML: Whether the vocabulary has ChatML's control tokens.
  ///   - tokenTexts: The spelling of `bos_token`, `eos_token` and others that templates ask for.
  /// - Throws: `.invalidTemplate`.
  package init(
    source: String?, speaksChatML: Bool, tokenTexts: [String: String]
  ) throws(FoveaError) {
    let names = ["bos_token", "eos_token", "pad_token", "unk_token"]
    // A token that the model does not have is written as nothing.
    self.tokenTexts = tokenTexts.merging(names.map { ($0, "") }) { given, _ in given }
    origin = source != nil ? .template : speaksChatML ? .chatML : .plain
    template = try ChatTemplate(source ?? (speaksChatML ? Self.chatML : Self.plain))
    var content = shownContent()
    if content == nil {
      givesNoTools = false
      content = shownContent()
    }
    givesParts = content == .parts
    takesSystem = shows("system", besides: "user", asParts: givesParts)
    thinking = ThinkingMarks(of: self, source: source ?? "")
  }

  // MARK: Rendering

  /// Writes a conversation, up to the place where the model begins its turn.
  ///
  /// - Parameter now: Seconds since 1970 in local time, for templates that tell the date.
  /// - Throws: `.invalidTemplate` when the template refuses the messages; `.unsupportedByModel` for
  ///   a thought of a model that has none.
  package func render(
    _ messages: [Message], thinking mode: Thinking = .automatic, now: Int64
  ) throws(FoveaError) -> RenderedPrompt {
    let images = PromptImages(messages)
    let rendered = try render(
      values(of: messages, images), now: now, addsGenerationPrompt: true,
      extra: thinking.switches(for: mode))
    var segments = rendered.segments
    // What the template has written last; a message that ends like a mark is none.
    var end = segments.last.map { $0.isTrusted ? $0.text : "" } ?? ""
    var plan: ThinkingPlan?
    switch mode {
    case .off: end = thinking.closing(behind: end)
    case .on(let budget): (end, plan) = try thinking.opened(behind: end, budget: budget)
    case .automatic: (end, plan) = ("", thinking.plan(behind: end))
    }
    if !end.isEmpty { segments.append((end, true)) }
    return RenderedPrompt(parts: images.parts(of: segments), thinking: plan)
  }

  /// Renders the template itself.
  func render(
    _ messages: TemplateValue, now: Int64 = 0, addsGenerationPrompt: Bool,
    extra: [(name: String, value: TemplateValue)] = []
  ) throws(FoveaError) -> RenderedTemplate {
    try template.render(now: now) { name in
      switch name {
      case "messages": return messages
      case "add_generation_prompt": return .boolean(addsGenerationPrompt)
      // The transformers library always gives these, null where there are none. Some templates
      // only work without.
      case "tools", "documents": return givesNoTools ? TemplateValue.none : nil
      default:
        return extra.first { $0.name == name }?.value ?? tokenTexts[name].map { .text($0) }
      }
    }
  }

  /// The messages as templates take them.
  private func values(of messages: [Message], _ images: PromptImages) -> TemplateValue {
    var items: [TemplateValue] = []
    var rules: TemplateText?
    for (index, message) in messages.enumerated() {
      var parts = images.texts[index]
      if message.role == .system, !takesSystem {
        let text = parts.reduce(TemplateText(), +)
        rules = rules.map { $0 + TemplateText("\n\n") + text } ?? text
        continue
      }
      if message.role == .user, let text = rules {
        parts.insert(text + TemplateText("\n\n"), at: 0)
        rules = nil
      }
      items.append(Self.message(message.role.rawValue, parts, asParts: givesParts))
    }
    if let rules { items.append(Self.message("user", [rules], asParts: givesParts)) }
    return .list(TemplateList(items))
  }

  static func message(
    _ role: String, _ parts: [TemplateText], asParts: Bool,
    extra: [(name: String, text: String)] = []
  ) -> TemplateValue {
    let message = TemplateDictionary()
    message.set(.text("role"), .text(role))
    let content: TemplateValue
    if asParts {
      content = .list(
        TemplateList(
          parts.map { text in
            let part = TemplateDictionary()
            part.set(.text("type"), .text("text"))
            part.set(.text("text"), .text(text))
            return .dictionary(part)
          }))
    } else {
      content = .text(parts.count == 1 ? parts[0] : parts.reduce(TemplateText(), +))
    }
    message.set(.text("content"), content)
    for entry in extra { message.set(.text(entry.name), .text(entry.text)) }
    return .dictionary(message)
  }

  // MARK: Finding out

  /// A text that no template writes by itself.
  static let probe = "fovea-probe-7f3a"

  private enum Content { case text, parts }

  /// The form of content that the template writes out; nil when it writes neither.
  private func shownContent() -> Content? {
    if shows("user", asParts: false) { return .text }
    return shows("user", asParts: true) ? .parts : nil
  }

  /// Whether the template writes out what a role says, perhaps before a question of another.
  private func shows(_ role: String, besides other: String? = nil, asParts: Bool) -> Bool {
    var messages = [Self.message(role, [TemplateText(Self.probe)], asParts: asParts)]
    if let other { messages.append(Self.message(other, [TemplateText("?")], asParts: asParts)) }
    // A template that refuses a message does not show it.
    let rendered = try? render(.list(TemplateList(messages)), addsGenerationPrompt: true)
    return rendered?.text.contains(Self.probe) ?? false
  }

  // MARK: Formats of models without a template

  /// The control tokens that a model must have for ChatML.
  package static let chatMLTokens = ["<|im_start|>", "<|im_end|>"]

  private static let chatML = """
    {%- for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + \
    '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}\
    {% endif %}
    """

  /// For models that know no conversations, only texts.
  private static let plain = """
    {%- for message in messages %}{% if message.role == 'system' %}{{ message.content + '\\n\\n' }}\
    {% elif message.role == 'user' %}{{ 'User: ' + message.content + '\\n\\n' }}{% else %}\
    {{ 'Assistant: ' + message.content + '\\n\\n' }}{% endif %}{% endfor %}\
    {% if add_generation_prompt %}{{ 'Assistant: ' }}{% endif %}
    """
}

/// A prompt, ready for an engine.
package struct RenderedPrompt: Sendable {
  /// Text of the template, text of others, and images, in order.
  package var parts: [PromptPart]
  /// The thought that comes before the answer; nil: none.
  package var thinking: ThinkingPlan?
}
