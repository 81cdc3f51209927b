/// All texts that match a schema, as an automaton over bytes.
///
///     let grammar = try Grammar(schema)
///     let trie = TokenTrie(vocabulary)                     // once per model
///     let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
///
/// Every text it allows is valid JSON and matches the schema, and from every beginning it allows
/// the text can be completed. Beyond what ``Schema/Kind`` says, these are its decisions:
///
/// - Objects have their keys in declared order; keys and enumerated values have one spelling.
/// - Free strings may use every escape of JSON, `\u0000` included, but no half of a surrogate
///   pair. Lengths count code points.
/// - Numbers have no exponent, no leading zero and no minus before zero. Integers have at most
///   38 digits, other numbers 20 before the point and 17 after it, unless a bound has more.
/// - Times have seconds up to 59 and a fraction of at most 9 digits.
/// - There is no blank before the first byte and after the last, and in between only what
///   ``Whitespace`` says.
///
/// A schema that nothing can match, at its root or at any place inside, is refused
/// (``FoveaError/Code/invalidSchema``), and so is one that the automaton cannot express
/// (``FoveaError/Code/unsupportedSchema``); the message names the place as a JSON pointer.
package struct Grammar: Sendable {
  /// The blanks between the parts of the JSON. There is never a choice, so a model cannot lose
  /// itself in them.
  package enum Whitespace: Sendable, Hashable {
    /// None: `{"a":1,"b":[2,3]}`
    case compact
    /// One after each colon and comma: `{"a": 1, "b": [2, 3]}`
    case spaced
    /// Every property and item on its own line, `indent` blanks deeper than its parent; empty
    /// objects and lists stay on one line.
    case pretty(indent: Int)
  }

  let states: [GrammarState]
  let edges: [GrammarEdge]
  let counters: [GrammarCounter]
  let start: UInt32
  /// The number of bytes of the shortest text that matches.
  package let shortestLength: Int

  /// Compiles a schema.
  package init(_ schema: Schema, whitespace: Whitespace = .compact) throws(FoveaError) {
    if case .pretty(let indent) = whitespace, !(0...16).contains(indent) {
      throw FoveaError(
        .invalidArgument, "an indent of \(indent) blanks was asked for", fix: "use 0 to 16")
    }
    let node = try NormalNode(schema)
    var compiler = SchemaCompiler(whitespace: whitespace)
    start = try compiler.value(node, depth: 0)
    let builder = compiler.builder
    shortestLength = builder.entryCost(start)
    counters = builder.counters
    var edges: [GrammarEdge] = []
    var states: [GrammarState] = []
    states.reserveCapacity(builder.drafts.count)
    for (draft, shortest) in zip(builder.drafts, builder.shortest) {
      states.append(
        GrammarState(
          firstEdge: UInt32(edges.count), edgeCount: UInt16(draft.edges.count), role: draft.role,
          isFinal: draft.isFinal, counter: draft.counter, callee: draft.callee,
          returnState: draft.returnState, shortest: shortest))
      edges += draft.edges
    }
    self.states = states
    self.edges = edges
  }

  /// Whether the whole text matches.
  package func accepts(_ text: some Sequence<UInt8>) -> Bool {
    var automaton = ByteAutomaton(self, reach: 1)
    var configuration = automaton.start
    for byte in text {
      configuration = automaton.step(configuration, byte)
      if configuration.isDead { return false }
    }
    return automaton.isComplete(configuration)
  }
}

extension Grammar.Whitespace {
  var colon: [UInt8] { self == .compact ? [0x3A] : [0x3A, 0x20] }

  /// What separates two properties or items at this depth, comma included.
  func separator(depth: Int) -> [UInt8] {
    switch self {
    case .compact: [0x2C]
    case .spaced: [0x2C, 0x20]
    case .pretty: [0x2C] + opening(depth: depth)
    }
  }

  /// What comes between the opening bracket and the first property or item.
  func opening(depth: Int) -> [UInt8] {
    guard case .pretty(let indent) = self else { return [] }
    return [0x0A] + [UInt8](repeating: 0x20, count: indent * depth)
  }

  /// What comes after the last property or item, closing bracket included.
  func closing(_ bracket: UInt8, depth: Int) -> [UInt8] { opening(depth: depth) + [bracket] }
}
