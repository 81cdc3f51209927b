/// Which lists of a shape exist.
extension NormalForm {
  /// The shape as it is handed out; nil when no list has it.
  func tidied(
    _ shape: ArrayShape, _ inhabited: [Bool], _ pointer: String
  ) throws(FoveaError) -> ArrayShape? {
    var shape = shape
    // A list ends before the first position that has no value.
    if let end = shape.prefix.firstIndex(where: { !inhabited[$0] }) { cut(&shape, at: end) }
    if shape.maxItems < shape.prefix.count { cut(&shape, at: shape.maxItems) }
    if !inhabited[shape.rest] { shape.rest = Self.nothing }
    if shape.rest == Self.nothing { shape.maxItems = min(shape.maxItems, shape.prefix.count) }
    if shape.maxItems == shape.prefix.count { shape.rest = Self.nothing }
    if shape.minItems > shape.maxItems { return nil }
    if shape.isUnique, shape.maxItems <= 1 { shape.isUnique = false }
    if shape.isUnique {
      if shape.prefix.isEmpty {
        let values = valueCount(shape.rest, limit: min(shape.maxItems, 100_000))
        if values < shape.maxItems, values < 100_000 { shape.maxItems = values }
        if shape.minItems > shape.maxItems { return nil }
        if shape.maxItems <= 1 { shape.isUnique = false }
      } else if try !canBeUnique(shape, pointer) {
        return nil
      }
    }
    return try settleDemands(&shape, inhabited, pointer) ? shape : nil
  }

  private func cut(_ shape: inout ArrayShape, at end: Int) {
    shape.prefix.removeSubrange(end...)
    shape.rest = Self.nothing
    shape.maxItems = min(shape.maxItems, end)
    for index in shape.contains.indices {
      shape.contains[index].nodes.removeSubrange(end...)
      shape.contains[index].nodes.append(Self.nothing)
    }
  }

  // MARK: Demands

  /// Drops demands that are met anyway; false when they cannot be met.
  private func settleDemands(
    _ shape: inout ArrayShape, _ inhabited: [Bool], _ pointer: String
  ) throws(FoveaError) -> Bool {
    let items = shape.prefix + [shape.rest]
    var demands: [Contains] = []
    for var demand in shape.contains where demand.minimum > 0 {
      for index in demand.nodes.indices where !inhabited[demand.nodes[index]] {
        demand.nodes[index] = Self.nothing
      }
      if demand.nodes == items {
        shape.minItems = max(shape.minItems, demand.minimum)
      } else {
        demands.append(demand)
      }
    }
    shape.contains = demands
    if shape.minItems > shape.maxItems { return false }
    if demands.isEmpty { return true }
    for demand in demands {
      if positions(demand, shape) < demand.minimum { return false }
      if shape.isUnique {
        // Positions behind the prefix share a node, and so its values.
        let values = demand.nodes.reduce(0) { min(100_000, $0 + valueCount($1, limit: 100_000)) }
        if values < demand.minimum { return false }
      }
    }
    // Each demand can have items of its own, or else it is unclear whether they share some.
    let wanted = demands.reduce(0) { $0 + min($1.minimum, 1 << 40) }
    let areSeparate = demands.allSatisfy { positions($0, shape) >= wanted }
    if demands.count > 1 || shape.isUnique, !areSeparate {
      throw .schemaUnsupported(
        pointer, "contains", "must be met by the same few items as another demand",
        fix: "say in prefixItems which item is which")
    }
    return true
  }

  private func positions(_ demand: Contains, _ shape: ArrayShape) -> Int {
    let count = demand.nodes.dropLast().count { $0 != Self.nothing }
    if demand.nodes.last == Self.nothing { return count }
    return shape.maxItems == .max ? .max : count + shape.maxItems - shape.prefix.count
  }

  // MARK: Unique items

  /// How many values a node has, up to a limit.
  func valueCount(_ index: NodeID, limit: Int) -> Int {
    let node = nodes[index]
    if !node.arrays.isEmpty || !node.objects.isEmpty { return limit }
    var count = (node.allowsNull ? 1 : 0) + (node.allowsFalse ? 1 : 0) + (node.allowsTrue ? 1 : 0)
    if !node.numbers.isEmpty {
      // What is too large to count has many values.
      guard let numbers = try? NumberLanguage.canonical(node.numbers) else { return limit }
      count += numbers.wordCounts(limit: limit)[Int(numbers.start)]
    }
    for strings in node.strings {
      if count >= limit { return limit }
      count += textCount(strings, limit: limit)
    }
    return min(count, limit)
  }

  private func textCount(_ strings: Strings, limit: Int) -> Int {
    if strings.minLength == 0, strings.maxLength == .max {
      return strings.language.wordCounts(limit: limit)[Int(strings.language.start)]
    }
    // Bounds that cut a finite language: count its texts one by one.
    guard let words = strings.language.allWords(limit: limit) else { return limit }
    return words.count { word in
      let length = word.text.count { $0 & 0xC0 != 0x80 }
      return length >= strings.minLength && length <= strings.maxLength
    }
  }

  /// Whether the first items can all be different.
  private func canBeUnique(_ shape: ArrayShape, _ pointer: String) throws(FoveaError) -> Bool {
    // A position with as many values as there are positions never runs out of them.
    let count = max(shape.minItems, 1)
    var narrow: [[[UInt8]]] = []
    for index in 0..<min(count, shape.prefix.count + 1) {
      let node = shape.item(index)
      let positions = index < shape.prefix.count ? 1 : count - shape.prefix.count
      guard valueCount(node, limit: count) < count else { continue }
      guard let values = values(node, limit: count), narrow.count + positions <= 1000 else {
        throw .schemaUnsupported(
          pointer, "uniqueItems", "stands on a list whose first items have few values each",
          fix: "remove it")
      }
      narrow += [[[UInt8]]](repeating: values, count: positions)
    }
    return Self.hasDistinctChoice(narrow)
  }

  /// The JSON texts of all values of a node; a letter tells texts from other values.
  private func values(_ index: NodeID, limit: Int) -> [[UInt8]]? {
    let node = nodes[index]
    var result: [[UInt8]] = []
    if node.allowsNull { result.append(Array("null".utf8)) }
    if node.allowsFalse { result.append(Array("false".utf8)) }
    if node.allowsTrue { result.append(Array("true".utf8)) }
    if !node.numbers.isEmpty {
      // What is too large to count is reported by the caller.
      guard let numbers = try? NumberLanguage.canonical(node.numbers),
        let words = numbers.allWords(limit: limit)
      else { return nil }
      result += words.map(\.text)
    }
    for strings in node.strings {
      guard let words = strings.language.allWords(limit: limit) else { return nil }
      for word in words {
        let length = word.text.count { $0 & 0xC0 != 0x80 }
        if length >= strings.minLength && length <= strings.maxLength {
          result.append([UInt8(ascii: "\"")] + word.text)
        }
      }
    }
    return result
  }

  /// Whether one element can be chosen from each set so that no two are equal: a matching that
  /// grows along alternating paths.
  private static func hasDistinctChoice(_ sets: [[[UInt8]]]) -> Bool {
    var owner: [[UInt8]: Int] = [:]
    for start in sets.indices {
      // Breadth first over sets that could give up their element.
      var cameFrom: [[UInt8]: Int] = [:]
      var pending = [start]
      var position = 0
      var free: [UInt8]?
      search: while position < pending.count {
        let set = pending[position]
        position += 1
        for element in sets[set] where cameFrom[element] == nil {
          cameFrom[element] = set
          guard let other = owner[element] else {
            free = element
            break search
          }
          pending.append(other)
        }
      }
      guard var element = free else { return false }
      while let set = cameFrom[element] {
        let previous = owner.first { $0.value == set }?.key
        owner[element] = set
        guard set != start, let previous else { break }
        element = previous
      }
    }
    return true
  }

  // MARK: Lists and objects as items

  /// Refuses or drops `uniqueItems` where items can be lists or objects.
  mutating func checkUniqueItems(
    _ options: SchemaOptions, warn: (String, String) -> Void
  ) throws(FoveaError) {
    for index in nodes.indices {
      for place in nodes[index].arrays.indices where nodes[index].arrays[place].isUnique {
        let shape = nodes[index].arrays[place]
        let items = shape.prefix + [shape.rest]
        guard
          items.contains(where: { !nodes[$0].arrays.isEmpty || !nodes[$0].objects.isEmpty })
        else { continue }
        let pointer = nodes[index].pointer
        guard options.uniqueContainers == .ignoreAndReport else {
          throw .schemaUnsupported(
            pointer, "uniqueItems", "would have to compare lists or objects with each other",
            fix: "let items be scalars, remove it, or ask to ignore it for such items")
        }
        nodes[index].arrays[place].isUnique = false
        warn(pointer, "\"uniqueItems\" is not checked for lists and objects")
      }
    }
  }
}
