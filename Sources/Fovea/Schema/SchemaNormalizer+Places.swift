/// From the members of an object in the document to its keywords.
extension SchemaNormalizer {
  /// Sorts the members of a schema: what can restrict values is kept, what has no effect is
  /// reported.
  mutating func place(
    _ members: [JSONValue.Member], _ value: JSONValue, at pointer: String, in resource: Int
  ) throws(FoveaError) -> SchemaPlace {
    let resource = references.resource(of: members, at: pointer, in: resource)
    let dialect = references.resources[resource].dialect
    var place = SchemaPlace(
      value: value, pointer: pointer, resource: resource, dialect: dialect)
    for member in members {
      guard let keyword = SchemaKeyword(name: member.name) else {
        try unknown(member.name, at: pointer)
        continue
      }
      let isAsserted =
        dialect == .draft7 && (keyword == .contentEncoding || keyword == .contentMediaType)
      if keyword.isAnnotation, !isAsserted { continue }
      guard keyword.exists(in: dialect) else {
        try refuseIfStrict(
          member.name, at: pointer, "is no keyword of \(dialect.name) and has no effect")
        continue
      }
      place.keywords.append((keyword, member.value))
    }
    if dialect.ignoresSiblingsOfReferences, place.keywords.count > 1, let value = place[.ref] {
      for entry in place.keywords where entry.keyword != .ref {
        warn(
          pointer, "\"\(entry.keyword.rawValue)\" beside \"$ref\" has no effect in \(dialect.name)")
      }
      place.keywords = [(.ref, value)]
    }
    return place
  }

  private mutating func unknown(_ name: String, at pointer: String) throws(FoveaError) {
    if name.hasPrefix("x-") { return }
    var text = "is no keyword and has no effect"
    if let near = SchemaKeyword.near(name) { text += "; did you mean \"\(near.rawValue)\"?" }
    try refuseIfStrict(name, at: pointer, text)
  }

  private mutating func refuseIfStrict(
    _ name: String, at pointer: String, _ reason: String
  ) throws(FoveaError) {
    if options.isStrict {
      throw .schemaUnsupported(pointer, name, reason, fix: "remove it, or do not ask to be strict")
    }
    warn(pointer, "\"\(name)\" \(reason)")
  }

  /// Reads the schema at a place.
  mutating func read(_ place: SchemaPlace) throws(FoveaError) -> Node {
    try applied(place, to: try scalarsAndShapes(place))
  }

  /// What a place allows without the schemas that it applies to the same value.
  mutating func scalarsAndShapes(_ place: SchemaPlace) throws(FoveaError) -> Node {
    let node = try typed(place)
    guard let constants = try constants(place) else { return node }
    return try both(node, constants)
  }

  /// The values that `enum` and `const` allow; nil when neither is there.
  private mutating func constants(_ place: SchemaPlace) throws(FoveaError) -> Node? {
    var result: Node?
    if let value = place[.const] { result = try constant(value, at: place.pointer(.const)) }
    if let values = try place.array(.enum) {
      let node = try constants(values, at: place.pointer(.enum))
      result = try result.map { (known) throws(FoveaError) in try both(known, node) } ?? node
    }
    return result
  }

  // MARK: Automata

  /// Runs an operation on automata; what is too large is reported at a place.
  mutating func build(
    at pointer: String, _ operation: (inout SchemaLanguages) throws(AutomatonTooLarge) -> DFA
  ) throws(FoveaError) -> DFA {
    do throws(AutomatonTooLarge) {
      return try operation(&languages)
    } catch {
      throw .schemaTooComplex(
        pointer, "its values need an automaton with more than \(error.limit) states",
        fix: "use fewer or simpler patterns, bounds and values")
    }
  }
}
