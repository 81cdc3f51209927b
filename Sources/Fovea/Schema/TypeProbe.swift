/// Runs one type's decoder until its schema is known.
///
/// A single run shows what the decoder asks for. The others feed it different values, `null`s and
/// type errors, one place at a time: a decoder that then asks for something else has no schema of
/// its own, and is refused instead of being given a wrong one.
struct TypeProbe<T: Decodable> {
  let session: ProbeSession

  /// Bounds on the search for accepted values, and on the cross-checks.
  private enum Limit {
    static var uniformRuns: Int { 20 }
    static var questions: Int { 64 }
    static var answers: Int { 64 }
    static var randomRuns: Int { 400 }
    static var samples: Int { 16 }
  }

  private struct Outcome {
    let run: ProbeRun
    let answers: ProbeRun.Answers
    let result: Result<T, any Error>

    var value: T? {
      // A failed run has no value; its error is told only when every run failed.
      try? result.get()
    }
  }

  private func run(_ answers: ProbeRun.Answers) throws(FoveaError) -> Outcome {
    let run = ProbeRun(session, answers)
    let result = Result { try T(from: ProbingDecoder(run: run, slot: run.root, codingPath: [])) }
    try session.check()
    return Outcome(run: run, answers: answers, result: result)
  }

  // MARK: Structs, classes, wrappers

  /// The schema of a type by what its decoder reads.
  func structure() throws(FoveaError) -> ProbedType {
    var outcomes: [Outcome] = []
    for base in 0..<Limit.uniformRuns { outcomes.append(try run(.init(base: base))) }
    if !outcomes.contains(where: { $0.value != nil }) { outcomes += try search(after: outcomes) }
    guard let first = outcomes.first(where: { $0.value != nil }), let value = first.value else {
      throw refusal(outcomes)
    }
    if Mirror(reflecting: value).displayStyle == .enum {
      try checkEnum(isPicky: outcomes.contains { $0.value == nil })
    }
    outcomes += try variations(of: first)
    let merged = first.run.root
    do throws(ProbeSlot.Conflict) {
      for outcome in outcomes {
        try merged.absorb(outcome.run.root, isComplete: outcome.value != nil)
      }
      let values = outcomes.filter { $0.answers.failing == nil }.compactMap(\.value)
      return ProbedType(try merged.schema(), Array(values.prefix(Limit.samples)))
    } catch {
      throw session.fail(error)
    }
  }

  /// Looks for values that the decoder accepts when no uniform choice is: one place at a time,
  /// then at random.
  private func search(after outcomes: [Outcome]) throws(FoveaError) -> [Outcome] {
    var tried: [Outcome] = []
    let longest = outcomes.max { $0.run.questions.count < $1.run.questions.count }
    for (place, question) in (longest?.run.questions ?? []).prefix(Limit.questions).enumerated() {
      for answer in 1..<max(2, min(question.count, Limit.answers)) {
        let outcome = try run(.init(special: [place: answer]))
        tried.append(outcome)
        if outcome.value != nil { return tried }
      }
    }
    for seed in 0..<UInt64(Limit.randomRuns) {
      let outcome = try run(.init(random: seed))
      if outcome.value != nil { return tried + [outcome] }
    }
    return tried
  }

  /// Runs that differ from a good one at a single place.
  private func variations(of good: Outcome) throws(FoveaError) -> [Outcome] {
    // The answers as given: a random run is repeated by its answers, not by its seed.
    var given: [Int: Int] = [:]
    for (place, question) in good.run.questions.enumerated() { given[place] = question.answer }
    var outcomes: [Outcome] = []
    for (place, question) in good.run.questions.prefix(Limit.questions).enumerated() {
      outcomes.append(try run(.init(special: given, failing: place)))
      for answer in 0..<min(question.count, Limit.answers) where answer != question.answer {
        var special = given
        special[place] = answer
        outcomes.append(try run(.init(special: special)))
      }
    }
    return outcomes
  }

  private func refusal(_ outcomes: [Outcome]) -> FoveaError {
    if T.self is any RawRepresentable.Type { return enumRefusal }
    var cause: String?
    if case .failure(let error)? = outcomes.first?.result { cause = "\(error)" }
    return session.fail(
      "its init(from:) throws for every value that was tried",
      fix: "relax its init(from:), or declare the field as a plain type and convert it later",
      cause: cause)
  }

  // MARK: Enums

  /// An enum that is not `CaseIterable`, or not raw-valued: which texts it accepts is not known.
  private func checkEnum(isPicky: Bool) throws(FoveaError) {
    if T.self is any RawRepresentable.Type { throw enumRefusal }
    if isPicky {
      throw session.fail(
        "which values it accepts is not known", fix: "give the enum raw values and CaseIterable")
    }
  }

  private var enumRefusal: FoveaError {
    session.fail("its allowed values are not known", fix: "make it CaseIterable")
  }

  /// The schema of an enum by its raw values.
  func enumeration<E: RawRepresentable & CaseIterable>(
    _ type: E.Type
  ) throws(FoveaError) -> ProbedType {
    var values: [JSONValue] = []
    var samples: [T] = []
    for element in E.allCases {
      let json: JSONValue
      switch element.rawValue {
      case let text as String: json = .string(text)
      case let number as any FixedWidthInteger: json = .number("\(number)")
      default:
        throw session.fail(
          "its raw values are neither text nor whole numbers", fix: "use raw values of type String")
      }
      // The enum may have a decoder of its own: each raw value must come back as its case.
      let outcome = try run(.init(forced: ProbedType.Box(element.rawValue)))
      guard let sample = outcome.value, let decoded = sample as? E,
        outcome.run.root.value != nil, isSame(decoded.rawValue, as: element.rawValue)
      else {
        throw session.fail(
          "its init(from:) does not read the raw value of its case \(element)",
          fix: "remove its own init(from:)")
      }
      values.append(json)
      samples.append(sample)
    }
    guard !values.isEmpty else {
      throw session.fail("it has no cases", fix: "add a case")
    }
    return ProbedType(Schema(.enumeration(values)), Array(samples.prefix(Limit.samples * 4)))
  }

  private func isSame(_ left: Any, as right: Any) -> Bool {
    guard let left = left as? AnyHashable, let right = right as? AnyHashable else { return false }
    return left == right
  }
}
