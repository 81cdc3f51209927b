/// Makes a grammar into a ``RuleMachine``.
///
/// 1. Which rules are called and which are written out where they are named: a rule is called if
///    it is part of a cycle and the walk from the root comes back to it, or if it is too large to
///    write out. So a grammar without recursion usually becomes one automaton without calls. The
///    parts of large repetitions are called too.
/// 2. A ``RuleNetwork`` of the rules that are called. Where a rule may be empty, its callers have
///    a free way around it, so that a call always reads something.
/// 3. Each rule's network becomes deterministic, with the calls taken as letters; where that
///    would take too many states, the choice is left to whoever runs the machine.
/// 4. ``RuleMachine/finished()``: without what leads nowhere, with equal states merged.
struct RuleCompiler {
  /// The most states of a network.
  static let mostStates = DFA.mostStates
  /// What is deeper is called: writing is recursive, and threads have small stacks.
  private static let deepestWriting = 40
  /// A repetition that would take more states calls what it repeats.
  private static let largestRepetition = 20_000
  /// Repetitions of what may be empty are states that are all reached at once.
  private static let largestEmptyRepetition = 32

  /// Why a grammar is given up.
  static let tooManyStates = FoveaError(
    .schemaTooComplex, "the grammar needs more than \(mostStates) states",
    fix: "use smaller repetitions, or fewer of them inside each other")

  private let grammar: GBNFGrammar
  private let isEmpty: [Bool]
  private var network = RuleNetwork()
  private var isCalled: [Bool]
  /// How many states each rule takes when it is written out.
  private var sizes: [Int]
  /// The rules that are called, then the repeated parts that are: what they stand for.
  private var callees: [(body: GBNFGrammar.Expression, entry: Int32, end: Int32)] = []
  /// The number among ``callees`` of each rule that is called.
  private var calleeOfRule: [Int?]
  private var sequences: [CharacterRanges: [[ClosedRange<UInt8>]]] = [:]

  /// Compiles a grammar that has been checked.
  static func machine(of grammar: GBNFGrammar) throws(FoveaError) -> RuleMachine {
    var compiler = RuleCompiler(grammar)
    let order = compiler.walk()
    for largest in [1_000, 100, 10, 0] {
      if compiler.measure(order, largest: largest) <= mostStates / 2 { break }
    }
    return try compiler.build()
  }

  private init(_ grammar: GBNFGrammar) {
    self.grammar = grammar
    isEmpty = grammar.emptyRules
    isCalled = [Bool](repeating: false, count: grammar.rules.count)
    sizes = [Int](repeating: 0, count: grammar.rules.count)
    calleeOfRule = [Int?](repeating: nil, count: grammar.rules.count)
  }

  // MARK: What is called

  /// The rules that the root needs, each after those that it names; marks the ones that the walk
  /// comes back to.
  private mutating func walk() -> [Int] {
    var named: [[Int]] = []
    for rule in grammar.rules {
      var list: [Int] = []
      rule.body.forEachRule { list.append($0) }
      named.append(list)
    }
    var order: [Int] = []
    var isOpen = [Bool](repeating: false, count: named.count)
    var isSeen = isOpen
    var path = [(rule: grammar.root, next: 0)]
    isOpen[grammar.root] = true
    isSeen[grammar.root] = true
    isCalled[grammar.root] = true
    while let (rule, next) = path.last {
      if next == named[rule].count {
        isOpen[rule] = false
        order.append(rule)
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let target = named[rule][next]
      if isOpen[target] { isCalled[target] = true }
      if isSeen[target] { continue }
      isSeen[target] = true
      isOpen[target] = true
      path.append((target, 0))
    }
    return order
  }

  /// Marks rules as called that take more than `largest` states; returns the states of all that
  /// are called.
  private mutating func measure(_ order: [Int], largest: Int) -> Int {
    var total = 0
    for rule in order {
      sizes[rule] = size(of: grammar.rules[rule].body)
      if sizes[rule] > largest { isCalled[rule] = true }
      if isCalled[rule] { total = Self.sum(total, sizes[rule]) }
    }
    return total
  }

  /// About how many states an expression takes when it is written out.
  private func size(of expression: GBNFGrammar.Expression) -> Int {
    switch expression {
    case .characters(let set): return 1 + min(set.ranges.count, 16)
    case .rule(let rule): return isCalled[rule] ? 1 : sizes[rule]
    case .sequence(let parts), .choice(let parts):
      return parts.reduce(1) { Self.sum($0, size(of: $1)) }
    case .repetition(let part, let minimum, let maximum):
      let inner = size(of: part)
      let count = Self.copies(minimum, maximum)
      if isHoisted(part, size: inner, count: count) { return Self.sum(count, inner) }
      let (product, hasOverflow) = inner.multipliedReportingOverflow(by: count)
      return hasOverflow ? Int.max : Self.sum(product, 2)
    }
  }

  private static func copies(_ minimum: Int, _ maximum: Int?) -> Int {
    maximum ?? minimum + 1
  }

  private func isHoisted(
    _ part: GBNFGrammar.Expression, size: Int, count: Int
  ) -> Bool {
    if count > Self.largestEmptyRepetition, part.holds(isEmpty, ofCharacters: false) { return true }
    return size > 4 && count > Self.largestRepetition / min(size, Self.largestRepetition)
  }

  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, hasOverflow) = left.addingReportingOverflow(right)
    return hasOverflow ? Int.max : sum
  }

  // MARK: The network

  private mutating func build() throws(FoveaError) -> RuleMachine {
    _ = callee(of: grammar.root)
    var position = 0
    while position < callees.count {
      let (body, entry, end) = callees[position]
      try write(body, from: entry, to: end, depth: 0)
      position += 1
    }
    var subsets = RuleSubsets(network: network)
    for callee in callees { subsets.begin(entry: callee.entry, end: callee.end) }
    return try subsets.machine(root: 0)
  }

  private mutating func callee(of rule: Int) -> Int {
    if let known = calleeOfRule[rule] { return known }
    let number = addCallee(grammar.rules[rule].body)
    calleeOfRule[rule] = number
    return number
  }

  private mutating func addCallee(_ body: GBNFGrammar.Expression) -> Int {
    callees.append((body, network.add(), network.add()))
    return callees.count - 1
  }

  private mutating func call(
    _ callee: Int, mayBeEmpty: Bool, from: Int32, to target: Int32
  ) {
    network.call(callee, from: from, to: target)
    if mayBeEmpty { network.connect(from, to: target) }
  }

  /// Lets the texts of an expression lead from one state to another.
  private mutating func write(
    _ expression: GBNFGrammar.Expression, from: Int32, to target: Int32, depth: Int
  ) throws(FoveaError) {
    if depth == Self.deepestWriting {
      let isEmpty = expression.holds(isEmpty, ofCharacters: false)
      call(addCallee(expression), mayBeEmpty: isEmpty, from: from, to: target)
      return
    }
    if network.nodes.count > Self.mostStates { throw Self.tooManyStates }
    switch expression {
    case .characters(let set):
      let known = sequences[set] ?? set.byteSequences
      sequences[set] = known
      network.read(known, from: from, to: target)
    case .rule(let rule):
      if isCalled[rule] {
        call(callee(of: rule), mayBeEmpty: isEmpty[rule], from: from, to: target)
      } else {
        try write(grammar.rules[rule].body, from: from, to: target, depth: depth + 1)
      }
    case .sequence(let parts):
      var state = from
      for (index, part) in parts.enumerated() {
        let next = index == parts.count - 1 ? target : network.add()
        try write(part, from: state, to: next, depth: depth + 1)
        state = next
      }
      if parts.isEmpty { network.connect(from, to: target) }
    case .choice(let parts):
      for part in parts { try write(part, from: from, to: target, depth: depth + 1) }
    case .repetition(let part, let minimum, let maximum):
      try write(part, minimum, maximum, from: from, to: target, depth: depth)
    }
  }

  private mutating func write(
    _ part: GBNFGrammar.Expression, _ minimum: Int, _ maximum: Int?, from: Int32,
    to target: Int32, depth: Int
  ) throws(FoveaError) {
    var hoisted: Int?
    let mayBeEmpty = part.holds(isEmpty, ofCharacters: false)
    if isHoisted(part, size: size(of: part), count: Self.copies(minimum, maximum)) {
      hoisted = addCallee(part)
    }
    func writeOnce(_ from: Int32, _ target: Int32) throws(FoveaError) {
      if let hoisted {
        network.call(hoisted, from: from, to: target)
      } else {
        try write(part, from: from, to: target, depth: depth + 1)
      }
    }
    // A state of its own, so that a loop does not reach what comes before it.
    var state = network.add()
    network.connect(from, to: state)
    // What may be empty may be left out, so each repetition is one that may be left out.
    let least = hoisted != nil && mayBeEmpty ? 0 : minimum
    for _ in 0..<least {
      let next = network.add()
      try writeOnce(state, next)
      state = next
    }
    guard let maximum else {
      let loop = network.add()
      network.connect(state, to: loop)
      try writeOnce(loop, loop)
      network.connect(loop, to: target)
      return
    }
    for _ in least..<max(least, maximum) {
      let next = network.add()
      network.connect(state, to: target)
      try writeOnce(state, next)
      state = next
    }
    network.connect(state, to: target)
  }
}
