/// The keywords of lists and objects.
extension SchemaNormalizer {
  typealias ArrayShape = NormalForm.ArrayShape
  typealias ObjectShape = NormalForm.ObjectShape

  // MARK: Lists

  /// The lists that a place allows; nil for none.
  mutating func arrayShape(_ place: SchemaPlace) throws(FoveaError) -> ArrayShape? {
    var shape = ArrayShape()
    if let items = try place.array(.prefixItems) {
      shape.prefix = try nodes(items, .prefixItems, of: place)
    }
    if case .array(let items)? = place[.items] {
      if place.dialect == .draft2020 {
        if place[.prefixItems] != nil {
          throw place.invalid(.items, "must be a schema beside \"prefixItems\"")
        }
        warn(
          place.pointer, "\"items\" is a list, which 2020-12 calls \"prefixItems\"; it is read so")
      }
      shape.prefix = try nodes(items, .items, of: place)
      if let rest = try node(.additionalItems, of: place) {
        shape.rest = rest
      } else if let rest = try unevaluated(.unevaluatedItems, place) {
        shape.rest = rest
      }
    } else if let rest = try node(.items, of: place) {
      shape.rest = rest
    } else if let rest = try unevaluated(.unevaluatedItems, place) {
      shape.rest = rest
    }
    shape.minItems = try place.count(.minItems) ?? 0
    shape.maxItems = try place.count(.maxItems) ?? .max
    shape.isUnique = try place.boolean(.uniqueItems) ?? false
    try addContains(place, to: &shape)
    return shape.minItems > shape.maxItems ? nil : shape
  }

  private mutating func nodes(
    _ items: [JSONValue], _ keyword: SchemaKeyword, of place: SchemaPlace
  ) throws(FoveaError) -> [NodeID] {
    var nodes: [NodeID] = []
    for (index, item) in items.enumerated() {
      nodes.append(try node(item, at: place.pointer(keyword, "\(index)"), in: place.resource))
    }
    return nodes
  }

  private mutating func addContains(
    _ place: SchemaPlace, to shape: inout ArrayShape
  ) throws(FoveaError) {
    guard let wanted = try node(.contains, of: place) else { return }
    let minimum = try place.count(.minContains) ?? 1
    let maximum = try place.count(.maxContains) ?? .max
    if wanted == NormalForm.anything {
      shape.minItems = max(shape.minItems, minimum)
      shape.maxItems = min(shape.maxItems, maximum)
      return
    }
    if maximum < shape.maxItems, wanted != NormalForm.nothing {
      guard maximum == 0 else {
        throw place.unsupported(
          .maxContains, "limits how many items match a schema",
          fix: "use maxItems, or check it after decoding")
      }
      // None may match.
      let excluder = Excluder(
        keyword: .maxContains, pointer: place.pointer, fix: "say in items what is allowed")
      for index in shape.prefix.indices {
        shape.prefix[index] = try excluding(wanted, from: shape.prefix[index], excluder)
      }
      shape.rest = try excluding(wanted, from: shape.rest, excluder)
    }
    if minimum > 0 {
      var nodes: [NodeID] = []
      for item in shape.prefix + [shape.rest] { nodes.append(try both(item, wanted)) }
      shape.contains = [NormalForm.Contains(nodes: nodes, minimum: minimum)]
    }
  }

  /// The node of `unevaluatedItems` or `unevaluatedProperties` where it means the same as the
  /// keyword for additional ones; nil where it says nothing.
  private mutating func unevaluated(
    _ keyword: SchemaKeyword, _ place: SchemaPlace
  ) throws(FoveaError) -> NodeID? {
    guard let node = try node(keyword, of: place), node != NormalForm.anything else { return nil }
    for entry in place.keywords {
      switch entry.keyword {
      case .ref, .dynamicRef, .recursiveRef, .allOf, .anyOf, .oneOf, .if, .dependentSchemas,
        .dependencies, .contains:
        // Items that `contains` matches count as evaluated in 2020-12.
        if entry.keyword == .contains && keyword == .unevaluatedProperties { continue }
        throw place.unsupported(
          keyword, "depends on which branches of \"\(entry.keyword.rawValue)\" apply",
          fix: keyword == .unevaluatedItems
            ? "use items, and repeat what is allowed"
            : "use additionalProperties, and repeat the properties that are allowed")
      default: continue
      }
    }
    return node
  }

  // MARK: Objects

  /// The objects that a place allows; nil for none.
  mutating func objectShape(_ place: SchemaPlace) throws(FoveaError) -> ObjectShape? {
    var shape = ObjectShape()
    if let members = try place.members(.patternProperties), !members.isEmpty {
      shape.patterns = try patterns(members, place)
    }
    if let additional = try node(.additionalProperties, of: place) {
      shape.additional = additional
    } else if let additional = try unevaluated(.unevaluatedProperties, place) {
      shape.additional = additional
    }
    var index: [[UInt8]: Int] = [:]
    if let members = try place.members(.properties) {
      shape.properties.reserveCapacity(members.count)
      for member in members {
        let name = Array(member.name.utf8)
        var node = try node(
          member.value, at: place.pointer(.properties, member.name), in: place.resource)
        for pattern in shape.patterns where pattern.language.accepts(name) {
          node = try both(node, pattern.node)
        }
        if index.updateValue(shape.properties.count, forKey: name) != nil {
          throw place.invalid(.properties, "declares \(JSONValue.string(member.name).text) twice")
        }
        shape.properties.append(NormalForm.Property(name, node, isRequired: false))
      }
    }
    if let value = place[.required] {
      for name in try place.names(value, of: .required) {
        shape.properties[declare(name, in: &shape, &index)].isRequired = true
      }
    }
    try addDependencies(place, to: &shape, &index)
    shape.minProperties = try place.count(.minProperties) ?? 0
    shape.maxProperties = try place.count(.maxProperties) ?? .max
    if shape.minProperties > shape.maxProperties { return nil }
    if let names = try names(place) {
      var named = ObjectShape()
      named.patterns = [NormalForm.Pattern(names, NormalForm.anything)]
      named.additional = NormalForm.nothing
      guard let met = try both(shape, named, at: place.pointer) else { return nil }
      shape = met
    }
    return shape
  }

  /// The index of a property, which is declared if it was not.
  private func declare(
    _ name: String, in shape: inout ObjectShape, _ index: inout [[UInt8]: Int]
  ) -> Int {
    let name = Array(name.utf8)
    if let known = index[name] { return known }
    index[name] = shape.properties.count
    shape.properties.append(
      NormalForm.Property(name, shape.undeclaredNode(name), isRequired: false))
    return shape.properties.count - 1
  }

  private mutating func addDependencies(
    _ place: SchemaPlace, to shape: inout ObjectShape, _ index: inout [[UInt8]: Int]
  ) throws(FoveaError) {
    for keyword in [SchemaKeyword.dependentRequired, .dependencies] {
      guard let members = try place.members(keyword) else { continue }
      for member in members {
        if keyword == .dependencies {
          guard case .array = member.value else { continue }
        }
        let names = try place.names(member.value, of: keyword)
        if names.isEmpty { continue }
        let condition = declare(member.name, in: &shape, &index)
        var consequences: [Int] = []
        for name in names {
          let consequence = declare(name, in: &shape, &index)
          if consequence != condition, !consequences.contains(consequence) {
            consequences.append(consequence)
          }
        }
        if !consequences.isEmpty {
          shape.implications.append(NormalForm.Implication(condition, consequences))
        }
      }
    }
  }

  private mutating func patterns(
    _ members: [JSONValue.Member], _ place: SchemaPlace
  ) throws(FoveaError) -> [NormalForm.Pattern] {
    var patterns: [NormalForm.Pattern] = []
    for member in members {
      let node = try node(
        member.value, at: place.pointer(.patternProperties, member.name), in: place.resource)
      var language = try pattern(member.name, place, .patternProperties)
      var split: [NormalForm.Pattern] = []
      for pattern in patterns {
        if languages.areDisjoint(pattern.language, language) {
          split.append(pattern)
          continue
        }
        let known = pattern.language
        let fresh = language
        let pointer = place.pointer(.patternProperties)
        let shared = try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
          try languages.intersection(known, fresh)
        }
        let rest = try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
          try languages.difference(known, fresh)
        }
        language = try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
          try languages.difference(fresh, known)
        }
        split.append(NormalForm.Pattern(shared, try both(pattern.node, node)))
        if !rest.isEmpty { split.append(NormalForm.Pattern(rest, pattern.node)) }
      }
      if !language.isEmpty { split.append(NormalForm.Pattern(language, node)) }
      patterns = split
      if patterns.count > Self.mostPatterns {
        throw .schemaTooComplex(
          place.pointer(.patternProperties),
          "its patterns overlap in more than \(Self.mostPatterns) ways",
          fix: "use patterns that exclude each other")
      }
    }
    return patterns
  }

  /// The names that `propertyNames` allows; nil for any.
  private mutating func names(_ place: SchemaPlace) throws(FoveaError) -> DFA? {
    guard let node = try node(.propertyNames, of: place), node != NormalForm.anything else {
      return nil
    }
    let pointer = place.pointer(.propertyNames)
    var names = DFA.empty
    for strings in try content(of: node).strings {
      var language = strings.language
      if strings.minLength > 0 || strings.maxLength < .max {
        // Keys have no counters, so their lengths are unrolled into states.
        let bound = strings.maxLength == .max ? strings.minLength : strings.maxLength
        guard bound <= 256 else {
          throw .schemaUnsupported(
            pointer, strings.maxLength == .max ? "minLength" : "maxLength",
            "bounds the length of keys beyond 256", fix: "use a smaller bound, or none")
        }
        language = try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
          try languages.intersection(
            language, languages.length(minimum: strings.minLength, maximum: strings.maxLength))
        }
      }
      let known = names
      names = try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
        try languages.union(known, language)
      }
    }
    return names == TextLanguage.all ? nil : names
  }
}

extension NormalForm.ObjectShape {
  /// What the value of a key must be that is not declared.
  func undeclaredNode(_ name: [UInt8]) -> NormalForm.NodeID {
    for pattern in patterns where pattern.language.accepts(name) { return pattern.node }
    return additional
  }
}
