/// A pattern as a nondeterministic automaton over code points: instructions that name the next
/// ones. A thread that reaches ``Instruction/match`` has found what it looks for.
///
///     a(?:b|c)*$      0 match │ 1 textEnd ▶0 │ 2 split ▶4 ▶1 │ 3 b ▶2 │ 4 split ▶3 ▶5 │ …
struct PatternProgram {
  /// A step of a thread.
  enum Instruction {
    /// Takes one code point of a set.
    case set(Int, next: UInt32)
    /// Goes both ways.
    case split(UInt32, UInt32)
    /// Goes on at the start of the text only.
    case textStart(next: UInt32)
    /// Goes on at the end of the text only.
    case textEnd(next: UInt32)
    /// Goes on between a word character and something else, or everywhere else.
    case boundary(isNegated: Bool, next: UInt32)
    /// Goes on under the condition that a look-ahead holds, or that it does not.
    case lookahead(Int, isNegated: Bool, next: UInt32)
    /// Is done; what follows in the text does not matter.
    case match
  }

  /// How many instructions a program may have.
  static let mostInstructions = 100_000

  /// All instructions; the first is ``Instruction/match``.
  private(set) var instructions: [Instruction] = [.match]
  /// Where threads start.
  private(set) var start: UInt32 = 0

  /// Compiles a part of a pattern.
  init(_ node: PatternTree.Node) throws(PatternError) {
    if node.size >= Self.mostInstructions {
      throw PatternError(
        .tooLarge, "unrolled it has more than \(Self.mostInstructions) parts")
    }
    start = emit(node, then: 0)
  }

  /// Lets threads start at every place of the text, not only at the first: `any` is the set of
  /// all code points.
  mutating func search(any: Int) {
    let loop = add(.split(0, start))
    instructions[Int(loop)] = .split(add(.set(any, next: loop)), start)
    start = loop
  }

  private mutating func add(_ instruction: Instruction) -> UInt32 {
    instructions.append(instruction)
    return UInt32(instructions.count - 1)
  }

  /// Adds a part in front of `next`; the result is its first instruction.
  private mutating func emit(_ node: PatternTree.Node, then next: UInt32) -> UInt32 {
    switch node {
    case .set(let set): return add(.set(set, next: next))
    case .sequence(let parts):
      var next = next
      for part in parts.reversed() { next = emit(part, then: next) }
      return next
    case .alternation(let parts):
      var first: UInt32?
      for part in parts.reversed() {
        let branch = emit(part, then: next)
        first = first.map { add(.split(branch, $0)) } ?? branch
      }
      return first ?? next
    case .repetition(let part, let minimum, let maximum):
      return emit(part, minimum, maximum, then: next)
    case .textStart: return add(.textStart(next: next))
    case .textEnd: return add(.textEnd(next: next))
    case .boundary(let isNegated): return add(.boundary(isNegated: isNegated, next: next))
    case .lookahead(let index, let isNegated):
      return add(.lookahead(index, isNegated: isNegated, next: next))
    }
  }

  private mutating func emit(
    _ part: PatternTree.Node, _ minimum: Int, _ maximum: Int?, then next: UInt32
  ) -> UInt32 {
    var first = next
    var mandatory = minimum
    if let maximum {
      // x{0,3} is (x(x(x)?)?)?: every way out leads straight to what follows.
      for _ in minimum..<maximum { first = add(.split(emit(part, then: first), next)) }
    } else {
      let loop = add(.split(0, next))
      let body = emit(part, then: loop)
      instructions[Int(loop)] = .split(body, next)
      first = minimum > 0 ? body : loop
      mandatory = max(0, minimum - 1)
    }
    for _ in 0..<mandatory { first = emit(part, then: first) }
    return first
  }
}
