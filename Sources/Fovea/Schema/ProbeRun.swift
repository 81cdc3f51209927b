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
    /// Whether what may be `null` is.
    var nulls = false
    /// Which of the possible keys are there, for decoders that ask.
    var keys = Keys.one(0)
  }

  /// Some of the keys that an object may have.
  enum Keys {
    case one(Int)
    case none
    case all
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
  /// The keys of which one is there, once the decoder asked which are.
  private(set) var choices: [String]?
  /// Whether the run came to a type that contains itself, and of which no value is known yet.
  private(set) var isStarved = false
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
    if probed.samples.isEmpty { isStarved = true }
    if answers.failing == questions.count || probed.samples.isEmpty {
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

  /// Whether the value is `null`.
  func isNull(_ slot: ProbeSlot) -> Bool {
    slot.recordNullable()
    return choose(2, base: answers.nulls ? 1 : 0) == 1
  }

  /// Those of the keys that are there.
  func present<Key: CodingKey>(of keys: [Key]) -> [Key] {
    choices = keys.map(\.stringValue)
    return switch answers.keys {
    case .one(let index): [keys[index % keys.count]]
    case .none: []
    case .all: keys
    }
  }

  /// How long the list in the slot is, of which `index` items were read.
  func length(of slot: ProbeSlot, after index: Int) -> Int {
    if let length = slot.list?.length { return length }
    let choice = choose(ProbedList.lengthCount, base: answers.base)
    slot.withList { $0.end(after: index, choice: choice) }
    return slot.list?.length ?? index
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
