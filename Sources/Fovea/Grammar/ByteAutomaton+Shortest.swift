extension ByteAutomaton {
  /// The least number of bytes that complete the text.
  ///
  /// What is still to come is a sum over the frames: the rest of the present part, and for each
  /// container what it still demands and its bracket. There is always a byte that makes it smaller
  /// by one, so who follows it down gets to the end in just as many bytes.
  mutating func shortestCompletion(_ at: Configuration) -> Int {
    let depth = Int(frames[Int(at.frame)].depth)
    switch at.state {
    case Place.dead, Place.end: return 0
    case Place.several:
      return sets[Int(at.count)].map { shortestCompletion($0) }.min() ?? 0
    case Place.value:
      if at.text != SpelledTexts.untracked { return freshCost(at) + cost(afterItemIn: at.frame) }
      return valueCost(at.count, depth: depth) + cost(after: at.frame)
    case Place.colon:
      let colon = grammar.whitespace.hasBlankAfterColon ? 2 : 1
      return colon + valueCost(at.count, depth: depth) + cost(after: at.frame)
    case Place.colonBlank:
      return 1 + valueCost(at.count, depth: depth) + cost(after: at.frame)
    case Place.objectAfter, Place.arrayAfter:
      return cost(after: at.frame)
    case Place.objectClosing, Place.arrayClosing:
      let blanks = grammar.whitespace.closingCount(depth: depth) - Int(at.count)
      return blanks + 1 + cost(after: frames[Int(at.frame)].key.parent)
    case Place.objectOpen, Place.arrayOpen:
      if frames[Int(at.frame)].canClose {
        return 1 + cost(after: frames[Int(at.frame)].key.parent)
      }
      return cost(after: at.frame) - separator(depth)
        + grammar.whitespace.blankCount(depth: depth, isFirst: true)
    case Place.objectBlank:
      let blanks = grammar.whitespace.blankCount(depth: depth, isFirst: false) - Int(at.count)
      return max(0, blanks) + 1 + keyCost(beginKey(at.frame))
    case Place.arrayBlank:
      let blanks = grammar.whitespace.blankCount(depth: depth, isFirst: false) - Int(at.count)
      return max(0, blanks) + shortestCompletion(beginItem(at.frame))
    default:
      return scalarCost(at)
    }
  }

  private mutating func scalarCost(_ at: Configuration) -> Int {
    let state = grammar.table.states[Int(at.state)]
    let own = grammar.table.shortest[Int(at.state)]
    switch state.role {
    case .countedText:
      return grammar.limits[Int(state.detail)].shortest(
        at.state, count: at.count, isBoundary: state.isBoundary, own: own)
        + cost(after: at.frame)
    case .keyName, .keyText, .keyPattern: return keyCost(at)
    case .rule:
      var total = Int(own)
      var frame = at.frame
      while frame != 0 {
        total += Int(grammar.table.shortest[Int(frames[Int(frame)].key.shape)])
        frame = frames[Int(frame)].key.parent
      }
      return total
    default:
      if at.text == SpelledTexts.untracked { return Int(own) + cost(after: at.frame) }
      let taken = texts.rests(of: takenTexts(at), from: at.text)
      let rest = distance(from: at.state, to: .item, avoiding: taken)
      // Behind the item the frame holds it, so what is left is counted from there.
      return rest + cost(afterItemIn: at.frame)
    }
  }

  private func takenTexts(_ at: Configuration) -> [UInt32] {
    progress[Int(frames[Int(at.frame)].key.progress)].texts
  }

  /// The least number of bytes of an item that was not there before.
  private mutating func freshCost(_ at: Configuration) -> Int {
    let node = grammar.nodes[Int(at.count)]
    let taken = texts.rests(of: takenTexts(at), from: at.text)
    var least = Cost.infinite.base
    for (isAllowed, text) in [
      (node.allowsNull, "null"), (node.allowsTrue, "true"), (node.allowsFalse, "false"),
    ] where isAllowed && !taken.contains(Array(text.utf8)) {
      least = min(least, text.utf8.count)
    }
    if node.number != 0 {
      least = min(least, distance(from: node.number, to: .item, avoiding: taken))
    }
    let quoted = taken.filter { $0.first == 0x22 }.map { Array($0.dropFirst()) }
    for start in node.strings {
      least = min(least, 1 + distance(from: start, to: .item, avoiding: quoted))
    }
    return least
  }

  private func valueCost(_ node: UInt32, depth: Int) -> Int {
    grammar.nodes[Int(node)].cost.bytes(depth: depth, indent: grammar.whitespace.indent)
  }

  private func separator(_ depth: Int) -> Int {
    1 + grammar.whitespace.blankCount(depth: depth, isFirst: false)
  }

  /// From after the present part of a container to the end of the text.
  private mutating func cost(after frame: UInt32) -> Int {
    if frame == 0 { return 0 }
    if let known = frames[Int(frame)].cost { return known }
    let total = cost(of: frames[Int(frame)].key, depth: Int(frames[Int(frame)].depth))
    frames[Int(frame)].cost = total
    return total
  }

  /// The same where an item that is being written is not in the frame yet.
  private mutating func cost(afterItemIn frame: UInt32) -> Int {
    var key = frames[Int(frame)].key
    guard key.kind == .array else { return cost(after: frame) }
    var progress = self.progress[Int(key.progress)]
    progress.insert(text: SpelledTexts.unknown)
    key.progress = intern(progress)
    return cost(of: key, depth: Int(frames[Int(frame)].depth))
  }

  private mutating func cost(of key: FrameKey, depth: Int) -> Int {
    let progress = self.progress[Int(key.progress)]
    let grammar = grammar
    let costs = { (node: UInt32) in grammar.nodes[Int(node)].cost }
    let parts =
      key.kind == .object
      ? grammar.objects[Int(key.shape)].leastParts(
        from: key.position, progress, grammar.whitespace, costs: costs)
      : grammar.arrays[Int(key.shape)].leastParts(
        from: key.position, progress, grammar.whitespace, costs: costs)
    let total = parts.cost + grammar.whitespace.separatorCost * parts.count
    return min(
      Cost.infinite.base,
      total.bytes(depth: depth - 1, indent: grammar.whitespace.indent)
        + grammar.whitespace.closingCount(depth: depth) + 1 + cost(after: key.parent))
  }

  // MARK: Keys

  /// The least of all keys that can still come of these bytes, with what follows. Asked again and
  /// again where a budget is short, since all texts that are no key yet are one configuration.
  private mutating func keyCost(_ at: Configuration) -> Int {
    if let known = knownKeyCosts[at] { return known }
    let cost = makeKeyCost(at)
    if knownKeyCosts.count >= Self.mostKeyCosts { knownKeyCosts.removeAll() }
    knownKeyCosts[at] = cost
    return cost
  }

  /// How many of them are kept.
  private static let mostKeyCosts = 4_096

  private mutating func makeKeyCost(_ at: Configuration) -> Int {
    let key = frames[Int(at.frame)].key
    let shape = grammar.objects[Int(key.shape)]
    let state = grammar.table.states[Int(at.state)]
    let count = UInt32(shape.properties.count)
    var least = Cost.infinite.base
    if state.role == .keyName {
      let node = grammar.keyNodes[Int(state.detail)]
      for index in node.targets {
        let property = grammar.keyTargets[Int(index)]
        let after = endKey(at, label: property + 1, shape)
        if after.isDead { continue }
        let rest = shape.properties[Int(property)].name.count - Int(node.depth)
        least = min(least, rest + 1 + shortestCompletion(after))
      }
    }
    if at.text == SpelledTexts.untracked || !allowsFree(key, shape) { return least }

    let automaton = grammar.undeclared(at.state)
    if automaton == 0 { return least }
    if endsUndeclared(at, state, automaton) {
      return min(least, 1 + shortestCompletion(afterFreeKey(key, shape.additional, shape)))
    }
    var taken = texts.rests(of: progress[Int(key.progress)].texts, from: at.text)
    if state.role == .keyName { appendNames(from: state, to: &taken) }
    if grammar.table.states[Int(automaton)].role == .keyPattern {
      for label in labelDistances(from: automaton).keys.sorted() where label > count {
        let node = label == count + 1 ? shape.additional : shape.patterns[Int(label - count) - 2]
        if node == 0 { continue }
        let rest = distance(from: automaton, to: .key(label), avoiding: taken)
        least = min(least, rest + 1 + shortestCompletion(afterFreeKey(key, node, shape)))
      }
      return least
    }
    let rest = distance(from: automaton, to: .anyKey, avoiding: taken)
    return min(least, rest + 1 + shortestCompletion(afterFreeKey(key, shape.additional, shape)))
  }

  /// Appends what is missing of the declared names that can still come, forbidden ones included.
  private func appendNames(from state: MachineTable.State, to rests: inout [[UInt8]]) {
    var pending: [(node: UInt32, rest: [UInt8])] = [(state.detail, [])]
    while let (id, rest) = pending.popLast() {
      let node = grammar.keyNodes[Int(id)]
      if node.label != 0 { rests.append(rest) }
      for index in node.edges {
        let edge = grammar.keyEdges[Int(index)]
        pending.append((grammar.table.states[Int(edge.target)].detail, rest + [edge.byte]))
      }
    }
  }

  /// Whether the bytes so far are an undeclared key of an object without patterns that was not
  /// there before: then no other is shorter, and no name has to be looked at.
  private func endsUndeclared(
    _ at: Configuration, _ state: MachineTable.State, _ automaton: UInt32
  ) -> Bool {
    let undeclared = grammar.table.states[Int(automaton)]
    guard undeclared.role == .keyText, undeclared.isBoundary else { return false }
    if state.role == .keyName, grammar.keyNodes[Int(state.detail)].label != 0 { return false }
    return !progress[Int(frames[Int(at.frame)].key.progress)].texts.contains(at.text)
  }

  /// Behind some undeclared key.
  private mutating func afterFreeKey(
    _ key: FrameKey, _ node: UInt32, _ shape: CompiledObject
  ) -> Configuration {
    var next = key
    var progress = self.progress[Int(key.progress)]
    progress.insert(text: SpelledTexts.unknown)
    if shape.isCounted { progress.count += 1 }
    next.progress = intern(progress)
    return Configuration(state: Place.colon, count: node, frame: frame(next))
  }

  // MARK: Texts that were not there before

  /// Where a search ends.
  private enum Goal {
    /// Behind an item: its closing quote included, or before what ends a number.
    case item
    /// Before a key's closing quote.
    case anyKey
    /// The same, for a key that leads to one value.
    case key(UInt32)
  }

  /// The least number of bytes to a goal that make none of the texts whose rests are given.
  ///
  /// Only where some of them goes on must it be looked at byte by byte; everywhere else the tables
  /// know the distance.
  private mutating func distance(
    from start: UInt32, to goal: Goal, avoiding taken: [[UInt8]], below limit: Int = 1 << 40
  ) -> Int {
    if taken.isEmpty { return least(from: start, to: goal) }
    let state = grammar.table.states[Int(start)]
    let ends =
      switch goal {
      case .item: state.role == .number && state.isFinal
      case .anyKey: state.isBoundary
      case .key(let label): grammar.keyNodes[Int(state.detail)].label == label
      }
    if ends, !taken.contains([]) { return 0 }
    var best = limit
    var open: [(target: UInt32, taken: [[UInt8]])] = []
    var following: [UInt8: [[UInt8]]] = [:]
    for text in taken {
      if let first = text.first { following[first, default: []].append(Array(text.dropFirst())) }
    }
    for byte in UInt8.min...UInt8.max {
      let target = grammar.table.next(state, byte)
      if target == Place.dead { continue }
      if target == Place.end {
        if case .item = goal, following[byte] == nil { best = min(best, 1) }
        continue
      }
      if let rests = following[byte] {
        open.append((target, rests))
      } else {
        best = min(best, 1 + least(from: target, to: goal))
      }
    }
    for (target, rests) in open where best > 1 {
      best = min(best, 1 + distance(from: target, to: goal, avoiding: rests, below: best - 1))
    }
    return best
  }

  private mutating func least(from state: UInt32, to goal: Goal) -> Int {
    switch goal {
    case .item: Int(grammar.table.shortest[Int(state)])
    case .anyKey: Int(grammar.table.shortest[Int(state)]) - 1
    case .key(let label): labelDistances(from: state)[label] ?? Cost.infinite.base
    }
  }

  /// The least number of bytes from a state of a key to each label, breadth first; once for each
  /// state that was asked about.
  private mutating func labelDistances(from start: UInt32) -> [UInt32: Int] {
    if let known = knownDistances[start] { return known }
    var result: [UInt32: Int] = [:]
    var known: Set<UInt32> = [start]
    var level = [start]
    var distance = 0
    while !level.isEmpty {
      var next: [UInt32] = []
      for id in level {
        let state = grammar.table.states[Int(id)]
        let label = grammar.keyNodes[Int(state.detail)].label
        if label != 0, result[label] == nil { result[label] = distance }
        for byte in UInt8.min...UInt8.max {
          let target = grammar.table.next(state, byte)
          if target >= Place.firstMachine, known.insert(target).inserted { next.append(target) }
        }
      }
      level = next
      distance += 1
    }
    knownDistances[start] = result
    return result
  }
}
