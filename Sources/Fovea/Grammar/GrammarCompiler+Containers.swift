extension GrammarCompiler {
  mutating func compileContainers(_ id: Int) throws(FoveaError) {
    let node = form.nodes[id]
    for shape in node.arrays {
      guard let compiled = try array(shape, at: node.pointer) else { continue }
      nodes[id].arrays.append(UInt32(arrays.count))
      arrays.append(compiled)
    }
    for shape in node.objects {
      guard let compiled = try object(shape, at: node.pointer) else { continue }
      nodes[id].objects.append(UInt32(objects.count))
      objects.append(compiled)
    }
  }

  /// A node's number, or 0 when it has no finite value.
  private func live(_ id: Int) -> UInt32 {
    nodes[id].cost.base < Cost.infinite.base ? UInt32(id) : 0
  }

  private mutating func array(
    _ shape: NormalForm.ArrayShape, at pointer: String
  ) throws(FoveaError) -> CompiledArray? {
    var prefix = shape.prefix.map(live)
    var rest = live(shape.rest)
    var most = shape.maxItems
    if let dead = prefix.firstIndex(of: 0) {
      most = min(most, dead)
      prefix.removeLast(prefix.count - dead)
      rest = 0
    }
    if rest == 0 { most = min(most, prefix.count) }
    var words = MachineTable.endless
    let isUnique = shape.isUnique && most > 1
    if isUnique {
      guard prefix.isEmpty else {
        throw .schemaUnsupported(
          pointer, "uniqueItems", "stands beside items of their own positions",
          fix: "leave uniqueItems out, or give all items one schema")
      }
      rest = try unique(shape.rest)
      words = self.words(nodes[Int(rest)])
      if words != MachineTable.endless { most = min(most, Int(words)) }
    }
    guard shape.minItems <= most, shape.contains.count <= 1 else {
      if shape.contains.count > 1 {
        throw .schemaUnsupported(
          pointer, "contains", "is demanded more than once", fix: "keep one of them")
      }
      return nil
    }
    var contains: [UInt32] = []
    var minContains = 0
    if let demand = shape.contains.first, demand.minimum > 0 {
      if isUnique {
        throw .schemaUnsupported(
          pointer, "contains", "stands beside uniqueItems", fix: "keep one of them")
      }
      contains = demand.nodes.map(live)
      minContains = demand.minimum
      if minContains > most { return nil }
    }
    var compiled = CompiledArray(
      prefix: prefix, rest: rest, minItems: UInt32(clamping: shape.minItems),
      maxItems: most == .max ? CompiledArray.unlimited : UInt32(clamping: most), words: words,
      isUnique: isUnique, contains: contains, minContains: UInt32(clamping: minContains))
    if minContains > compiled.countable(from: 0) { return nil }
    if isUnique { compiled.lengths = lengths(of: nodes[Int(rest)]) }
    return compiled
  }

  /// How long the values of a node are that must differ from each other.
  private func lengths(of node: CompiledNode) -> RankedLengths {
    var result = RankedLengths()
    if node.allowsNull { result.add(length: 4) }
    if node.allowsTrue { result.add(length: 4) }
    if node.allowsFalse { result.add(length: 5) }
    if node.number != 0 {
      result.add(
        RankedLengths(from: node.number, of: table, endsWithByte: true) {
          table.states[Int($0)].isFinal
        })
    }
    for start in node.strings {
      result.add(
        RankedLengths(from: start, of: table, endsWithByte: true) { _ in false }, longerBy: 1)
    }
    return result
  }

  private mutating func object(
    _ shape: NormalForm.ObjectShape, at pointer: String
  ) throws(FoveaError) -> CompiledObject? {
    var properties: [CompiledObject.Property] = []
    for property in shape.properties {
      let node = live(property.node)
      if node == 0, property.isRequired { return nil }
      properties.append(
        .init(
          name: CanonicalText.escaped(property.name), node: node, isRequired: property.isRequired))
    }
    let count = properties.count
    for implication in shape.implications {
      properties[implication.condition].consequences += implication.consequences.map(UInt32.init)
    }
    close(&properties)
    for property in properties where property.isRequired {
      for consequence in property.consequences { properties[Int(consequence)].isRequired = true }
    }
    // A property whose consequences are forbidden is forbidden itself.
    for index in properties.indices
    where properties[index].consequences.contains(where: { properties[Int($0)].node == 0 }) {
      if properties[index].isRequired { return nil }
      properties[index].node = 0
    }
    let hasImplications = properties.contains { !$0.consequences.isEmpty }
    let isAnyOrder = keyOrder == .any && count > 0

    var nextRequired = [UInt32](repeating: UInt32(count), count: count + 1)
    var available = [UInt32](repeating: 0, count: count + 1)
    for index in (0..<count).reversed() {
      nextRequired[index] = properties[index].isRequired ? UInt32(index) : nextRequired[index + 1]
      available[index] = available[index + 1] + (properties[index].node != 0 ? 1 : 0)
    }
    let required = properties.count { $0.isRequired }
    let most = shape.maxProperties == .max ? UInt32.max : UInt32(clamping: shape.maxProperties)
    if required > most { return nil }
    var compiled = CompiledObject(
      properties: properties, additional: live(shape.additional),
      patterns: shape.patterns.map { live($0.node) }, keyStart: 0,
      minProperties: UInt32(clamping: max(0, shape.minProperties)), maxProperties: most,
      nextRequired: nextRequired, available: available, freeKeys: 0,
      isCounted: shape.minProperties > required || shape.maxProperties < .max,
      tracksSeen: isAnyOrder || hasImplications, isAnyOrder: isAnyOrder)
    if hasImplications, compiled.minProperties > required, most < .max,
      Int(most) - Int(compiled.minProperties) < (properties.map(\.consequences.count).max() ?? 0)
    {
      throw .schemaUnsupported(
        pointer, "maxProperties",
        "is close, beside properties that demand others",
        fix: "leave minProperties or maxProperties out")
    }
    try addKeys(&compiled, shape, at: pointer)
    if compiled.isCounted, compiled.freeKeys > 0 {
      compiled.freeLengths = freeLengths(of: compiled)
    }
    if compiled.freeKeys != MachineTable.endless,
      Int(available[0]) + Int(compiled.freeKeys) < shape.minProperties
    {
      return nil
    }
    return compiled
  }

  /// Adds the consequences of consequences.
  private func close(_ properties: inout [CompiledObject.Property]) {
    for index in properties.indices where !properties[index].consequences.isEmpty {
      var reached: Set<UInt32> = []
      var pending = properties[index].consequences
      while let next = pending.popLast() {
        if next != index, reached.insert(next).inserted {
          pending += properties[Int(next)].consequences
        }
      }
      properties[index].consequences = reached.sorted()
    }
  }

  // MARK: Keys

  private func freeLengths(of object: CompiledObject) -> RankedLengths {
    let count = UInt32(object.properties.count)
    let start = table.states[Int(object.keyStart)]
    let undeclared =
      start.role == .keyName ? keyNodes[Int(start.detail)].fallback : object.keyStart
    if undeclared == 0 { return RankedLengths() }
    // Where undeclared keys are few, the declared names are none of them already.
    let names = object.freeKeys == MachineTable.endless ? object.properties.map(\.name.count) : []
    let isPattern = table.states[Int(undeclared)].role == .keyPattern
    return RankedLengths(from: undeclared, of: table, without: names, endsWithByte: false) { id in
      let state = table.states[Int(id)]
      return isPattern ? keyNodes[Int(state.detail)].label > count : state.isBoundary
    }
  }

  private mutating func addKeys(
    _ object: inout CompiledObject, _ shape: NormalForm.ObjectShape, at pointer: String
  ) throws(FoveaError) {
    if shape.patterns.isEmpty {
      object.freeKeys = object.additional == 0 ? 0 : MachineTable.endless
      object.keyStart = names(object, undeclared: MachineTable.base.key)
      return
    }
    do throws(AutomatonTooLarge) {
      try addPatternKeys(&object, shape)
    } catch {
      throw tooComplex(pointer, "the patterns of its keys")
    }
  }

  /// The declared names as a tree; where a key leaves it, it goes on in the automaton of the
  /// undeclared ones, whose start is given; 0 for none.
  ///
  ///     "id" "in" "total"        root ─i─▶ ● ─d─▶ (id)
  ///                                   │    └──n─▶ (in)
  ///                                   └─t─▶ ● ─o─▶ …          any other byte ─▶ fallback
  private mutating func names(_ object: CompiledObject, undeclared: UInt32) -> UInt32 {
    if object.properties.isEmpty, object.allowsFree { return undeclared }
    struct Draft {
      var label: UInt32 = 0
      var targets: [UInt32] = []
      var edges: [(byte: UInt8, target: Int)] = []
      var fallback: UInt32
      var depth: UInt32 = 0
      var isInEscape = false
    }
    var drafts = [Draft(fallback: undeclared)]
    for (index, property) in object.properties.enumerated() {
      var at = 0
      let isAllowed = property.node != 0
      if isAllowed { drafts[0].targets.append(UInt32(index)) }
      for byte in property.name {
        if let edge = drafts[at].edges.first(where: { $0.byte == byte }) {
          at = edge.target
        } else {
          var fallback = drafts[at].fallback
          if fallback != 0 { fallback = table.next(table.states[Int(fallback)], byte) }
          if fallback == MachineTable.Place.end { fallback = 0 }
          drafts.append(
            Draft(
              fallback: fallback, depth: drafts[at].depth + 1,
              isInEscape: byte == 0x5C && !drafts[at].isInEscape))
          drafts[at].edges.append((byte, drafts.count - 1))
          at = drafts.count - 1
        }
        if isAllowed { drafts[at].targets.append(UInt32(index)) }
      }
      // A forbidden name has its label too: it must not pass as an undeclared one.
      drafts[at].label = UInt32(index) + 1
    }
    let first = UInt32(table.states.count)
    for draft in drafts {
      let edges = UInt32(keyEdges.count)
      for edge in draft.edges.sorted(by: { $0.byte < $1.byte }) {
        keyEdges.append(KeyEdge(byte: edge.byte, target: first + UInt32(edge.target)))
      }
      let targets = UInt32(keyTargets.count)
      keyTargets += draft.targets
      table.states.append(
        MachineTable.State(
          detail: UInt32(keyNodes.count), role: .keyName,
          isBoundary: draft.fallback != 0 && table.states[Int(draft.fallback)].isBoundary))
      table.shortest.append(0)
      table.words.append(MachineTable.endless)
      keyNodes.append(
        KeyNode(
          label: draft.label, targets: targets..<UInt32(keyTargets.count),
          edges: edges..<UInt32(keyEdges.count), fallback: draft.fallback, depth: draft.depth,
          isInEscape: draft.isInEscape))
    }
    return first
  }

  /// An automaton for the undeclared keys, labelled with what they lead to.
  private mutating func addPatternKeys(
    _ object: inout CompiledObject, _ shape: NormalForm.ObjectShape
  ) throws(AutomatonTooLarge) {
    let free = UInt32(object.properties.count) + 1
    var language = DFA.empty
    if object.additional != 0 {
      language = try TextLanguage.all.product(.empty) { left, _ in left == 0 ? 0 : free }
    }
    for (index, pattern) in shape.patterns.enumerated() {
      if object.patterns[index] == 0 {
        language = try language.subtracting(pattern.language)
        continue
      }
      let label = free + 1 + UInt32(index)
      language = try language.product(pattern.language) { $1 != 0 ? label : $0 }
    }
    var counts = language.wordCounts(limit: Int(Int32.max))
    // A declared name is no undeclared key. That matters only where there are few of them.
    let few = shape.properties.map(\.name).filter { name in
      var state = language.start
      for byte in name { state = language.next(state, byte) }
      return state != DFA.dead && counts[Int(state)] < Int32.max
    }
    if !few.isEmpty {
      language = try language.subtracting(DFA.words(few))
      counts = language.wordCounts(limit: Int(Int32.max))
    }
    let total = language.isEmpty ? 0 : counts[Int(language.start)]
    object.freeKeys = total >= Int32.max ? MachineTable.endless : UInt32(total)
    var start: UInt32 = 0
    if total > 0 {
      let first = table.append(text: language, role: .keyPattern, detail: 0).first
      addKeyNodes(language, counts, first: first)
      start = first + language.start - 1
    }
    object.keyStart = names(object, undeclared: start)
  }

  /// The nodes of an automaton of undeclared keys, and how many keys its states have left.
  private mutating func addKeyNodes(_ language: DFA, _ counts: [Int], first: UInt32) {
    let states = table.states.count - Int(first)
    var words = counts.dropFirst().map { UInt64($0) }
    words += [UInt64](repeating: 0, count: states - words.count)
    // States of escapes stand behind those of the language, each before those that lead to it.
    for local in (language.stateCount - 1)..<max(language.stateCount - 1, states) {
      let state = table.states[Int(first) + local]
      for byte in 0...255 {
        let target = table.next(state, UInt8(byte))
        if target < first { continue }
        words[local] = min(UInt64(Int32.max), words[local] + words[Int(target - first)])
      }
    }
    for local in 0..<states {
      if words[local] < Int32.max { table.words[Int(first) + local] = UInt32(words[local]) }
      table.states[Int(first) + local].detail = UInt32(keyNodes.count)
      keyNodes.append(
        KeyNode(
          label: local < language.stateCount - 1 ? language.labels[local + 1] : 0,
          targets: 0..<0))
    }
  }
}
