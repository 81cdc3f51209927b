/// All texts that match a schema, compiled for the ``ByteAutomaton``.
///
///     let grammar = try Grammar(schema)
///     let trie = TokenTrie(vocabulary)                     // once per model
///     let matcher = GrammarMatcher(grammar: grammar, trie: trie, vocabulary: vocabulary)
///
/// Every text it allows is valid JSON and matches the schema, and from every beginning it allows
/// the text can be completed. Beyond what the schema says, these are its decisions:
///
/// - Keys come in declared order, undeclared ones once no required key is left; or in any order
///   (``KeyOrder``). No key comes twice. Keys, and strings with a pattern, a format or an
///   enumeration, have one spelling.
/// - Free strings may use every escape of JSON, `\u0000` included, but no half of a surrogate
///   pair. Lengths count code points.
/// - Numbers have no exponent and no leading zero; ``NumberLanguage`` says how many digits. Where
///   only whole numbers are allowed they have no fraction.
/// - There is no blank before the first byte and after the last, and in between only what
///   ``Whitespace`` says.
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

  /// The order of an object's keys.
  package enum KeyOrder: Sendable, Hashable {
    /// As declared; optional ones may be left out. Most bytes are then forced, which is quickest
    /// and, for most models, best.
    case declared
    /// Any order, each key once.
    case any
  }

  let table: MachineTable
  let nodes: [CompiledNode]
  let arrays: [CompiledArray]
  let objects: [CompiledObject]
  let limits: [TextLimits]
  let keyNodes: [KeyNode]
  let keyTargets: [UInt32]
  let keyEdges: [KeyEdge]
  let rules: [RuleMachine.State]
  /// Where a text begins: a node, or with ``rules`` a state.
  let root: UInt32
  let whitespace: Whitespace
  /// The number of bytes of the shortest text that matches.
  package private(set) var shortestLength: Int = 0

  /// Compiles a normal form.
  package init(
    _ form: NormalForm, whitespace: Whitespace = .compact, keyOrder: KeyOrder = .declared
  ) throws(FoveaError) {
    if case .pretty(let indent) = whitespace, !(0...16).contains(indent) {
      throw FoveaError(
        .invalidArgument, "an indent of \(indent) blanks was asked for", fix: "use 0 to 16")
    }
    var compiler = GrammarCompiler(form, whitespace: whitespace, keyOrder: keyOrder)
    try compiler.compile()
    table = compiler.table
    nodes = compiler.nodes
    arrays = compiler.arrays
    objects = compiler.objects
    limits = compiler.limits
    keyNodes = compiler.keyNodes
    keyTargets = compiler.keyTargets
    keyEdges = compiler.keyEdges
    rules = []
    root = UInt32(form.root)
    self.whitespace = whitespace
    remembersTexts =
      objects.contains { $0.allowsFree } || arrays.contains { $0.isUnique }
    guard nodes[form.root].cost.base < Cost.infinite.base else {
      throw FoveaError(
        .invalidSchema, "the schema at \(form.nodes[form.root].pointer) allows no finite value",
        fix: "look for a property that requires itself, and for bounds that exclude each other")
    }
    var automaton = ByteAutomaton(self, reach: 1)
    shortestLength = automaton.shortestCompletion(automaton.start)
  }

  /// Takes a language given by rules.
  package init(machine: RuleMachine) {
    var table = MachineTable.base.table
    let first = UInt32(table.states.count)
    for (index, state) in machine.states.enumerated() {
      table.states.append(
        MachineTable.State(detail: UInt32(index), role: .rule, isFinal: state.isFinal))
      table.shortest.append(UInt32(clamping: state.shortest))
      table.words.append(MachineTable.endless)
    }
    self.table = table
    nodes = []
    arrays = []
    objects = []
    limits = []
    keyNodes = []
    keyTargets = []
    keyEdges = []
    rules = machine.states
    root = first + machine.start
    whitespace = .compact
    remembersTexts = false
    shortestLength = machine.states[Int(machine.start)].shortest
  }

  /// Whether what was written decides which keys or items may still come.
  let remembersTexts: Bool

  /// How many states the grammar has beyond those that every grammar has.
  package var stateCount: Int { table.states.count - MachineTable.base.table.states.count }

  /// Whether the whole text matches.
  package func accepts(_ text: some Sequence<UInt8>) -> Bool {
    var automaton = ByteAutomaton(self, reach: 1)
    let end = automaton.run(text, from: automaton.start)
    return automaton.isComplete(end)
  }
}

extension Grammar.Whitespace {
  /// The blank before a key or an item, `depth` containers deep; the first one of a container has
  /// it only in `pretty`.
  func blank(depth: Int, isFirst: Bool) -> [UInt8] {
    switch self {
    case .compact: []
    case .spaced: isFirst ? [] : [0x20]
    case .pretty(let indent): [0x0A] + [UInt8](repeating: 0x20, count: indent * depth)
    }
  }

  /// How many blanks come before a key or an item.
  func blankCount(depth: Int, isFirst: Bool) -> Int {
    switch self {
    case .compact: 0
    case .spaced: isFirst ? 0 : 1
    case .pretty(let indent): 1 + indent * depth
    }
  }

  /// How many blanks come before the bracket that closes a container with parts.
  func closingCount(depth: Int) -> Int {
    guard case .pretty(let indent) = self else { return 0 }
    return 1 + indent * (depth - 1)
  }

  var indent: Int {
    guard case .pretty(let indent) = self else { return 0 }
    return indent
  }

  var hasBlankAfterColon: Bool { self != .compact }
}
