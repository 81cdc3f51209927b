/// What containers need at least, told once: the compiler measures whole values with it, and the
/// ``ByteAutomaton`` what is left of a value, so that the two never disagree.
///
/// Costs are those of a container that stands at depth 0; its parts are one step deeper.
extension Grammar.Whitespace {
  /// The bytes of a blank run before a part: in `pretty` the newline, and a line that is indented
  /// one step more than the container.
  var lineCost: Cost {
    switch self {
    case .compact, .spaced: .zero
    case .pretty(let indent): Cost(base: 1 + indent, lines: 1)
    }
  }

  /// What a comma and what follows it take.
  var separatorCost: Cost {
    switch self {
    case .compact: Cost(base: 1, lines: 0)
    case .spaced: Cost(base: 2, lines: 0)
    case .pretty: lineCost + 1
    }
  }

  /// What the closing bracket of a container with parts takes.
  var closingCost: Cost {
    switch self {
    case .compact, .spaced: Cost(base: 1, lines: 0)
    case .pretty: Cost(base: 2, lines: 1)
    }
  }

  var colonBytes: Int { hasBlankAfterColon ? 2 : 1 }

  /// The cost of a value one step deeper than the container it stands in.
  func inner(_ cost: Cost) -> Cost {
    guard case .pretty(let indent) = self else { return cost }
    return Cost(base: min(Cost.infinite.base, cost.base + cost.lines * indent), lines: cost.lines)
  }

  /// A whole container with so many parts.
  func container(_ parts: (cost: Cost, count: Int)) -> Cost {
    if parts.count == 0 { return Cost(base: 2, lines: 0) }
    return parts.cost + separatorCost * (parts.count - 1) + lineCost + closingCost + 1
  }
}

extension CompiledObject {
  /// The cheapest properties that make an object complete, without the separators between them.
  ///
  /// What is required is there in any case. To make up the number, the cheapest of the others come
  /// first, each with all that it demands; that is at most too much, never too little, and what is
  /// chosen stays possible until it is written.
  ///
  /// - Parameters:
  ///   - position: The first property that may still come, in declared order.
  ///   - progress: What is there.
  ///   - costs: The least number of bytes of a node's values.
  func leastParts(
    from position: UInt32, _ progress: ContainerProgress, _ whitespace: Grammar.Whitespace,
    costs: (UInt32) -> Cost
  ) -> (cost: Cost, count: Int) {
    func isPresent(_ index: Int) -> Bool {
      tracksSeen ? progress.contains(index) : index < position
    }
    func isOpen(_ index: Int) -> Bool {
      properties[index].node != 0 && !isPresent(index) && (isAnyOrder || index >= position)
    }
    func cost(_ index: Int) -> Cost {
      whitespace.inner(costs(properties[index].node)) + properties[index].name.count + 2
        + whitespace.colonBytes
    }
    var demanded: Set<Int> = []
    for (index, property) in properties.enumerated() {
      let isThere = isPresent(index)
      if property.isRequired, !isThere { demanded.insert(index) }
      if isThere {
        for consequence in property.consequences where !isPresent(Int(consequence)) {
          demanded.insert(Int(consequence))
        }
      }
    }
    var total = Cost.zero
    for index in demanded { total = total + cost(index) }
    let missing = isCounted ? Int(minProperties) - Int(progress.count) - demanded.count : 0
    if missing <= 0 { return (total, demanded.count) }

    var spare: [Cost] = []
    for index in properties.indices where isOpen(index) && !demanded.contains(index) {
      var all = cost(index)
      var isPossible = true
      for consequence in properties[index].consequences.map(Int.init)
      where !demanded.contains(consequence) && !isPresent(consequence) {
        if !isOpen(consequence) { isPossible = false }
        all = all + cost(consequence) + whitespace.separatorCost
      }
      if isPossible { spare.append(all) }
    }
    if freeKeys > 0 {
      let values = ([additional] + patterns).filter { $0 != 0 }.map { whitespace.inner(costs($0)) }
      let value = values.max { $0.base < $1.base } ?? .zero
      let taken = progress.texts.count
      let most =
        freeKeys == MachineTable.endless ? missing : min(missing, Int(freeKeys) - taken)
      for rank in 0..<max(0, most) {
        spare.append(value + freeLengths.length(rank: taken + rank) + 2 + whitespace.colonBytes)
      }
    }
    if spare.count < missing { return (.infinite, demanded.count + missing) }
    for cost in spare.sorted(by: { $0.base < $1.base }).prefix(missing) { total = total + cost }
    return (total, demanded.count + missing)
  }
}

extension CompiledArray {
  /// The cheapest items that make a list complete, without the separators between them.
  func leastParts(
    from position: UInt32, _ progress: ContainerProgress, _ whitespace: Grammar.Whitespace,
    costs: (UInt32) -> Cost
  ) -> (cost: Cost, count: Int) {
    var missing = Int(minItems - min(position, minItems))
    if isUnique {
      var total = Cost.zero
      for rank in 0..<missing {
        total = total + lengths.length(rank: progress.texts.count + rank)
        if total.base >= Cost.infinite.base { break }
      }
      return (total, missing)
    }
    var counting = minContains - min(progress.count, minContains)
    var total = Cost.zero
    var count = 0
    var at = position
    while missing > 0 || counting > 0 {
      let isLast = Int(at) >= prefix.count && Int(at) >= contains.count - 1
      if node(at: at) == 0 { return (.infinite, count + 1) }
      let counted = counting > 0 ? containsNode(at: at) : 0
      let one = whitespace.inner(costs(counted != 0 ? counted : node(at: at)))
      if isLast, counting > 0, counted == 0 { return (.infinite, count + 1) }
      // Behind the prefix all items that count are alike, and so are all that do not.
      let run = !isLast ? 1 : counting > 0 ? Int(counting) : missing
      total = total + one * run
      count += run
      missing = max(0, missing - run)
      if counted != 0 { counting -= UInt32(run) }
      at += UInt32(clamping: run)
    }
    return (total, count)
  }

  /// How many of the items from a position on, up to the greatest number, may be ones that count.
  func countable(from position: UInt32) -> Int {
    if contains.isEmpty { return 0 }
    var total = 0
    var at = Int(position)
    let end = maxItems == Self.unlimited ? Int.max : Int(maxItems)
    while at < end, at < contains.count - 1 || at < prefix.count {
      if containsNode(at: UInt32(at)) != 0, node(at: UInt32(at)) != 0 { total += 1 }
      at += 1
    }
    if at < end, containsNode(at: UInt32(at)) != 0, rest != 0 {
      return end == .max ? .max : total + end - at
    }
    return total
  }
}

/// How long the shortest, the second shortest, … of some texts are.
///
///     keys like "a1"   steps  2 bytes: 260 of them │ 3 bytes: 2,600 │ …
struct RankedLengths: Sendable, Equatable {
  /// Texts by length, ascending.
  private(set) var steps: [(length: Int, count: Int)] = []

  static func == (left: RankedLengths, right: RankedLengths) -> Bool {
    left.steps.elementsEqual(right.steps, by: ==)
  }

  /// After so many texts, lengths are guessed: more keys or items than anybody writes.
  static let mostTexts = 1_000_000
  private static let mostSteps = 400
  private static let mostVisits = 20_000

  init() {}

  /// Counts the texts that a state of a table completes. `isEnd` says where a text may end before
  /// the next byte; a step to ``MachineTable/Place/end`` ends it behind the byte.
  /// `taken` holds the lengths of texts that do not count.
  init(
    from start: UInt32, of table: MachineTable, without taken: [Int] = [], endsWithByte: Bool,
    isEnd: (UInt32) -> Bool
  ) {
    var current: [UInt32: Int] = [start: 1]
    var length = 0
    var total = 0
    var visited = 0
    while !current.isEmpty, total < Self.mostTexts, length < Self.mostSteps,
      visited < Self.mostVisits
    {
      visited += current.count
      var ended = 0
      var next: [UInt32: Int] = [:]
      for (id, ways) in current {
        if isEnd(id) { ended = min(Self.mostTexts, ended + ways) }
        let state = table.states[Int(id)]
        for byte in 0...255 {
          let target = table.next(state, UInt8(byte))
          if target == MachineTable.Place.end, endsWithByte {
            next[target, default: 0] = min(Self.mostTexts, next[target, default: 0] + ways)
          } else if target >= MachineTable.Place.firstMachine {
            next[target, default: 0] = min(Self.mostTexts, next[target, default: 0] + ways)
          }
        }
      }
      if let behind = next.removeValue(forKey: MachineTable.Place.end) {
        steps.append((length + 1, behind))
        total += behind
      }
      if ended > 0 {
        steps.append((length, ended))
        total += ended
      }
      current = next
      length += 1
    }
    steps.sort { $0.length < $1.length }
    for length in taken {
      if let index = steps.firstIndex(where: { $0.length == length }), steps[index].count > 0 {
        steps[index].count -= 1
      }
    }
  }

  /// Adds the texts of others, each longer by a number of bytes.
  mutating func add(_ other: RankedLengths, longerBy bytes: Int = 0) {
    steps += other.steps.map { ($0.length + bytes, $0.count) }
    steps.sort { $0.length < $1.length }
  }

  mutating func add(length: Int) {
    steps.append((length, 1))
    steps.sort { $0.length < $1.length }
  }

  /// The length of the text that is the `rank`th shortest, from 0.
  func length(rank: Int) -> Int {
    var left = rank
    for step in steps {
      if left < step.count { return step.length }
      left -= step.count
    }
    return (steps.last?.length ?? 0) + 64
  }
}
