/// A node of the normal form, ready to be run.
struct CompiledNode: Sendable {
  var allowsNull = false
  var allowsFalse = false
  var allowsTrue = false
  /// The state before the first byte of a number; 0: none.
  var number: UInt32 = 0
  /// The states after the opening quote.
  var strings: [UInt32] = []
  var arrays: [UInt32] = []
  var objects: [UInt32] = []
  /// The least number of bytes of a value.
  var cost = Cost.infinite
  /// The same for values that are no containers.
  var scalarCost = Cost.infinite
}

/// A number of bytes that depends on how deep a value stands, since `pretty` indents.
struct Cost: Sendable, Hashable {
  /// The bytes at depth 0.
  var base: Int
  /// How many lines are begun inside: each is indented by the value's own depth.
  var lines: Int

  static let infinite = Cost(base: 1 << 40, lines: 0)
  static let zero = Cost(base: 0, lines: 0)

  static func + (left: Cost, right: Cost) -> Cost {
    Cost(
      base: min(Cost.infinite.base, left.base + right.base),
      lines: min(1 << 40, left.lines + right.lines))
  }

  static func + (left: Cost, right: Int) -> Cost { left + Cost(base: right, lines: 0) }

  static func * (left: Cost, count: Int) -> Cost {
    if count == 0 { return .zero }
    let (base, isTooBig) = left.base.multipliedReportingOverflow(by: count)
    let (lines, areTooMany) = left.lines.multipliedReportingOverflow(by: count)
    if isTooBig || areTooMany { return .infinite }
    return Cost(base: min(Cost.infinite.base, base), lines: min(1 << 40, lines))
  }

  func bytes(depth: Int, indent: Int) -> Int { base + lines * indent * depth }
}

/// A shape of lists, ready to be run.
struct CompiledArray: Sendable {
  var prefix: [UInt32]
  /// 0: no items behind the prefix.
  var rest: UInt32
  var minItems: UInt32
  var maxItems: UInt32
  /// How many different values there are for the items, when none may come twice.
  var words: UInt32
  var isUnique: Bool
  /// For each position of the prefix, and the rest, the node of an item that counts.
  var contains: [UInt32]
  var minContains: UInt32
  /// How long the different values of unique items are.
  var lengths = RankedLengths()

  static let unlimited = UInt32.max

  func node(at position: UInt32) -> UInt32 {
    Int(position) < prefix.count ? prefix[Int(position)] : rest
  }

  func containsNode(at position: UInt32) -> UInt32 {
    contains[min(Int(position), contains.count - 1)]
  }
}

/// A shape of objects, ready to be run.
struct CompiledObject: Sendable {
  struct Property: Sendable {
    /// With escapes and without quotes.
    var name: [UInt8]
    /// 0: the key is forbidden.
    var node: UInt32
    var isRequired: Bool
    /// The properties that must be there when this one is, itself left out.
    var consequences: [UInt32] = []
  }

  var properties: [Property]
  /// The node of keys that are not declared and match no pattern; 0: none.
  var additional: UInt32
  /// The nodes of keys by pattern.
  var patterns: [UInt32] = []
  /// The state after a key's opening quote.
  var keyStart: UInt32
  var minProperties: UInt32
  var maxProperties: UInt32
  /// `nextRequired[i]`: the first required property from `i` on; the number of them if none.
  var nextRequired: [UInt32]
  /// How many of the properties from `i` on are not forbidden.
  var available: [UInt32]
  /// How many undeclared keys there can be; ``MachineTable/endless`` for any number.
  var freeKeys: UInt32
  /// How long undeclared keys are, without quotes; where the number of properties matters.
  var freeLengths = RankedLengths()
  /// Whether the number of properties matters.
  var isCounted: Bool
  /// Whether the present properties must be known one by one, not only the last.
  var tracksSeen: Bool
  /// Keys come in any order.
  var isAnyOrder: Bool

  var allowsFree: Bool { freeKeys > 0 }
}

/// A point in a key, of one shape.
struct KeyNode: Sendable {
  /// The property that ends here, counted from 1; or one more than their number for any other
  /// key, and two more and up for the patterns; 0: no key ends here.
  var label: UInt32
  /// The properties that can still come, ascending: a range of ``Grammar/keyTargets``.
  var targets: Range<UInt32>
  /// Children of a ``MachineTable/Role/keyName`` state: a range of ``Grammar/keyEdges``.
  var edges: Range<UInt32> = 0..<0
  /// Where an undeclared key goes on from here: a state of the automaton of undeclared keys; 0 for
  /// nowhere.
  var fallback: UInt32 = 0
  /// How many bytes of the name there are.
  var depth: UInt32 = 0
  /// Whether the last of them is a backslash that escapes the next.
  var isInEscape = false
}

/// A byte of a declared name.
struct KeyEdge: Sendable {
  var byte: UInt8
  var target: UInt32
}
