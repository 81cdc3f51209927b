/// Removes what has no finite instance.
///
/// A node is *inhabited* when it has a scalar, or a shape whose demands can be met by nodes that
/// are known to be inhabited. That is a least fixpoint: it starts with the scalars and grows until
/// nothing is added, so that a list whose items need such a list again is never reached.
///
///     a = { next: a, required }        never: needs a
///     b = { next: b, optional }        at once: {} is one
///     c = [ b, b ]                     after b
extension NormalForm {
  /// Drops every shape that no finite value has, and makes the rest tidy: see the promises of
  /// ``NormalForm``. Bounds that follow from the rest are removed, equal leaves become one node,
  /// and nodes that the root does not lead to are dropped.
  ///
  /// - Throws: ``FoveaError`` with ``FoveaError/Code/invalidSchema`` when no value at all is left,
  ///   or another code when that cannot be decided.
  package mutating func prune() throws(FoveaError) {
    try tidyStrings()
    let inhabited = try inhabited()
    guard inhabited[root] else { throw impossible(inhabited) }
    for index in nodes.indices where index > Self.anything {
      let arrays = nodes[index].arrays
      let objects = nodes[index].objects
      nodes[index].arrays = []
      nodes[index].objects = []
      guard inhabited[index] else { continue }
      let pointer = nodes[index].pointer
      for shape in arrays {
        if let tidy = try tidied(shape, inhabited, pointer),
          !nodes[index].arrays.contains(tidy)
        {
          nodes[index].arrays.append(tidy)
        }
      }
      for shape in objects {
        if let tidy = try tidied(shape, inhabited, pointer),
          !nodes[index].objects.contains(tidy)
        {
          nodes[index].objects.append(tidy)
        }
      }
    }
    compact()
  }

  // MARK: Fixpoint

  /// Whether each node has a finite instance.
  private func inhabited() throws(FoveaError) -> [Bool] {
    var result = [Bool](repeating: false, count: nodes.count)
    var parents = [[NodeID]](repeating: [], count: nodes.count)
    for (index, node) in nodes.enumerated() {
      var node = node
      node.forEachChild { if parents[$0].last != index { parents[$0].append(index) } }
    }
    result[Self.anything] = true
    // Children have greater numbers than the first node that leads to them, so most nodes are
    // decided on a first pass from the end.
    var pending: [NodeID] = []
    for index in nodes.indices.reversed() where !result[index] && index != Self.nothing {
      result[index] = try isInhabited(index, result)
      if result[index] { pending.append(index) }
    }
    while let index = pending.popLast() {
      for parent in parents[index] where !result[parent] {
        if try isInhabited(parent, result) {
          result[parent] = true
          pending.append(parent)
        }
      }
    }
    return result
  }

  private func isInhabited(_ index: NodeID, _ inhabited: [Bool]) throws(FoveaError) -> Bool {
    let node = nodes[index]
    if node.hasScalar { return true }
    for shape in node.arrays {
      if try tidied(shape, inhabited, node.pointer) != nil { return true }
    }
    for shape in node.objects {
      if try counted(shape, inhabited, node.pointer) != nil { return true }
    }
    return false
  }

  // MARK: Strings

  /// Drops strings that no length allows, and bounds that all texts keep anyway.
  private mutating func tidyStrings() throws(FoveaError) {
    for index in nodes.indices where !nodes[index].strings.isEmpty {
      var kept: [Strings] = []
      for entry in nodes[index].strings {
        if entry.minLength == 0, entry.maxLength == .max {
          kept.append(entry)
          continue
        }
        var entry = entry
        if entry.language != TextLanguage.all {
          let (shortest, longest) = entry.language.textLengths
          if shortest >= entry.minLength { entry.minLength = 0 }
          if let longest, longest <= entry.maxLength { entry.maxLength = .max }
          if entry.minLength > 0 || entry.maxLength < .max {
            guard
              let hasText = entry.language.hasText(
                minLength: entry.minLength, maxLength: entry.maxLength)
            else {
              throw .schemaTooComplex(
                nodes[index].pointer,
                "whether its pattern has a text of the wanted length is unclear",
                fix: "use smaller bounds, or say the length in the pattern")
            }
            if !hasText { continue }
          }
        }
        kept.append(entry)
      }
      nodes[index].strings = kept
    }
  }

  // MARK: Nodes

  /// Why the root has no value: the way to the first node that is impossible by itself.
  private func impossible(_ inhabited: [Bool]) -> FoveaError {
    var place = root
    var visited: Set<NodeID> = []
    search: while visited.insert(place).inserted {
      for shape in nodes[place].objects {
        for property in shape.properties where property.isRequired {
          if !inhabited[property.node], property.node != Self.nothing {
            place = property.node
            continue search
          }
        }
      }
      for shape in nodes[place].arrays where shape.minItems > 0 {
        let item = shape.item(0)
        if !inhabited[item], item != Self.nothing {
          place = item
          continue search
        }
      }
      break
    }
    let isEndless = !nodes[place].objects.isEmpty || !nodes[place].arrays.isEmpty
    return FoveaError(
      .invalidSchema, "the JSON Schema allows no value: nothing fits at \(nodes[place].pointer)",
      fix: isEndless
        ? "remove a demand that cannot be met, or let a recursion end by making a property optional"
        : "correct types, bounds and values that exclude each other")
  }

  /// Makes equal leaves one node, and drops nodes that the root does not lead to.
  private mutating func compact() {
    var leaves: [LeafKey: NodeID] = [:]
    var number: [NodeID: NodeID] = [Self.nothing: 0, Self.anything: 1]
    var order: [NodeID] = [Self.nothing, Self.anything]
    var result: [Node] = []
    func renumber(_ node: inout NodeID) {
      if let known = number[node] {
        node = known
        return
      }
      let content = nodes[node]
      var target = order.count
      if content.arrays.isEmpty, content.objects.isEmpty {
        if !content.hasScalar {
          target = Self.nothing
        } else if let known = leaves[LeafKey(node: content)] {
          target = known
        } else {
          leaves[LeafKey(node: content)] = target
        }
      }
      number[node] = target
      if target == order.count { order.append(node) }
      node = target
    }
    renumber(&root)
    while result.count < order.count {
      var node = nodes[order[result.count]]
      if result.count > Self.anything { node.forEachChild(renumber) }
      result.append(node)
    }
    nodes = result
  }

  /// A node without shapes, as a key.
  private struct LeafKey: Hashable {
    let node: Node

    static func == (left: Self, right: Self) -> Bool {
      left.node.allowsNull == right.node.allowsNull
        && left.node.allowsFalse == right.node.allowsFalse
        && left.node.allowsTrue == right.node.allowsTrue && left.node.numbers == right.node.numbers
        && left.node.strings == right.node.strings
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(node.allowsNull)
      hasher.combine(node.allowsFalse)
      hasher.combine(node.allowsTrue)
      for language in [node.numbers] + node.strings.map(\.language) {
        hasher.combine(language.stateCount)
        for state in language.transitions.suffix(24) { hasher.combine(state) }
      }
      for strings in node.strings {
        hasher.combine(strings.minLength)
        hasher.combine(strings.maxLength)
      }
    }
  }
}

extension NormalForm.Node {
  /// Whether it has a value that is no list and no object.
  var hasScalar: Bool {
    allowsNull || allowsFalse || allowsTrue || !numbers.isEmpty || !strings.isEmpty
  }
}
