/// `enum`, `const`, `anyOf` and `oneOf`.
extension JSONSchemaReader {
  // MARK: Single values

  /// The values of `enum` and `const` that the other keywords allow too.
  mutating func enumeration(
    _ node: Node, _ types: [TypeName]?
  ) throws(FoveaError) -> Schema {
    let keyword = node["enum"] == nil ? "const" : "enum"
    let declared = try node.array("enum") ?? node["const"].map { [$0] } ?? []
    if declared.isEmpty { throw node.invalid(keyword, "it is empty") }
    let constant = node["const"].flatMap(ScalarKey.init)
    var rules: [TypeName: Schema] = [:]
    var known: Set<ScalarKey> = []
    var values: [JSONValue] = []
    for value in declared {
      guard let key = ScalarKey(value), node["const"] == nil || constant != nil else {
        throw node.unsupported(
          keyword, "lists and objects cannot be allowed values yet",
          fix: "describe them with properties or items")
      }
      if let constant, constant != key { continue }
      guard known.insert(key).inserted else {
        warn(node.place, "\"\(keyword)\" has \(value.excerpt) twice")
        continue
      }
      // Only the keywords of the value's own type have a say.
      let own = value.typeName
      let fitting = types?.first { $0 == own || ($0 == .number && own == .integer) }
      guard let type = types == nil ? own : fitting else { continue }
      if rules[type] == nil { rules[type] = Schema(try kind(node, type)) }
      if rules[type]?.accepts(value) ?? false { values.append(value) }
    }
    if values.isEmpty {
      throw node.invalid(keyword, "none of its values fits the keywords beside it")
    }
    if node["const"] == nil, values.count < known.count {
      warn(node.place, "some values of \"enum\" do not fit the keywords beside it")
    }
    return Schema(.enumeration(values))
  }

  // MARK: Branches

  mutating func union(_ node: Node) throws(FoveaError) -> Schema {
    let keyword = node["anyOf"] == nil ? "oneOf" : "anyOf"
    for member in node.members where member.name != keyword {
      switch JSONSchemaKeyword(member.name) {
      case .general, .typed:
        throw node.unsupported(
          member.name, "it stands beside \"\(keyword)\", and schemas are not merged yet",
          fix: "move it into each of the branches")
      default: continue
      }
    }
    let values = try node.array(keyword) ?? []
    if values.isEmpty { throw node.invalid(keyword, "it is empty") }
    var branches: [Schema] = []
    for (index, value) in values.enumerated() {
      let branch = try schema(value, at: node.place.child(keyword, "\(index)"))
      if let earlier = branches.firstIndex(where: {
        !$0.typeNames.isDisjoint(with: branch.typeNames)
      }) {
        branches[earlier] = try merged(branches[earlier], branch, node, keyword)
      } else {
        branches.append(branch)
      }
    }
    return branches.count == 1 ? branches[0] : Schema(.anyOf(branches))
  }

  /// Branches of single values make one; all others must differ in their JSON type, since the
  /// first byte of the value decides.
  private mutating func merged(
    _ first: Schema, _ second: Schema, _ node: Node, _ keyword: String
  ) throws(FoveaError) -> Schema {
    guard case .enumeration(let earlier) = first.kind, case .enumeration(let later) = second.kind
    else {
      let shared = first.typeNames.intersection(second.typeNames).map(\.rawValue).sorted()
      throw node.unsupported(
        keyword, "two branches are of the same JSON type (\(shared.joined(separator: ", ")))",
        fix: "use one branch for each JSON type")
    }
    let known = Set(earlier.compactMap(ScalarKey.init))
    let added = later.filter { ScalarKey($0).map { !known.contains($0) } ?? false }
    if keyword == "oneOf", added.count < later.count {
      throw node.unsupported(
        keyword, "a value stands in two branches, and so is forbidden",
        fix: "remove the value, or use anyOf")
    }
    for schema in [first, second] where schema.title != nil || schema.description != nil {
      warn(node.place, "titles and descriptions of single values in \"\(keyword)\" are left out")
    }
    return Schema(.enumeration(earlier + added))
  }
}
