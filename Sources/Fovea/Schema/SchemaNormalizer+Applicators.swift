/// The keywords that apply schemas to the same value.
extension SchemaNormalizer {
  /// What remains of a node after the references, unions and conditions of a place.
  mutating func applied(_ place: SchemaPlace, to start: Node) throws(FoveaError) -> Node {
    var node = start
    var rest: [(SchemaKeyword, JSONValue)] = []
    // What is common to all branches comes first, so that each branch is as small as it can be.
    for entry in place.keywords {
      switch entry.keyword {
      case .ref, .dynamicRef, .recursiveRef:
        node = try both(node, within: try reference(entry.keyword, place))
      case .allOf:
        for branch in try branches(.allOf, place) { node = try both(node, within: branch) }
      case .not, .anyOf, .oneOf, .if, .dependentSchemas, .dependencies:
        rest.append((entry.keyword, entry.value))
      default: continue
      }
    }
    for (keyword, _) in rest where keyword == .not {
      guard let excluded = try self.node(.not, of: place) else { continue }
      node = try excluding(
        try content(of: excluded), from: node,
        Excluder(keyword: .not, pointer: place.pointer, fix: "say what is allowed instead"))
    }
    for (keyword, _) in rest {
      switch keyword {
      case .anyOf: node = try anyOf(try branches(.anyOf, place), node, place)
      case .oneOf: node = try oneOf(try branches(.oneOf, place), node, place)
      case .if: node = try conditional(place, node)
      case .dependentSchemas, .dependencies: node = try dependent(keyword, place, node)
      default: continue
      }
    }
    return node
  }

  private mutating func reference(
    _ keyword: SchemaKeyword, _ place: SchemaPlace
  ) throws(FoveaError) -> NodeID {
    let text = try place.string(keyword) ?? "#"
    if keyword != .ref, references.isDynamic(text, isRecursive: keyword == .recursiveRef) {
      throw place.unsupported(
        keyword, "means a different schema on each way that leads to it",
        fix: "use $ref to a place in $defs")
    }
    return try node(of: text, from: place)
  }

  private mutating func branches(
    _ keyword: SchemaKeyword, _ place: SchemaPlace
  ) throws(FoveaError) -> [NodeID] {
    guard let items = try place.array(keyword), !items.isEmpty else {
      throw place.invalid(keyword, "must list at least one schema")
    }
    var nodes: [NodeID] = []
    for (index, item) in items.enumerated() {
      nodes.append(try node(item, at: place.pointer(keyword, "\(index)"), in: place.resource))
    }
    return nodes
  }

  private mutating func anyOf(
    _ branches: [NodeID], _ node: Node, _ place: SchemaPlace
  ) throws(FoveaError) -> Node {
    if branches.contains(NormalForm.anything) { return node }
    var result = Node()
    for branch in branches {
      result = try either(result, try both(node, within: branch), at: place.pointer)
    }
    return result
  }

  // MARK: oneOf

  private mutating func oneOf(
    _ branches: [NodeID], _ node: Node, _ place: SchemaPlace
  ) throws(FoveaError) -> Node {
    var parts: [Node] = []
    for branch in branches {
      let part = try both(node, within: branch)
      if !part.isBlank { parts.append(part) }
    }
    // Of each pair that has a value in common, that value is taken from both.
    var excluded = [[Int]](repeating: [], count: parts.count)
    for right in parts.indices {
      for left in 0..<right where try mayShareValue(parts[left], parts[right]) {
        excluded[left].append(right)
        excluded[right].append(left)
      }
    }
    let excluder = Excluder(
      keyword: .oneOf, pointer: place.pointer,
      fix: "use anyOf, or give each branch a required property with a const of its own",
      isLenient: options.overlappingOneOf == .asAnyOf)
    var result = Node()
    for (index, part) in parts.enumerated() {
      var part = part
      for other in excluded[index] {
        do throws(FoveaError) {
          part = try excluding(parts[other], from: part, excluder)
        } catch  where excluder.isLenient {
          warn(place.pointer, "\"oneOf\" is read as \"anyOf\": \(error.message)")
        }
      }
      result = try either(result, part, at: place.pointer)
    }
    return result
  }

  // MARK: Conditions

  private mutating func conditional(
    _ place: SchemaPlace, _ node: Node
  ) throws(FoveaError) -> Node {
    guard let condition = try self.node(.if, of: place) else { return node }
    let then = try self.node(.then, of: place) ?? NormalForm.anything
    let otherwise = try self.node(.else, of: place) ?? NormalForm.anything
    if then == otherwise { return try both(node, within: then) }
    let test = try content(of: condition)
    var result = try both(node, test)
    if then != NormalForm.anything { result = try both(result, within: then) }
    if otherwise == NormalForm.nothing { return result }
    let excluder = Excluder(
      keyword: .if, pointer: place.pointer, fix: "use anyOf with a schema for each case")
    var rest = try excluding(test, from: node, excluder)
    if otherwise != NormalForm.anything { rest = try both(rest, within: otherwise) }
    return try either(result, rest, at: place.pointer)
  }

  private mutating func dependent(
    _ keyword: SchemaKeyword, _ place: SchemaPlace, _ start: Node
  ) throws(FoveaError) -> Node {
    var node = start
    for member in try place.members(keyword) ?? [] {
      if keyword == .dependencies, case .array = member.value { continue }
      let dependency = try self.node(
        member.value, at: place.pointer(keyword, member.name), in: place.resource)
      if dependency == NormalForm.anything || node.objects.isEmpty { continue }
      let name = Array(member.name.utf8)
      var without = Node.anything
      without.objects[0].properties = [
        NormalForm.Property(name, NormalForm.nothing, isRequired: false)
      ]
      var with = Node()
      with.objects = [ObjectShape()]
      with.objects[0].properties = [
        NormalForm.Property(name, NormalForm.anything, isRequired: true)
      ]
      let absent = try both(node, without)
      let present = try both(try both(node, with), within: dependency)
      node = try either(absent, present, at: place.pointer)
    }
    return node
  }
}
