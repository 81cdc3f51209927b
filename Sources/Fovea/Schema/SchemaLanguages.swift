/// Makes and combines the automata of one schema, each once.
///
/// A document repeats itself: the same pattern, the same bounds, the same intersection in every
/// branch of a union. Automata are looked up by what they were made of, which costs less than to
/// make and minimize them again.
struct SchemaLanguages {
  /// What numbers a schema allows.
  struct Numbers: Hashable {
    var isInteger = false
    var minimum: NumberLanguage.Bound?
    var maximum: NumberLanguage.Bound?
    var divisor: ExactNumber?
  }

  private enum Operation: Hashable { case intersection, union, difference, disjoint }

  private struct Application: Hashable {
    let operation: Operation
    let left: DFAKey
    let right: DFAKey
  }

  /// An automaton as a key: hashing its size and its first row tells nearly all apart.
  private struct DFAKey: Hashable {
    let dfa: DFA

    func hash(into hasher: inout Hasher) {
      hasher.combine(dfa.stateCount)
      hasher.combine(dfa.classCount)
      for state in dfa.transitions.suffix(24) { hasher.combine(state) }
    }
  }

  private var numbers: [Numbers: DFA] = [:]
  private var patterns: [String: DFA] = [:]
  private var repetitions: [String: NormalForm.Strings] = [:]
  private var formats: [String: DFA?] = [:]
  private var lengths: [[Int]: DFA] = [:]
  private var results: [Application: DFA] = [:]
  private var disjoint: [Application: Bool] = [:]
  /// How much was built; a hostile schema is stopped by it.
  private var work = 0

  /// The states of all automata together, before a schema is refused.
  static let mostWork = 1_000_000

  // MARK: Languages

  mutating func numbers(_ wanted: Numbers) throws(AutomatonTooLarge) -> DFA {
    if let known = numbers[wanted] { return known }
    var language = wanted.isInteger ? NumberLanguage.integers : NumberLanguage.all
    if wanted.minimum != nil || wanted.maximum != nil {
      let range = try NumberLanguage.range(minimum: wanted.minimum, maximum: wanted.maximum)
      language = wanted.isInteger ? try intersection(language, range) : range
    }
    if let divisor = wanted.divisor {
      language = try intersection(language, NumberLanguage.multiples(of: divisor))
    }
    numbers[wanted] = language
    return language
  }

  mutating func pattern(_ pattern: String) throws(PatternError) -> DFA {
    if let known = patterns[pattern] { return known }
    let language = try TextLanguage.pattern(pattern)
    patterns[pattern] = language
    return language
  }

  /// A pattern as a language whose strings have a length in a range.
  mutating func strings(_ pattern: String) throws(PatternError) -> NormalForm.Strings {
    if let known = repetitions[pattern] { return known }
    var strings: NormalForm.Strings
    if let counted = try TextLanguage.repetition(pattern) {
      strings = NormalForm.Strings(
        counted.language, minLength: counted.minLength, maxLength: counted.maxLength)
    } else {
      strings = NormalForm.Strings(try self.pattern(pattern))
    }
    repetitions[pattern] = strings
    return strings
  }

  mutating func format(_ name: String) -> DFA? {
    if let known = formats[name] { return known }
    let language = TextLanguage.format(name)
    formats[name] = language
    return language
  }

  mutating func length(minimum: Int, maximum: Int) throws(AutomatonTooLarge) -> DFA {
    if let known = lengths[[minimum, maximum]] { return known }
    let language = try TextLanguage.length(
      minimum: minimum, maximum: maximum == .max ? nil : maximum)
    lengths[[minimum, maximum]] = language
    return language
  }

  /// The language of these texts. A long list is made in parts, since an automaton is minimal only
  /// after it was built.
  mutating func words(_ texts: [[UInt8]]) throws(AutomatonTooLarge) -> DFA {
    if texts.count <= 512 { return try DFA.words(texts) }
    var parts: [DFA] = []
    let sorted = texts.sorted { $0.lexicographicallyPrecedes($1) }
    for first in stride(from: 0, to: sorted.count, by: 512) {
      parts.append(try DFA.words(sorted[first..<min(first + 512, sorted.count)]))
    }
    while parts.count > 1 {
      var halved: [DFA] = []
      for index in stride(from: 0, to: parts.count, by: 2) {
        halved.append(
          index + 1 < parts.count ? try parts[index].union(parts[index + 1]) : parts[index])
      }
      parts = halved
    }
    return parts[0]
  }

  // MARK: Operations

  mutating func intersection(_ left: DFA, _ right: DFA) throws(AutomatonTooLarge) -> DFA {
    if left.isEmpty || right.isEmpty { return .empty }
    if left == right || right == TextLanguage.all || right == NumberLanguage.all { return left }
    if left == TextLanguage.all || left == NumberLanguage.all { return right }
    return try apply(.intersection, left, right)
  }

  mutating func union(_ left: DFA, _ right: DFA) throws(AutomatonTooLarge) -> DFA {
    if left.isEmpty || left == right { return right }
    if right.isEmpty { return left }
    if left == TextLanguage.all || right == TextLanguage.all { return TextLanguage.all }
    if left == NumberLanguage.all || right == NumberLanguage.all { return NumberLanguage.all }
    return try apply(.union, left, right)
  }

  mutating func difference(_ left: DFA, _ right: DFA) throws(AutomatonTooLarge) -> DFA {
    if left.isEmpty || right.isEmpty { return left }
    if left == right || right == TextLanguage.all || right == NumberLanguage.all { return .empty }
    return try apply(.difference, left, right)
  }

  mutating func areDisjoint(_ left: DFA, _ right: DFA) -> Bool {
    if left.isEmpty || right.isEmpty { return true }
    if left == right || left == TextLanguage.all || right == TextLanguage.all { return false }
    let key = Application(
      operation: .disjoint, left: DFAKey(dfa: left), right: DFAKey(dfa: right))
    if let known = disjoint[key] { return known }
    let result = left.isDisjoint(with: right)
    disjoint[key] = result
    return result
  }

  private mutating func apply(
    _ operation: Operation, _ left: DFA, _ right: DFA
  ) throws(AutomatonTooLarge) -> DFA {
    let key = Application(
      operation: operation, left: DFAKey(dfa: left), right: DFAKey(dfa: right))
    if let known = results[key] { return known }
    let result =
      switch operation {
      case .intersection: try left.intersection(right)
      case .union: try left.union(right)
      case .difference, .disjoint: try left.subtracting(right)
      }
    work += left.stateCount + right.stateCount + result.stateCount
    if work > Self.mostWork { throw AutomatonTooLarge(limit: Self.mostWork) }
    results[key] = result
    return result
  }
}
