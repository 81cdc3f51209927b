/// One run of a type's decoder: which values it was fed, what it asked for.
final class ProbeRun {
  /// How the run answers the decoder's questions, which are numbered in the order they come.
  struct Answers {
    /// The answer to every question: the sample of this number, counted round.
    var base = 0
    /// Answers to single questions instead.
    var special: [Int: Int] = [:]
    /// The question that fails as if the JSON held another type there.
    var failing: Int?
    /// Each answer is drawn at random, from this state on.
    var random: UInt64?
    /// What a request for a single value of this very type gets.
    var forced: AnyObject?
  }

  /// A question that was put to the run.
  struct Question {
    /// How many answers there are.
    let count: Int
    /// The number of the answer that was given.
    let answer: Int
  }

  let session: ProbeSession
  let root = ProbeSlot()
  private(set) var questions: [Question] = []
  private var answers: Answers

  init(_ session: ProbeSession, _ answers: Answers) {
    self.session = session
    self.answers = answers
  }

  /// A value of the type, noted in the slot.
  func value<T: Decodable>(
    _ type: T.Type, in slot: ProbeSlot, path: [any CodingKey], isSingle: Bool = false
  ) throws -> T {
    let probed = try session.probe(type, within: path.map(\.stringValue))
    do throws(ProbeSlot.Conflict) {
      try slot.record(probed.schema)
    } catch {
      throw session.fail(error, within: path.map(\.stringValue))
    }
    if isSingle, let forced = answers.forced as? ProbedType.Box<T> { return forced.value }
    if answers.failing == questions.count {
      questions.append(Question(count: 1, answer: 0))
      throw DecodingError.typeMismatch(
        type, DecodingError.Context(codingPath: path, debugDescription: "another type"))
    }
    let index = choose(probed.samples.count, base: answers.base)
    guard let sample = probed.samples[index] as? ProbedType.Box<T> else {
      throw session.fail(
        ProbeSlot.Conflict(reason: "it has no sample"), within: path.map(\.stringValue))
    }
    return sample.value
  }

  /// Whether the value is `null`: no, unless that is asked in particular.
  func isNull(_ slot: ProbeSlot) -> Bool {
    slot.recordNullable()
    return choose(2, base: 0) == 1
  }

  private func choose(_ count: Int, base: Int) -> Int {
    var answer = answers.special[questions.count] ?? base
    if var state = answers.random {
      // A linear congruence is random enough to mix samples, and repeats itself every time.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      answers.random = state
      answer = Int(state >> 40)
    }
    answer %= count
    questions.append(Question(count: count, answer: answer))
    return answer
  }
}
