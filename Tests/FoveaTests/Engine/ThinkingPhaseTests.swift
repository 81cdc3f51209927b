import Testing

@testable import Fovea

@Suite("A thought on its way")
struct ThinkingPhaseTests {
  /// What became of tokens: the thought, and what was written behind it.
  struct Outcome: Equatable {
    var thought = ""
    /// Tokens that belong to the thought and its end, as they were written.
    var written = ""
    var closing: String?
    var hasThought = true
    /// How many tokens were looked at.
    var count = 0
  }

  private func run(
    _ tokens: [String], closing: String = "\n</think>\n\n", opening: String? = nil,
    budget: Int? = nil, room: Int = 1_000
  ) -> Outcome {
    var phase = ThinkingPhase(
      ThinkingPlan(opening: opening, closing: closing, budget: budget), room: room)
    var outcome = Outcome()
    for token in tokens {
      outcome.count += 1
      let step = phase.take(Array(token.utf8), endsText: token == "<end>")
      outcome.thought += String(decoding: phase.takeVisible(), as: UTF8.self)
      switch step {
      case .keep: outcome.written += token
      case .noThought:
        outcome.hasThought = false
        return outcome
      case .keepAndClose(let bytes):
        outcome.written += token
        outcome.closing = String(decoding: bytes, as: UTF8.self)
        return outcome
      case .close(let bytes):
        outcome.closing = String(decoding: bytes, as: UTF8.self)
        return outcome
      }
    }
    return outcome
  }

  static let ends = [
    ["Hm.", "\n", "</think>", "\n\n"], ["Hm.", "\n</", "think", ">", "\n\n"],
    ["Hm.\n<", "/", "t", "hink>\n", "\n"], ["Hm.\n</think>\n\n"], ["Hm.", "\n</think", ">\n\n"],
  ]

  @Test("the model's own end, however it is split over tokens", arguments: ends)
  func ownEnd(tokens: [String]) {
    let outcome = run(tokens)
    #expect(outcome.thought == "Hm.")
    // What the template has behind the mark is there in the end, once.
    #expect(outcome.written + (outcome.closing ?? "?") == "Hm.\n</think>\n\n")
  }

  @Test("a token that reaches into the answer is not written")
  func beyondTheEnd() {
    let outcome = run(["Hm.\n</thi", #"nk>{"a":"#])
    #expect(outcome.thought == "Hm.")
    #expect(outcome.written + (outcome.closing ?? "?") == "Hm.\n</think>\n\n")
    let whole = run(["Hm.", "\n</think>{"])
    #expect(whole.written + (whole.closing ?? "?") == "Hm.\n</think>\n\n")
  }

  @Test("what only looks like the end belongs to the thought")
  func falseEnds() {
    let outcome = run(["a </", "thin", "g> <</th", "ink", ">"])
    #expect(outcome.thought == "a </thing> <")
    #expect(outcome.written + (outcome.closing ?? "?") == "a </thing> <</think>\n\n")
  }

  @Test("over the budget it is closed", arguments: [1, 2, 3])
  func budget(_ budget: Int) {
    let outcome = run(["a", "b", "c", "d"], budget: budget)
    #expect(outcome.count == budget)
    #expect(outcome.thought == String("abcd".prefix(budget)))
    #expect(outcome.closing == "\n</think>\n\n")
  }

  @Test("a budget that ends within the mark completes it")
  func budgetWithinMark() {
    let outcome = run(["a", "</th", "x"], budget: 2)
    #expect(outcome.thought == "a")
    #expect(outcome.closing == "ink>\n\n")
  }

  @Test("blanks before the end are no part of the thought, and not written twice")
  func blanks() {
    let outcome = run(["a\n", " b", " \n", "c"], budget: 3)
    #expect(outcome.thought == "a\n b")
    #expect(outcome.closing == "</think>\n\n")
  }

  @Test("no room is a budget of nothing")
  func room() {
    let plan = ThinkingPlan(closing: "</think>")
    #expect(ThinkingPhase(plan, room: 0).isOverBudget)
    #expect(ThinkingPhase(plan, room: -5).isOverBudget)
    #expect(!ThinkingPhase(plan, room: 1).isOverBudget)
    #expect(run(["a", "b", "c"], room: 2).count == 2)
  }

  @Test("the end of the text closes it")
  func endOfText() {
    let outcome = run(["a", "<end>"])
    #expect(outcome.thought == "a")
    #expect(outcome.written == "a")
    #expect(outcome.closing == "\n</think>\n\n")
    #expect(run(["a </t", "<end>"]).closing == "hink>\n\n")
  }

  @Test("a thought that the model begins itself, or does not")
  func opening() {
    let begun = run(["<th", "ink>", "Hm", "</think>\n\n"], opening: "<think>")
    #expect(begun.thought == "Hm")
    #expect(begun.hasThought)
    let within = run(["<think>Hm", "</think>\n\n"], opening: "<think>")
    #expect(within.thought == "Hm")
    let none = run(["42"], opening: "<think>")
    #expect(!none.hasThought)
    let almost = run(["<th", "e>"], opening: "<think>")
    #expect(!almost.hasThought)
    #expect(almost.thought == "<th", "what was held back is the answer's")
  }
}
