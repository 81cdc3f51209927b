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
    /// How often a type that contains itself is probed again with values of itself.
    static var rounds: Int { 4 }
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
    let hadPartialTypes = session.hasPartialTypes
    var probed: ProbedType
    // Each round knows values of the type that the last one found.
    var rounds = 0
    repeat {
      session.hasPartialTypes = false
      probed = try attempt()
      rounds += 1
    } while session.isRecursive && rounds < Limit.rounds && session.feed(probed.samples)
    let isPartial = probed.isPartial || session.hasPartialTypes
    if isPartial, !session.isDraft { throw endless }
    session.hasPartialTypes = isPartial || hadPartialTypes
    return probed
  }

  private func attempt() throws(FoveaError) -> ProbedType {
    guard let names = try run(.init()).run.choices else { return try reading(.one(0)) }
    var branches: [Schema] = []
    var samples: [[AnyObject]] = []
    var isPartial = false
    for (index, name) in names.enumerated() {
      let branch = try reading(.one(index))
      isPartial = isPartial || branch.isPartial
      guard branch.isPartial || branch.schema.isObject(of: name) else {
        throw session.fail(
          "with the key \"\(name)\" it reads other keys too",
          fix: "let its init(from:) read what the one key holds, and nothing else")
      }
      branches.append(branch.schema)
      samples.append(branch.samples)
    }
    try checkChoice(among: names)
    let schema = branches.count == 1 ? branches[0] : Schema(.anyOf(branches))
    // One value of each case before the second of any.
    let mixed = (0..<Limit.samples).flatMap { index in
      samples.compactMap { index < $0.count ? $0[index] : nil }
    }
    return ProbedType(schema: schema, samples: mixed, isPartial: isPartial)
  }

  /// Only of a decoder that wants exactly one key it is known what it reads.
  private func checkChoice(among names: [String]) throws(FoveaError) {
    for keys in [ProbeRun.Keys.none, .all] {
      if case .all = keys, names.count == 1 { continue }
      if try run(.init(keys: keys)).value != nil {
        throw session.fail(
          "it reads whatever keys there are, not exactly one of them",
          fix: "use a struct with optional fields, or a dictionary")
      }
    }
  }

  /// What the decoder reads when these keys are there.
  private func reading(_ keys: ProbeRun.Keys) throws(FoveaError) -> ProbedType {
    var outcomes: [Outcome] = []
    for base in 0..<Limit.uniformRuns { outcomes.append(try run(.init(base: base, keys: keys))) }
    let isStarved = outcomes.contains { $0.run.isStarved }
    if !outcomes.contains(where: { $0.value != nil }) {
      // What contains itself ends with a null, if anywhere.
      outcomes +=
        isStarved
        ? [try run(.init(nulls: true, keys: keys))] : try search(after: outcomes, keys)
    }
    guard let first = outcomes.first(where: { $0.value != nil }), let value = first.value else {
      if isStarved { return ProbedType(schema: Schema(.any), samples: [], isPartial: true) }
      throw refusal(outcomes)
    }
    if Mirror(reflecting: value).displayStyle == .enum, first.run.choices == nil {
      try checkEnum(isPicky: outcomes.contains { $0.value == nil })
    }
    outcomes += try variations(of: first, keys)
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
  private func search(
    after outcomes: [Outcome], _ keys: ProbeRun.Keys
  ) throws(FoveaError) -> [Outcome] {
    var tried: [Outcome] = []
    let longest = outcomes.max { $0.run.questions.count < $1.run.questions.count }
    for (place, question) in (longest?.run.questions ?? []).prefix(Limit.questions).enumerated() {
      for answer in 1..<max(2, min(question.count, Limit.answers)) {
        let outcome = try run(.init(special: [place: answer], keys: keys))
        tried.append(outcome)
        if outcome.value != nil { return tried }
      }
    }
    for seed in 0..<UInt64(Limit.randomRuns) {
      let outcome = try run(.init(random: seed, keys: keys))
      if outcome.value != nil { return tried + [outcome] }
    }
    return tried
  }

  /// Runs that differ from a good one at a single place.
  private func variations(
    of good: Outcome, _ keys: ProbeRun.Keys
  ) throws(FoveaError) -> [Outcome] {
    // The answers as given: a random run is repeated by its answers, not by its seed.
    var given: [Int: Int] = [:]
    for (place, question) in good.run.questions.enumerated() { given[place] = question.answer }
    var outcomes: [Outcome] = []
    for (place, question) in good.run.questions.prefix(Limit.questions).enumerated() {
      outcomes.append(try run(.init(special: given, failing: place, keys: keys)))
      for answer in 0..<min(question.count, Limit.answers) where answer != question.answer {
        var special = given
        special[place] = answer
        outcomes.append(try run(.init(special: special, keys: keys)))
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

  /// No value of the type was found that does not need another one first.
  private var endless: FoveaError {
    session.fail(
      "every value of it contains another one (\(session.cycle))",
      fix: "make the inner one optional, or a list")
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
