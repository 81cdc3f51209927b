/// Which objects of a shape exist.
extension NormalForm {
  /// A shape with forbidden and required properties settled, and its numbers of properties
  /// checked; nil when no object has it.
  func counted(
    _ shape: ObjectShape, _ inhabited: [Bool], _ pointer: String
  ) throws(FoveaError) -> ObjectShape? {
    var shape = shape
    for index in shape.properties.indices where !inhabited[shape.properties[index].node] {
      if shape.properties[index].isRequired { return nil }
      shape.properties[index].node = Self.nothing
    }
    for index in shape.patterns.indices where !inhabited[shape.patterns[index].node] {
      shape.patterns[index].node = Self.nothing
    }
    if !inhabited[shape.additional] { shape.additional = Self.nothing }
    if !shape.implications.isEmpty, !settleImplications(&shape) { return nil }

    let required = shape.properties.count { $0.isRequired }
    if required > shape.maxProperties { return nil }
    if shape.minProperties <= required { shape.minProperties = 0 }
    if shape.minProperties == 0 && shape.maxProperties == .max { return shape }
    let possible = possibleCount(shape)
    if let possible {
      if possible < shape.minProperties { return nil }
      if possible <= shape.maxProperties { shape.maxProperties = .max }
      if !shape.implications.isEmpty, shape.maxProperties < .max {
        // Which numbers of properties can be reached depends on what demands what.
        throw .schemaUnsupported(
          pointer, "maxProperties", "stands in a closed object whose properties demand each other",
          fix: "remove it")
      }
    }
    return shape
  }

  /// Applies what required and forbidden properties demand; false when that is impossible.
  private func settleImplications(_ shape: inout ObjectShape) -> Bool {
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for implication in shape.implications {
        let condition = implication.condition
        if shape.properties[condition].isRequired {
          for index in implication.consequences where !shape.properties[index].isRequired {
            if shape.properties[index].node == Self.nothing { return false }
            shape.properties[index].isRequired = true
            hasChanged = true
          }
        } else if shape.properties[condition].node != Self.nothing,
          implication.consequences.contains(where: { shape.properties[$0].node == Self.nothing })
        {
          shape.properties[condition].node = Self.nothing
          hasChanged = true
        }
      }
    }
    shape.implications = shape.implications.compactMap { implication in
      let condition = shape.properties[implication.condition]
      if condition.isRequired || condition.node == Self.nothing { return nil }
      let rest = implication.consequences.filter { !shape.properties[$0].isRequired }
      return rest.isEmpty ? nil : Implication(implication.condition, rest)
    }
    return true
  }

  /// How many properties an object can have at most; nil for no limit.
  private func possibleCount(_ shape: ObjectShape) -> Int? {
    if shape.additional != Self.nothing { return nil }
    var count = shape.properties.count { $0.node != Self.nothing }
    for pattern in shape.patterns where pattern.node != Self.nothing {
      let limit = 10_000
      let words = pattern.language.wordCounts(limit: limit)[Int(pattern.language.start)]
      if words >= limit { return nil }
      count += words - shape.properties.count { pattern.language.accepts($0.name) }
    }
    return count
  }

  /// The shape as it is handed out; nil when no object has it.
  func tidied(
    _ shape: ObjectShape, _ inhabited: [Bool], _ pointer: String
  ) throws(FoveaError) -> ObjectShape? {
    guard var shape = try counted(shape, inhabited, pointer) else { return nil }
    // A forbidden property that would not be allowed undeclared either need not be mentioned.
    if shape.properties.contains(where: { $0.node == Self.nothing }) {
      var moved = [Int](repeating: -1, count: shape.properties.count)
      var kept: [Property] = []
      for (index, property) in shape.properties.enumerated() {
        if property.node == Self.nothing, shape.undeclaredNode(property.name) == Self.nothing {
          continue
        }
        moved[index] = kept.count
        kept.append(property)
      }
      shape.properties = kept
      for index in shape.implications.indices {
        shape.implications[index].condition = moved[shape.implications[index].condition]
        shape.implications[index].consequences = shape.implications[index].consequences.map {
          moved[$0]
        }
      }
    }
    let patterns = shape.patterns
    shape.patterns = []
    for var pattern in patterns where pattern.node != shape.additional {
      let declared = shape.properties.map(\.name).filter { pattern.language.accepts($0) }
      if !declared.isEmpty {
        do throws(AutomatonTooLarge) {
          pattern.language = try pattern.language.subtracting(DFA.words(declared))
        } catch {
          throw .schemaTooComplex(
            pointer, "a pattern of keys needs more than \(error.limit) states",
            fix: "use simpler patterns")
        }
      }
      if !pattern.language.isEmpty { shape.patterns.append(pattern) }
    }
    return shape
  }
}
