/// Unions of contents.
extension SchemaNormalizer {
  /// What one of two contents allows.
  mutating func either(
    _ left: Node, _ right: Node, at pointer: String
  ) throws(FoveaError) -> Node {
    if left.isBlank { return right }
    if right.isBlank { return left }
    var result = left
    result.allowsNull = left.allowsNull || right.allowsNull
    result.allowsFalse = left.allowsFalse || right.allowsFalse
    result.allowsTrue = left.allowsTrue || right.allowsTrue
    result.numbers = try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
      try languages.union(left.numbers, right.numbers)
    }
    for strings in right.strings { try add(strings, to: &result.strings, at: pointer) }
    for shape in right.arrays { try add(shape, to: &result.arrays, at: pointer) }
    for shape in right.objects { try add(shape, to: &result.objects, at: pointer) }
    return result
  }

  /// Adds strings to a union: those with the same lengths become one automaton.
  mutating func add(
    _ strings: NormalForm.Strings, to union: inout [NormalForm.Strings], at pointer: String
  ) throws(FoveaError) {
    if strings.language.isEmpty || strings.minLength > strings.maxLength { return }
    for (index, known) in union.enumerated() {
      let isLonger = known.minLength <= strings.minLength && known.maxLength >= strings.maxLength
      if isLonger, known.language == TextLanguage.all || known.language == strings.language {
        return
      }
      guard known.minLength == strings.minLength, known.maxLength == strings.maxLength else {
        continue
      }
      union[index].language = try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
        try languages.union(known.language, strings.language)
      }
      return
    }
    if union.count >= Self.mostShapes {
      throw .schemaTooComplex(
        pointer, "its strings have more than \(Self.mostShapes) ranges of lengths",
        fix: "use fewer of them")
    }
    union.append(strings)
  }

  /// Adds a list to a union, unless the union has it already.
  mutating func add(
    _ shape: ArrayShape, to union: inout [ArrayShape], at pointer: String
  ) throws(FoveaError) {
    for known in union where known.includes(shape) { return }
    union.removeAll { shape.includes($0) }
    if union.count >= Self.mostShapes { throw Self.tooManyShapes("lists", pointer) }
    union.append(shape)
  }

  /// Adds an object to a union, unless the union has it already.
  mutating func add(
    _ shape: ObjectShape, to union: inout [ObjectShape], at pointer: String
  ) throws(FoveaError) {
    for known in union where known.includes(shape) { return }
    union.removeAll { shape.includes($0) }
    if union.count >= Self.mostShapes { throw Self.tooManyShapes("objects", pointer) }
    union.append(shape)
  }

  private static func tooManyShapes(_ what: String, _ pointer: String) -> FoveaError {
    .schemaTooComplex(
      pointer, "there are more than \(mostShapes) different forms of \(what)",
      fix: "use fewer alternatives, or fewer that overlap")
  }
}

extension NormalForm.ArrayShape {
  /// Whether every list of another shape has this shape, as far as that is easy to see.
  fileprivate func includes(_ other: Self) -> Bool {
    let isWider =
      minItems <= other.minItems && maxItems >= other.maxItems && (!isUnique || other.isUnique)
    guard isWider else { return false }
    if prefix.isEmpty, rest == NormalForm.anything, contains.isEmpty { return true }
    return rest == other.rest && prefix == other.prefix
      && (contains.isEmpty || contains == other.contains)
  }
}

extension NormalForm.ObjectShape {
  /// Whether every object of another shape has this shape, as far as that is easy to see.
  fileprivate func includes(_ other: Self) -> Bool {
    guard minProperties <= other.minProperties, maxProperties >= other.maxProperties else {
      return false
    }
    if properties.isEmpty, patterns.isEmpty, additional == NormalForm.anything { return true }
    guard additional == other.additional, properties.count == other.properties.count,
      implications.isEmpty || implications == other.implications
    else { return false }
    for (mine, theirs) in zip(properties, other.properties) {
      guard mine.node == theirs.node || (theirs.node == NormalForm.nothing && !mine.isRequired),
        !mine.isRequired || theirs.isRequired, mine.name == theirs.name
      else { return false }
    }
    return patterns == other.patterns
  }
}
