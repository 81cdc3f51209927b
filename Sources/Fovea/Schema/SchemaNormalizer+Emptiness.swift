/// Whether nodes may have a value, found by looking a few levels deep.
///
/// "No" is certain and "yes" is a guess: a branch that was kept by a wrong guess is still correct,
/// and it is dropped at the end, when the whole graph is known.
extension SchemaNormalizer {
  /// How many levels are looked at.
  private static let deepestQuestion = 3

  /// Whether a node may have a value.
  mutating func mayHaveValue(_ node: NodeID) -> Bool {
    if node <= NormalForm.anything { return node == NormalForm.anything }
    if questionDepth >= Self.deepestQuestion || isOpen(node) { return true }
    if let known = answers[node], !known.isYes || known.depth <= questionDepth {
      return known.isYes
    }
    questionDepth += 1
    defer { questionDepth -= 1 }
    // A schema that cannot be read is reported when it turns out to be needed.
    guard let content = try? content(of: node) else { return true }
    let isYes =
      content.allowsNull || content.allowsFalse || content.allowsTrue || !content.numbers.isEmpty
      || !content.strings.isEmpty || content.arrays.contains { fits($0) }
      || content.objects.contains { fits($0) }
    answers[node] = Answer(isYes: isYes, depth: questionDepth - 1)
    return isYes
  }

  /// Whether a list may have this shape.
  mutating func fits(_ shape: ArrayShape) -> Bool {
    if shape.minItems > shape.maxItems { return false }
    for index in 0..<min(shape.minItems, shape.prefix.count + 1, 8) {
      if !mayHaveValue(shape.item(index)) { return false }
    }
    return true
  }

  /// Whether an object may have this shape.
  mutating func fits(_ shape: ObjectShape) -> Bool {
    if shape.minProperties > shape.maxProperties { return false }
    var required = 0
    for property in shape.properties where property.isRequired {
      if !mayHaveValue(property.node) { return false }
      required += 1
    }
    if required > shape.maxProperties { return false }
    guard shape.minProperties > 0, shape.patterns.isEmpty, shape.additional == NormalForm.nothing
    else { return true }
    return shape.properties.count { $0.node != NormalForm.nothing } >= shape.minProperties
  }

  // MARK: Pairs

  /// Whether some value may be allowed by both contents.
  mutating func mayShareValue(_ left: Node, _ right: Node) throws(FoveaError) -> Bool {
    if left.allowsNull && right.allowsNull || left.allowsFalse && right.allowsFalse
      || left.allowsTrue && right.allowsTrue
    {
      return true
    }
    if !languages.areDisjoint(left.numbers, right.numbers) { return true }
    for mine in left.strings {
      for theirs in right.strings {
        let minLength = max(mine.minLength, theirs.minLength)
        let maxLength = min(mine.maxLength, theirs.maxLength)
        if minLength > maxLength { continue }
        if languages.areDisjoint(mine.language, theirs.language) { continue }
        let shared = try intersection(mine.language, theirs.language, at: left.pointer)
        if shared.hasText(minLength: minLength, maxLength: maxLength) ?? true { return true }
      }
    }
    for mine in left.arrays {
      for theirs in right.arrays {
        if let shape = try both(mine, theirs), fits(shape) { return true }
      }
    }
    for mine in left.objects {
      for theirs in right.objects where mayShareObject(mine, theirs) { return true }
    }
    return false
  }

  /// Whether some object may have both shapes.
  mutating func mayShareObject(_ left: ObjectShape, _ right: ObjectShape) -> Bool {
    if max(left.minProperties, right.minProperties) > min(left.maxProperties, right.maxProperties) {
      return false
    }
    let isSmall = left.properties.count * right.properties.count <= 64
    let index = isSmall ? [:] : right.indexByName
    func place(_ name: [UInt8]) -> Int? {
      isSmall ? right.properties.firstIndex { $0.name == name } : index[name]
    }
    // First what both require: that is where a discriminator stands.
    var pairs: [(NodeID, NodeID)] = []
    var common = 0
    for property in left.properties {
      guard let place = place(property.name) else {
        if property.isRequired {
          pairs.append((property.node, right.undeclaredNode(property.name)))
        }
        continue
      }
      let other = right.properties[place]
      if property.isRequired && other.isRequired {
        pairs.insert((property.node, other.node), at: common)
        common += 1
      } else if property.isRequired || other.isRequired {
        pairs.append((property.node, other.node))
      }
    }
    let mine = isSmall ? [:] : left.indexByName
    for property in right.properties where property.isRequired {
      let isMine =
        isSmall
        ? left.properties.contains { $0.name == property.name } : mine[property.name] != nil
      if !isMine { pairs.append((left.undeclaredNode(property.name), property.node)) }
    }
    for (mine, theirs) in pairs {
      // What is too complex to combine counts as shared.
      guard let node = try? both(mine, theirs) else { return true }
      if !mayHaveValue(node) { return false }
    }
    return true
  }
}
