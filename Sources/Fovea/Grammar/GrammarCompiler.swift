/// Turns a normal form into the flat tables of a ``Grammar``.
struct GrammarCompiler {
  /// How many states a grammar may have: far more than any useful schema needs (a receipt has a
  /// few hundred), and little enough to stay within tens of megabytes.
  static let mostStates = 1_000_000
  /// How many properties an object may demand by number alone.
  static let mostDemanded = 10_000

  let form: NormalForm
  let whitespace: Grammar.Whitespace
  let keyOrder: Grammar.KeyOrder
  var table = MachineTable.base.table
  var nodes: [CompiledNode] = []
  var arrays: [CompiledArray] = []
  var objects: [CompiledObject] = []
  var limits: [TextLimits] = [TextLimits(free: 0, .max)]
  var keyNodes: [KeyNode] = []
  var keyTargets: [UInt32] = []
  var keyEdges: [KeyEdge] = []
  private var texts: [NormalForm.Strings: UInt32] = [:]
  private var numbers: [DFA: UInt32] = [:]
  private var uniqueNodes: [Int: UInt32] = [:]

  init(_ form: NormalForm, whitespace: Grammar.Whitespace, keyOrder: Grammar.KeyOrder) {
    self.form = form
    self.whitespace = whitespace
    self.keyOrder = keyOrder
  }

  /// Compiles every node that can be reached from the root.
  mutating func compile() throws(FoveaError) {
    nodes = [CompiledNode](repeating: CompiledNode(), count: form.nodes.count)
    let reached = reachable()
    for id in reached {
      for shape in form.nodes[id].objects where shape.minProperties > Self.mostDemanded {
        throw tooComplex(form.nodes[id].pointer, "so many properties")
      }
    }
    for id in reached { try compileScalars(id) }
    measureNodes(reached)
    // Compiling may show that a shape has no value after all. What needs it has none either, so
    // all is done again without it, until nothing more is lost.
    var plain = self
    while true {
      for id in reached { try compileContainers(id) }
      let costs = measureCompiled(reached)
      let lost = reached.filter {
        nodes[$0].cost.base < Cost.infinite.base && costs[$0].base >= Cost.infinite.base
      }
      if lost.isEmpty {
        for id in reached { nodes[id].cost = costs[id] }
        return
      }
      for id in lost { plain.nodes[id].cost = .infinite }
      self = plain
    }
  }

  private func reachable() -> [Int] {
    var isReached = [Bool](repeating: false, count: form.nodes.count)
    isReached[0] = true
    isReached[form.root] = true
    var order = [form.root]
    var position = 0
    func visit(_ id: Int) {
      if isReached[id] { return }
      isReached[id] = true
      order.append(id)
    }
    while position < order.count {
      let node = form.nodes[order[position]]
      position += 1
      for shape in node.arrays {
        for id in shape.prefix { visit(id) }
        visit(shape.rest)
        for contains in shape.contains { for id in contains.nodes { visit(id) } }
      }
      for shape in node.objects {
        for property in shape.properties { visit(property.node) }
        for pattern in shape.patterns { visit(pattern.node) }
        visit(shape.additional)
      }
    }
    return order
  }

  // MARK: Scalars

  private mutating func compileScalars(_ id: Int) throws(FoveaError) {
    let node = form.nodes[id]
    var compiled = CompiledNode()
    compiled.allowsNull = node.allowsNull
    compiled.allowsFalse = node.allowsFalse
    compiled.allowsTrue = node.allowsTrue
    var least = Int.max
    if node.allowsNull || node.allowsTrue { least = 4 } else if node.allowsFalse { least = 5 }
    do throws(AutomatonTooLarge) {
      if !node.numbers.isEmpty {
        compiled.number = try number(node.numbers)
        least = min(least, Int(table.shortest[Int(compiled.number)]))
      }
    } catch {
      throw tooComplex(node.pointer, "its numbers")
    }
    for strings in node.strings {
      guard let start = try text(strings, at: node.pointer) else { continue }
      compiled.strings.append(start)
      least = min(least, 1 + shortest(text: start))
    }
    if least < .max { compiled.scalarCost = Cost(base: least, lines: 0) }
    compiled.cost = compiled.scalarCost
    nodes[id] = compiled
    if table.states.count > Self.mostStates { throw tooComplex(node.pointer, "the schema") }
  }

  private func shortest(text start: UInt32) -> Int {
    let state = table.states[Int(start)]
    let own = table.shortest[Int(start)]
    if state.role != .countedText { return Int(own) }
    return limits[Int(state.detail)].shortest(
      start, count: 0, isBoundary: state.isBoundary, own: own)
  }

  mutating func number(_ language: DFA) throws(AutomatonTooLarge) -> UInt32 {
    if let state = numbers[language] { return state }
    let state = append(number: try NumberLanguage.written(language))
    numbers[language] = state
    return state
  }

  private mutating func append(number language: DFA) -> UInt32 {
    let first = UInt32(table.states.count)
    let states = (1..<max(1, language.stateCount)).map {
      MachineTable.State(role: .number, isFinal: language.labels[$0] != 0)
    }
    // State 0 of the language is dead, so state `i` of it is state `i - 1` here.
    let rows = language.transitions.dropFirst(language.classCount).map {
      $0 == 0 ? MachineTable.deadTarget : $0 - 1
    }
    _ = table.append(
      rows: Array(rows), classes: language.classes, classCount: language.classCount,
      states: states)
    table.measure(from: first, classCount: language.classCount)
    return first + language.start - 1
  }

  /// The state after the opening quote; nil when no string has a length that is allowed.
  mutating func text(
    _ strings: NormalForm.Strings, at pointer: String
  ) throws(FoveaError) -> UInt32? {
    if let state = texts[strings] { return state == 0 ? nil : state }
    let state = try makeText(strings, at: pointer)
    texts[strings] = state ?? 0
    return state
  }

  private mutating func makeText(
    _ strings: NormalForm.Strings, at pointer: String
  ) throws(FoveaError) -> UInt32? {
    if strings.language.isEmpty { return nil }
    let isCounted = strings.minLength > 0 || strings.maxLength < .max
    if strings.language == TextLanguage.all {
      if !isCounted { return MachineTable.base.text }
      limits.append(TextLimits(free: strings.minLength, strings.maxLength))
      return table.append(freeTextWith: .countedText, detail: UInt32(limits.count - 1))
    }
    if !isCounted {
      return table.append(text: strings.language, role: .text, detail: 0).first
    }
    let (first, classCount) = table.append(
      text: strings.language, role: .countedText, detail: UInt32(limits.count))
    guard
      let bounds = TextLimits(
        minimum: strings.minLength, maximum: strings.maxLength, first: first,
        classCount: classCount, of: table)
    else { throw tooComplex(pointer, "a pattern together with its length bounds") }
    limits.append(bounds)
    return bounds.allows(first, count: 0, isBoundary: true) ? first : nil
  }

  /// A node whose values have one spelling each, for the items of unique arrays.
  mutating func unique(_ id: Int) throws(FoveaError) -> UInt32 {
    if let known = uniqueNodes[id] { return known }
    let node = form.nodes[id]
    var compiled = CompiledNode()
    compiled.allowsNull = node.allowsNull
    compiled.allowsFalse = node.allowsFalse
    compiled.allowsTrue = node.allowsTrue
    compiled.scalarCost = nodes[id].scalarCost
    compiled.cost = nodes[id].scalarCost
    guard node.arrays.isEmpty, node.objects.isEmpty else {
      throw .schemaUnsupported(
        node.pointer, "uniqueItems", "would compare lists or objects",
        fix: "leave uniqueItems out, or make the items text or numbers")
    }
    do throws(AutomatonTooLarge) {
      if !node.numbers.isEmpty {
        let language = try NumberLanguage.canonical(NumberLanguage.written(node.numbers))
        compiled.number = append(number: language)
        count(language, first: compiled.number + 1 - language.start)
      }
      for strings in node.strings {
        var language = strings.language
        if strings.minLength > 0 || strings.maxLength < .max {
          language = try language.intersection(
            TextLanguage.length(
              minimum: strings.minLength,
              maximum: strings.maxLength < .max ? strings.maxLength : nil))
        }
        if language.isEmpty { continue }
        let first = table.append(text: language, role: .text, detail: 0).first
        compiled.strings.append(first)
        count(language, first: first)
      }
    } catch {
      throw tooComplex(node.pointer, "the values that may not come twice")
    }
    nodes.append(compiled)
    uniqueNodes[id] = UInt32(nodes.count - 1)
    return UInt32(nodes.count - 1)
  }

  /// Fills in how many texts the states of a language can complete; states of escapes, which come
  /// behind those of the language, count as the least known bound would: endless.
  private mutating func count(_ language: DFA, first: UInt32) {
    let counts = language.wordCounts(limit: Int(Int32.max))
    for state in 1..<max(1, language.stateCount) where counts[state] < Int32.max {
      table.words[Int(first) + state - 1] = UInt32(counts[state])
    }
  }

  /// How many different values a node has; ``MachineTable/endless`` if no small number.
  func words(_ node: CompiledNode) -> UInt32 {
    var total: UInt64 = 0
    for flag in [node.allowsNull, node.allowsTrue, node.allowsFalse] where flag { total += 1 }
    for state in node.strings + (node.number == 0 ? [] : [node.number]) {
      let words = table.words[Int(state)]
      if words == MachineTable.endless { return words }
      total += UInt64(words)
    }
    return UInt32(min(total, UInt64(MachineTable.endless)))
  }

  func tooComplex(_ pointer: String, _ what: String) -> FoveaError {
    .schemaTooComplex(
      pointer, "\(what) would take more states than Fovea spends on a grammar",
      fix: "simplify the pattern, lower its repetitions, or split the schema")
  }
}
