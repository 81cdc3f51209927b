/// A parsed ECMA-262 pattern.
struct PatternTree {
  /// A part of a pattern.
  indirect enum Node {
    /// One code point of ``PatternTree/sets`` number so and so.
    case set(Int)
    /// One after the other; the empty sequence matches the empty text.
    case sequence([Node])
    /// Any of these.
    case alternation([Node])
    /// So many times; `maximum` nil: without limit.
    case repetition(Node, minimum: Int, maximum: Int?)
    /// `^`
    case textStart
    /// `$`
    case textEnd
    /// `\b`, or `\B` when negated.
    case boundary(isNegated: Bool)
    /// What follows matches ``PatternTree/lookaheads`` number so and so, or must not.
    case lookahead(Int, isNegated: Bool)
  }

  /// The whole pattern.
  var root = Node.sequence([])
  /// The distinct sets of code points.
  var sets: [CodePointSet] = []
  /// The bodies of look-aheads; what stands inside another one comes before that.
  var lookaheads: [Node] = []
  /// Whether `\b` or `\B` occurs.
  var hasBoundaries = false
}

extension PatternTree.Node {
  /// The part without groups around it.
  var unwrapped: PatternTree.Node {
    switch self {
    case .sequence(let parts) where parts.count == 1: parts[0].unwrapped
    case .alternation(let parts) where parts.count == 1: parts[0].unwrapped
    default: self
    }
  }

  /// How many instructions the part takes, at most, with all repetitions unrolled; a bound that
  /// is computed before anything is unrolled.
  var size: Int {
    switch self {
    case .set, .textStart, .textEnd, .boundary, .lookahead: return 1
    case .sequence(let parts): return parts.reduce(1) { Self.sum($0, $1.size) }
    case .alternation(let parts): return parts.reduce(0) { Self.sum($0, Self.sum($1.size, 1)) }
    case .repetition(let part, let minimum, let maximum):
      return Self.product(Self.sum(part.size, 1), max(maximum ?? minimum, 1))
    }
  }

  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflows) = first.addingReportingOverflow(second)
    return overflows ? .max : sum
  }

  private static func product(_ first: Int, _ second: Int) -> Int {
    let (product, overflows) = first.multipliedReportingOverflow(by: second)
    return overflows ? .max : product
  }
}
