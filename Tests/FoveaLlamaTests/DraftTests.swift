import Fovea
import Testing

@testable import FoveaLlama

@Suite("Guesses")
struct DraftTests {
  private static let document = """
    CORNER CAFE
    12 High Street, Cork
    Date: 2021-03-04      10:15
    2 Latte        € 6.40
    Subtotal          8.00
    Unit price:  1.10
    TOTAL  **  €9.15
    """

  private func guess(_ written: String, _ sources: [String] = [document]) -> String? {
    var drafter = PromptDrafter(sources: sources.map { Array($0.utf8) })
    return drafter.guess(after: Array(written.utf8)).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  @Test(
    "behind the same letters, up to the end of the line or column",
    arguments: [
      (#"{"vendor":"COR"#, "NER CAFE"), (#"{"street":"12 H"#, "igh Street, Cork"),
      (#"{"x":"202"#, "1-03-04"), (#"{"x":"2 La"#, "tte"),
    ])
  func sameLetters(written: String, expected: String) { #expect(guess(written) == expected) }

  @Test(
    "behind a word like the key, at the first letter or digit of the value",
    arguments: [
      (#"{"date":"#, "2021-03-04"), (#"{"date":""#, "2021-03-04"), (#"{"total":"#, "9.15"),
      (#"{"unitPrice":"#, "1.10"), (#"{"unit_price":"#, "1.10"), (#"{"subtotal":"#, "8.00"),
    ])
  func keys(written: String, expected: String) { #expect(guess(written) == expected) }

  @Test(
    "nothing where nothing speaks for it",
    arguments: ["", "{", #"{"vendor":"X"#, #"{"vat":"#, #"{"vendor":"Zq"#])
  func nothing(written: String) { #expect(guess(written) == nil) }

  @Test("the longest match wins, then the next one in the document's order")
  func order() {
    let text = "red 1 a\nred 2 b\nblue red 3 c"
    #expect(guess("blue red ", [text]) == "3 c")
    var drafter = PromptDrafter(sources: [Array(text.utf8)])
    #expect(drafter.guess(after: Array("ed ".utf8)).map { Array("1 a".utf8) == $0.bytes } == true)
  }

  @Test("what JSON escapes is not copied")
  func escapes() {
    #expect(guess(#"{"a":"say "#, [#"say "hi" to"#]) == nil)
    #expect(guess(#"{"a":"sa"#, [#"say "hi" to"#]) == "y")
  }

  @Test("guesses end where they cost more than they save, and stop when they are wrong")
  func policy() {
    var policy = DraftPolicy()
    let long = [DraftPolicy.Evidence](repeating: .longMatch, count: 40)
    let first = policy.count(of: long, extraTokenCost: 0.3)
    #expect(first > 0 && first < DraftPolicy.mostTokens)
    #expect(policy.count(of: long, extraTokenCost: 0.01) == DraftPolicy.mostTokens)
    #expect(policy.count(of: long, extraTokenCost: 1) == 0)
    for _ in 0..<100 { policy.record(.longMatch, isRight: true) }
    #expect(policy.count(of: long, extraTokenCost: 0.3) > first)
    for _ in 0..<40 { policy.record(.longMatch, isRight: false) }
    #expect(policy.count(of: long, extraTokenCost: 0.3) == 0)
    #expect(policy.count(of: [.forced, .forced], extraTokenCost: 0.3) == 2)
  }

  @Test("the cost of a token more is measured, within bounds")
  func timing() {
    var timing = BatchTiming()
    let usual = timing.extraTokenCost
    timing.record(tokens: 4, seconds: 1)  // means nothing without a token alone
    #expect(timing.extraTokenCost == usual)
    timing.record(tokens: 1, seconds: 0.010)
    timing.record(tokens: 5, seconds: 0.018)
    #expect(abs(timing.extraTokenCost - 0.2) < 1e-9)
    timing.record(tokens: 1, seconds: 5)  // waited for something else
    #expect(timing.extraTokenCost > 0.1)
    for _ in 0..<50 { timing.record(tokens: 3, seconds: 1) }
    #expect(timing.extraTokenCost == 1)
    for _ in 0..<50 { timing.record(tokens: 3, seconds: 0.001) }
    #expect(timing.extraTokenCost >= 0.02)
  }

  @Test("habits: how a forced text was cut, as far as it is known")
  func habits() {
    let vocabulary = Vocabulary(
      pieces: ["\"", ":", "\":", "date", "\":\"x"].map { Array($0.utf8) }, endTokens: [])
    var habits = TokenHabits()
    let forced = Array("date\":\"".utf8)
    #expect(habits.tokens(for: forced, vocabulary: vocabulary).isEmpty)
    habits.note(3, where: forced)
    habits.note(2, where: Array("\":\"".utf8))
    #expect(habits.tokens(for: forced, vocabulary: vocabulary) == [3, 2])
    habits.note(0, where: Array("\"".utf8))
    #expect(habits.tokens(for: forced, vocabulary: vocabulary) == [3, 2, 0])
    habits.note(4, where: Array("\":\"".utf8))  // reaches beyond what is forced
    #expect(habits.tokens(for: forced, vocabulary: vocabulary) == [3])
  }
}
