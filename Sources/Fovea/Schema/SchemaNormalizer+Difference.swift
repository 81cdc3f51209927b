/// Differences of contents: what `not`, `oneOf` and `if` need.
///
/// A difference is the union of the ways to break the excluded shape. Each way is a shape again:
///
///     objects with a: integer, b: string, b required    without
///     objects with a ≤ 9, c required                    =
///         a required and an integer > 9
///       ∪ c forbidden
///
/// What cannot be said as a shape, such as "some undeclared key has another value", is refused.
extension SchemaNormalizer {
  /// What the left content allows and the right one does not.
  mutating func excluding(
    _ right: Node, from left: Node, _ excluder: Excluder
  ) throws(FoveaError) -> Node {
    var result = Node()
    result.pointer = left.pointer
    result.allowsNull = left.allowsNull && !right.allowsNull
    result.allowsFalse = left.allowsFalse && !right.allowsFalse
    result.allowsTrue = left.allowsTrue && !right.allowsTrue
    result.numbers = try difference(left.numbers, right.numbers, at: left.pointer)
    var strings = left.strings
    for excluded in right.strings {
      var rest: [NormalForm.Strings] = []
      for entry in strings {
        for part in try excluding(excluded, from: entry, at: left.pointer) {
          try add(part, to: &rest, at: left.pointer)
        }
      }
      strings = rest
    }
    result.strings = strings
    result.arrays = left.arrays
    for excluded in right.arrays {
      var rest: [ArrayShape] = []
      for shape in result.arrays {
        for part in try excluding(excluded, from: shape, excluder) where fits(part) {
          try add(part, to: &rest, at: left.pointer)
        }
      }
      result.arrays = rest
    }
    result.objects = left.objects
    for excluded in right.objects {
      var rest: [ObjectShape] = []
      for shape in result.objects {
        if !mayShareObject(shape, excluded) {
          try add(shape, to: &rest, at: left.pointer)
          continue
        }
        for part in try excluding(excluded, from: shape, excluder, at: left.pointer)
        where fits(part) {
          try add(part, to: &rest, at: left.pointer)
        }
      }
      result.objects = rest
    }
    return result
  }

  /// The texts of the left language that the right one does not have.
  mutating func difference(
    _ left: DFA, _ right: DFA, at pointer: String
  ) throws(FoveaError) -> DFA {
    try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
      try languages.difference(left, right)
    }
  }

  private mutating func excluding(
    _ right: NormalForm.Strings, from left: NormalForm.Strings, at pointer: String
  ) throws(FoveaError) -> [NormalForm.Strings] {
    if right.minLength > left.maxLength || right.maxLength < left.minLength { return [left] }
    if languages.areDisjoint(left.language, right.language) { return [left] }
    var parts: [NormalForm.Strings] = []
    var part = left
    part.language = try difference(left.language, right.language, at: pointer)
    if !part.language.isEmpty { parts.append(part) }
    if right.minLength > left.minLength {
      part = left
      part.maxLength = right.minLength - 1
      parts.append(part)
    }
    if right.maxLength < left.maxLength {
      part = left
      part.minLength = right.maxLength + 1
      parts.append(part)
    }
    return parts
  }

  private func refusal(_ excluder: Excluder, _ reason: String) -> FoveaError {
    .schemaUnsupported(excluder.pointer, excluder.keyword.rawValue, reason, fix: excluder.fix)
  }

  // MARK: Lists

  private mutating func excluding(
    _ right: ArrayShape, from left: ArrayShape, _ excluder: Excluder
  ) throws(FoveaError) -> [ArrayShape] {
    if left.minItems > right.maxItems || left.maxItems < right.minItems { return [left] }
    var parts: [ArrayShape] = []
    var wide = left
    while wide.prefix.count < right.prefix.count { wide.prefix.append(left.rest) }
    wide.contains = []
    for demand in left.contains { wide.contains.append(try extended(demand, to: wide)) }
    if right.minItems > left.minItems {
      var part = left
      part.maxItems = right.minItems - 1
      parts.append(part)
    }
    if right.maxItems < left.maxItems {
      var part = left
      part.minItems = right.maxItems + 1
      parts.append(part)
    }
    for index in wide.prefix.indices where index < left.maxItems {
      let node = try excluding(right.item(index), from: wide.prefix[index], excluder)
      guard mayHaveValue(node) else { continue }
      var part = wide
      part.prefix[index] = node
      part.minItems = max(part.minItems, index + 1)
      parts.append(try withDemands(part))
    }
    let rest = try excluding(right.rest, from: wide.rest, excluder)
    if wide.prefix.count < left.maxItems, mayHaveValue(rest) {
      var part = wide
      let nothings = [NodeID](repeating: NormalForm.nothing, count: wide.prefix.count)
      part.contains.append(NormalForm.Contains(nodes: nothings + [rest], minimum: 1))
      part.minItems = max(part.minItems, wide.prefix.count + 1)
      parts.append(part)
    }
    for demand in right.contains {
      guard demand.minimum == 1 else {
        throw refusal(excluder, "excludes lists in which several items match a schema")
      }
      var part = wide
      for index in part.prefix.indices {
        let excluded = demand.nodes[min(index, demand.nodes.count - 1)]
        part.prefix[index] = try excluding(excluded, from: part.prefix[index], excluder)
      }
      if let excluded = demand.nodes.last {
        part.rest = try excluding(excluded, from: part.rest, excluder)
      }
      parts.append(try withDemands(part))
    }
    if right.isUnique, !left.isUnique, left.maxItems > 1 {
      throw refusal(excluder, "excludes lists without equal items")
    }
    return parts
  }

  /// The shape with its demands limited to what its positions allow.
  private mutating func withDemands(_ shape: ArrayShape) throws(FoveaError) -> ArrayShape {
    var result = shape
    for (index, demand) in shape.contains.enumerated() {
      result.contains[index] = try extended(demand, to: shape)
    }
    return result
  }

  // MARK: Objects

  private mutating func excluding(
    _ right: ObjectShape, from left: ObjectShape, _ excluder: Excluder, at pointer: String
  ) throws(FoveaError) -> [ObjectShape] {
    var parts: [ObjectShape] = []
    let mine = left.indexByName
    let theirs = right.indexByName
    // The left shape with a property set to a node and required, or forbidden.
    func with(_ name: [UInt8], _ node: NodeID, _ isRequired: Bool, _ shape: ObjectShape)
      -> ObjectShape
    {
      var part = shape
      if let index = mine[name] {
        part.properties[index].node = node
        part.properties[index].isRequired = part.properties[index].isRequired || isRequired
      } else if let index = part.properties.lastIndex(where: { $0.name == name }) {
        part.properties[index].node = node
        part.properties[index].isRequired = part.properties[index].isRequired || isRequired
      } else {
        part.properties.append(NormalForm.Property(name, node, isRequired: isRequired))
      }
      return part
    }
    func node(_ name: [UInt8]) -> NodeID {
      mine[name].map { left.properties[$0].node } ?? left.undeclaredNode(name)
    }
    func isRequired(_ name: [UInt8]) -> Bool {
      mine[name].map { left.properties[$0].isRequired } ?? false
    }

    // A property that is missing.
    for property in right.properties where property.isRequired && !isRequired(property.name) {
      parts.append(with(property.name, NormalForm.nothing, false, left))
    }
    // A property with another value.
    var names = right.properties.map(\.name)
    for property in left.properties where theirs[property.name] == nil {
      names.append(property.name)
    }
    for name in names {
      let excluded =
        theirs[name].map { right.properties[$0].node } ?? right.undeclaredNode(name)
      let rest = try excluding(excluded, from: node(name), excluder)
      if mayHaveValue(rest) { parts.append(with(name, rest, true, left)) }
    }
    // The numbers of properties.
    if right.minProperties > left.minProperties {
      var part = left
      part.maxProperties = min(left.maxProperties, right.minProperties - 1)
      parts.append(part)
    }
    if right.maxProperties < left.maxProperties {
      var part = left
      part.minProperties = max(left.minProperties, right.maxProperties + 1)
      parts.append(part)
    }
    // A property without what it demands.
    for implication in right.implications {
      let condition = right.properties[implication.condition].name
      for consequence in implication.consequences {
        let name = right.properties[consequence].name
        if isRequired(name) { continue }
        let part = with(condition, node(condition), true, left)
        parts.append(with(name, NormalForm.nothing, false, part))
      }
    }
    // An undeclared key with another value can only be said by counting keys.
    var isBroken = false
    var isClosed = true
    var keys = [CommonKeys(language: .empty, left: left.additional, right: right.additional)]
    keys += try commonKeys(left, right, at: pointer)
    for keys in keys {
      if !mayHaveValue(keys.left) { continue }
      if mayHaveValue(try excluding(keys.right, from: keys.left, excluder)) { isBroken = true }
      if keys.right != NormalForm.nothing { isClosed = false }
    }
    if isBroken {
      guard isClosed else {
        throw refusal(excluder, "excludes objects by the values of keys that are not declared")
      }
      parts += try withOtherKeys(left, names, excluder, with)
    }
    return parts
  }

  /// The objects of a shape with a key beyond some names: as many keys as there are of those, and
  /// one more.
  private mutating func withOtherKeys(
    _ shape: ObjectShape, _ names: [[UInt8]], _ excluder: Excluder,
    _ with: ([UInt8], NodeID, Bool, ObjectShape) -> ObjectShape
  ) throws(FoveaError) -> [ObjectShape] {
    var parts = [(shape: shape, count: 1)]
    let index = shape.indexByName
    for name in names {
      let node = index[name].map { shape.properties[$0].node } ?? shape.undeclaredNode(name)
      guard mayHaveValue(node) else { continue }
      if index[name].map({ shape.properties[$0].isRequired }) ?? false {
        for part in parts.indices { parts[part].count += 1 }
        continue
      }
      guard parts.count <= 8 else {
        throw refusal(excluder, "excludes objects without further keys beside many optional ones")
      }
      parts = parts.flatMap { part in
        [
          (with(name, NormalForm.nothing, false, part.shape), part.count),
          (with(name, node, true, part.shape), part.count + 1),
        ]
      }
    }
    return parts.map { part in
      var shape = part.shape
      shape.minProperties = max(shape.minProperties, part.count)
      return shape
    }
  }
}
