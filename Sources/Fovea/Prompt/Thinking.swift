/// Whether a model thinks before it answers.
public enum Thinking: Sendable, Hashable {
  /// As the model's chat template has it.
  case automatic
  /// It answers at once: by the template's own switch, or with an empty thought written for it.
  case off
  /// It thinks for at most so many tokens. Then the thought is closed, and the answer begins.
  case on(budget: Int)
}

/// How a thought that comes before an answer begins and ends; read off a chat template.
package struct ThinkingPlan: Sendable, Hashable {
  /// The mark by which the model itself begins a thought, if it does; nil: the prompt has begun one.
  package var opening: String?
  /// What the template writes between a thought and the answer.
  package var closing: String
  /// The most tokens of the thought; nil: as many as there is room for.
  package var budget: Int?

  /// Makes a plan.
  package init(opening: String? = nil, closing: String, budget: Int? = nil) {
    self.opening = opening
    self.closing = closing
    self.budget = budget
  }
}
