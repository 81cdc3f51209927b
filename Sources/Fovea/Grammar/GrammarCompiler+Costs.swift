extension GrammarCompiler {
  /// Finds out which nodes have finite values, by a rough measure of the cheapest: repeats until
  /// nothing gets smaller, which takes as many rounds as the cheapest values are deep.
  mutating func measureNodes(_ ids: [Int]) {
    var changed = true
    // Children come behind their parents, so going backwards settles trees in one round.
    while changed {
      changed = false
      for id in ids.reversed() {
        var best = nodes[id].cost
        for shape in form.nodes[id].arrays {
          let cost = cost(shape)
          if cost.base < best.base { best = cost }
        }
        for shape in form.nodes[id].objects {
          let cost = cost(shape)
          if cost.base < best.base { best = cost }
        }
        if best.base < nodes[id].cost.base {
          nodes[id].cost = best
          changed = true
        }
      }
    }
  }

  private func cost(_ shape: NormalForm.ArrayShape) -> Cost {
    var needed = shape.minItems
    for contains in shape.contains { needed = max(needed, contains.minimum) }
    if needed == 0 { return whitespace.container((.zero, 0)) }
    var parts = Cost.zero
    for (position, id) in shape.prefix.prefix(needed).enumerated() {
      parts = parts + itemCost(shape, position, id)
    }
    if needed > shape.prefix.count {
      parts =
        parts + itemCost(shape, shape.prefix.count, shape.rest) * (needed - shape.prefix.count)
    }
    return whitespace.container((parts, needed))
  }

  /// An item's cost; where some items must match more, the dearer of both, which is enough.
  private func itemCost(_ shape: NormalForm.ArrayShape, _ position: Int, _ id: Int) -> Cost {
    var cost = nodes[id].cost
    for contains in shape.contains where contains.minimum > 0 {
      let other = nodes[contains.nodes[min(position, contains.nodes.count - 1)]].cost
      if other.base > cost.base { cost = other }
    }
    return whitespace.inner(cost)
  }

  private func cost(_ shape: NormalForm.ObjectShape) -> Cost {
    var parts = Cost.zero
    var count = 0
    for property in shape.properties where property.isRequired {
      parts = parts + propertyCost(property)
      count += 1
    }
    if shape.minProperties > count {
      var spare: [Cost] = []
      for property in shape.properties where !property.isRequired && property.node != 0 {
        spare.append(propertyCost(property))
      }
      if shape.additional != 0 {
        spare.append(freeCost(nodes[shape.additional].cost, taken: shape))
      }
      for pattern in shape.patterns where pattern.node != 0 {
        spare.append(freeCost(nodes[pattern.node].cost, taken: shape))
      }
      let dearest = spare.filter { $0.base < Cost.infinite.base }.max { $0.base < $1.base }
      parts = parts + (dearest ?? .infinite) * (shape.minProperties - count)
      count = shape.minProperties
    }
    return whitespace.container((parts, count))
  }

  private func propertyCost(_ property: NormalForm.Property) -> Cost {
    whitespace.inner(nodes[property.node].cost) + CanonicalText.escaped(property.name).count + 2
      + whitespace.colonBytes
  }

  /// A property with an undeclared key. Short keys may be taken, so the key is given room.
  private func freeCost(_ value: Cost, taken shape: NormalForm.ObjectShape) -> Cost {
    whitespace.inner(value) + 8 + 2 + whitespace.colonBytes
  }

  /// The least number of bytes of each node's values, now that the containers are compiled: the
  /// measure that the ``ByteAutomaton`` goes on with inside of them.
  func measureCompiled(_ ids: [Int]) -> [Cost] {
    var costs = nodes.map(\.scalarCost)
    var changed = true
    while changed {
      changed = false
      for id in ids.reversed() {
        var best = costs[id]
        for shape in nodes[id].arrays {
          let parts = arrays[Int(shape)].leastParts(from: 0, .none, whitespace) { costs[Int($0)] }
          let cost = whitespace.container(parts)
          if cost.base < best.base { best = cost }
        }
        for shape in nodes[id].objects {
          let parts = objects[Int(shape)].leastParts(from: 0, .none, whitespace) { costs[Int($0)] }
          let cost = whitespace.container(parts)
          if cost.base < best.base { best = cost }
        }
        if best.base < costs[id].base {
          costs[id] = best
          changed = true
        }
      }
    }
    return costs
  }
}
