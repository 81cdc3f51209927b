/// Intersections of contents.
extension SchemaNormalizer {
  /// What both contents allow.
  mutating func both(_ left: Node, _ right: Node) throws(FoveaError) -> Node {
    var result = Node()
    result.pointer = left.pointer
    result.allowsNull = left.allowsNull && right.allowsNull
    result.allowsFalse = left.allowsFalse && right.allowsFalse
    result.allowsTrue = left.allowsTrue && right.allowsTrue
    result.numbers = try intersection(left.numbers, right.numbers, at: left.pointer)
    for mine in left.strings {
      for theirs in right.strings {
        let language = try intersection(mine.language, theirs.language, at: left.pointer)
        let strings = NormalForm.Strings(
          language, minLength: max(mine.minLength, theirs.minLength),
          maxLength: min(mine.maxLength, theirs.maxLength))
        try add(strings, to: &result.strings, at: left.pointer)
      }
    }
    for mine in left.arrays {
      for theirs in right.arrays {
        let shape = try both(mine, theirs)
        if let shape, fits(shape) { try add(shape, to: &result.arrays, at: left.pointer) }
      }
    }
    // Most combinations of two unions have no object; the others are few.
    let isProduct = left.objects.count > 1 || right.objects.count > 1
    for mine in left.objects {
      for theirs in right.objects {
        if isProduct, !(mayShareObject(mine, theirs)) { continue }
        let shape = try both(mine, theirs, at: left.pointer)
        if let shape { try add(shape, to: &result.objects, at: left.pointer) }
      }
    }
    return result
  }

  /// The texts of both languages.
  mutating func intersection(
    _ left: DFA, _ right: DFA, at pointer: String
  ) throws(FoveaError) -> DFA {
    try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
      try languages.intersection(left, right)
    }
  }

  // MARK: Lists

  private func isAny(_ shape: ArrayShape) -> Bool {
    shape.rest == NormalForm.anything && shape.minItems == 0 && shape.maxItems == .max
      && !shape.isUnique && shape.prefix.isEmpty && shape.contains.isEmpty
  }

  /// The lists of both shapes; nil for none.
  mutating func both(
    _ left: ArrayShape, _ right: ArrayShape
  ) throws(FoveaError) -> ArrayShape? {
    if isAny(right) { return left }
    if isAny(left) { return right }
    var shape = ArrayShape()
    for index in 0..<max(left.prefix.count, right.prefix.count) {
      shape.prefix.append(try both(left.item(index), right.item(index)))
    }
    shape.rest = try both(left.rest, right.rest)
    shape.minItems = max(left.minItems, right.minItems)
    shape.maxItems = min(left.maxItems, right.maxItems)
    if shape.minItems > shape.maxItems { return nil }
    shape.isUnique = left.isUnique || right.isUnique
    for demand in left.contains + right.contains {
      let demand = try extended(demand, to: shape)
      if !shape.contains.contains(demand) { shape.contains.append(demand) }
    }
    return shape
  }

  /// A demand with the positions of another shape.
  mutating func extended(
    _ demand: NormalForm.Contains, to shape: ArrayShape
  ) throws(FoveaError) -> NormalForm.Contains {
    var nodes: [NodeID] = []
    for (index, item) in (shape.prefix + [shape.rest]).enumerated() {
      nodes.append(try both(demand.nodes[min(index, demand.nodes.count - 1)], item))
    }
    return NormalForm.Contains(nodes: nodes, minimum: demand.minimum)
  }

  // MARK: Objects

  private func isAny(_ shape: ObjectShape) -> Bool {
    shape.additional == NormalForm.anything && shape.properties.isEmpty && shape.patterns.isEmpty
      && shape.minProperties == 0 && shape.maxProperties == .max && shape.implications.isEmpty
  }

  /// The objects of both shapes; nil for none.
  mutating func both(
    _ left: ObjectShape, _ right: ObjectShape, at pointer: String
  ) throws(FoveaError) -> ObjectShape? {
    if isAny(right) { return left }
    if isAny(left) { return right }
    var shape = ObjectShape()
    shape.minProperties = max(left.minProperties, right.minProperties)
    shape.maxProperties = min(left.maxProperties, right.maxProperties)
    if shape.minProperties > shape.maxProperties { return nil }
    let theirs = right.indexByName
    let mine = right.properties.isEmpty ? [:] : left.indexByName
    shape.properties.reserveCapacity(left.properties.count + right.properties.count)
    var index: [[UInt8]: Int] = [:]
    func append(_ property: NormalForm.Property) {
      index[property.name] = shape.properties.count
      shape.properties.append(property)
    }
    for property in left.properties {
      guard let other = theirs[property.name] else {
        let node = try both(property.node, right.undeclaredNode(property.name))
        append(NormalForm.Property(property.name, node, isRequired: property.isRequired))
        continue
      }
      // A name that was only required takes the place where the other side declares it.
      let known = right.properties[other]
      if property.node == left.undeclaredNode(property.name),
        known.node != right.undeclaredNode(property.name)
      {
        continue
      }
      append(
        NormalForm.Property(
          property.name, try both(property.node, known.node),
          isRequired: property.isRequired || known.isRequired))
    }
    for property in right.properties where index[property.name] == nil {
      var node = try both(left.undeclaredNode(property.name), property.node)
      var isRequired = property.isRequired
      if let known = mine[property.name] {
        node = try both(left.properties[known].node, property.node)
        isRequired = isRequired || left.properties[known].isRequired
      }
      append(NormalForm.Property(property.name, node, isRequired: isRequired))
    }
    for property in shape.properties where property.isRequired {
      if property.node == NormalForm.nothing { return nil }
    }
    for (source, implications) in [(left, left.implications), (right, right.implications)] {
      for implication in implications {
        let moved = NormalForm.Implication(
          index[source.properties[implication.condition].name] ?? 0,
          implication.consequences.map { index[source.properties[$0].name] ?? 0 })
        if !shape.implications.contains(moved) { shape.implications.append(moved) }
      }
    }
    shape.additional = try both(left.additional, right.additional)
    for keys in try commonKeys(left, right, at: pointer) {
      let node = try both(keys.left, keys.right)
      if node != shape.additional {
        shape.patterns.append(NormalForm.Pattern(keys.language, node))
      }
    }
    if shape.patterns.count > Self.mostPatterns {
      throw .schemaTooComplex(
        pointer, "patterns of keys overlap in more than \(Self.mostPatterns) ways",
        fix: "use patterns that exclude each other")
    }
    return shape
  }

  /// Keys that a pattern of either shape matches, and what both shapes say of their values. All
  /// other keys have the additional nodes.
  struct CommonKeys {
    var language: DFA
    var left: NodeID
    var right: NodeID
  }

  /// The patterns of two shapes, made disjoint.
  mutating func commonKeys(
    _ left: ObjectShape, _ right: ObjectShape, at pointer: String
  ) throws(FoveaError) -> [CommonKeys] {
    var result: [CommonKeys] = []
    var rests = right.patterns.map(\.language)
    for mine in left.patterns {
      var rest = mine.language
      for (index, theirs) in right.patterns.enumerated() {
        if languages.areDisjoint(rest, theirs.language) { continue }
        let shared = try intersection(rest, theirs.language, at: pointer)
        result.append(CommonKeys(language: shared, left: mine.node, right: theirs.node))
        rest = try difference(rest, theirs.language, at: pointer)
        rests[index] = try difference(rests[index], mine.language, at: pointer)
      }
      if !rest.isEmpty {
        result.append(CommonKeys(language: rest, left: mine.node, right: right.additional))
      }
    }
    for (theirs, rest) in zip(right.patterns, rests) where !rest.isEmpty {
      result.append(CommonKeys(language: rest, left: left.additional, right: theirs.node))
    }
    return result
  }
}

extension NormalForm.ArrayShape {
  /// What the item at a position must be.
  func item(_ index: Int) -> NormalForm.NodeID { index < prefix.count ? prefix[index] : rest }
}

extension NormalForm.ObjectShape {
  /// The places of the declared properties.
  var indexByName: [[UInt8]: Int] {
    var index = [[UInt8]: Int](minimumCapacity: properties.count)
    for (place, property) in properties.enumerated() { index[property.name] = place }
    return index
  }
}
