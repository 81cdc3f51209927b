internal import Fovea
internal import FoveaTestSupport

/// One grammar, run by the matcher and by the plain automaton side by side.
struct Comparison: ~Copyable {
  /// The most tokens that a walk writes, and the most configurations that are compared on the way.
  private static let longestWalk = 60
  private static let mostComparisons = 8

  private let matcher: GrammarMatcher
  private let brute: BruteForceMask
  private var run: GrammarRun

  init(_ grammar: Grammar, _ matcher: GrammarMatcher, _ brute: BruteForceMask) {
    self.matcher = matcher
    self.brute = brute
    run = GrammarRun(grammar)
  }

  /// Begins a text with these tokens.
  mutating func start(_ tokens: [TokenID]) throws {
    matcher.reset()
    for token in tokens { try matcher.accept(token) }
  }

  /// Compares the mask here; then goes one token further and comes back, and compares again.
  mutating func compare(
    _ name: String, using generator: inout SeededGenerator, _ tally: inout Oracle.Tally
  ) throws {
    var position: GrammarRun.Position? = run.start
    for byte in matcher.text {
      guard let here = position else { break }
      position = run.step(here, byte)
    }
    guard let position else {
      tally.failures.append("\(name): the plain automaton does not allow \(text)")
      return
    }
    // Nothing may follow a finished text, not even for brute force; the matcher is not asked then.
    if matcher.isFinished { return }
    let expected = brute.mask(&run, at: position)
    tally.configurations += 1
    if expected.count > 1_000 { tally.dense += 1 }
    let mask = try matcher.allowedTokens()
    let here = matcher.snapshot()
    if let token = mask.tokens.randomElement(using: &generator) { try matcher.accept(token) }
    matcher.restore(here)
    let again = try matcher.allowedTokens()
    if mask != expected || again != expected {
      let extra = mask.tokens.filter { !expected.contains($0) }.prefix(5)
      let missing = expected.tokens.filter { !mask.contains($0) }.prefix(5)
      tally.failures.append(
        "\(name) after \(text): too many \(extra), missing \(missing)"
          + (again == mask ? "" : ", and another mask after coming back"))
    }
  }

  /// Writes a text of random tokens; some are chosen to lead to the end, or no string would close.
  mutating func walk(
    _ name: String, using generator: inout SeededGenerator, _ tally: inout Oracle.Tally
  ) throws {
    matcher.reset()
    var compared = 0
    for _ in 0..<Self.longestWalk {
      if matcher.isFinished { return }
      if compared < Self.mostComparisons, Int.random(in: 0..<4, using: &generator) == 0 {
        try compare(name, using: &generator, &tally)
        compared += 1
      }
      let allowed = try matcher.allowedTokens().tokens
      guard var token = allowed.randomElement(using: &generator) else { return }
      if Int.random(in: 0..<3, using: &generator) == 0 {
        token =
          try shortest(of: (0..<24).compactMap { _ in allowed.randomElement(using: &generator) })
          ?? token
      }
      if matcher.isComplete, token == allowed.last { return }
      try matcher.accept(token)
    }
  }

  private func shortest(of tokens: [TokenID]) throws -> TokenID? {
    let here = matcher.snapshot()
    defer { matcher.restore(here) }
    var best: (token: TokenID, rest: Int)?
    for token in tokens {
      matcher.restore(here)
      try matcher.accept(token)
      let rest = matcher.shortestCompletion
      if rest < best?.rest ?? .max { best = (token, rest) }
    }
    return best?.token
  }

  private var text: String { String(decoding: matcher.text.suffix(200), as: UTF8.self) }
}
