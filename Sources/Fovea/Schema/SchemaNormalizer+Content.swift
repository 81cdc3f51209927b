/// What nodes allow, found when it is asked for.
extension SchemaNormalizer {
  /// Whether the content of a node is being found at this moment.
  func isOpen(_ node: NodeID) -> Bool { entries[node].isOpen }

  /// Where a node was written.
  func pointer(of node: NodeID) -> String { entries[node].pointer }

  /// What a node allows.
  mutating func content(of node: NodeID) throws(FoveaError) -> Node {
    if let known = entries[node].content { return known }
    if entries[node].isOpen {
      throw FoveaError(
        .invalidSchema,
        "the JSON Schema at \(entries[node].pointer) applies itself to the same value, without end",
        fix: "let the reference stand under properties or items")
    }
    if depth >= Self.deepestApplication {
      throw .schemaTooComplex(
        entries[node].pointer,
        "more than \(Self.deepestApplication) schemas apply to a value by way of each other",
        fix: "flatten references and allOf")
    }
    depth += 1
    entries[node].isOpen = true
    defer {
      depth -= 1
      entries[node].isOpen = false
    }
    var content: Node
    switch entries[node].recipe {
    case .known(let known): content = known
    case .schema(let place): content = try read(place)
    case .value(let value): content = try constant(value, at: entries[node].pointer)
    case .combination(let combination): content = try combined(combination, entries[node].excluder)
    }
    content.pointer = entries[node].pointer
    entries[node].content = content
    return content
  }

  private mutating func combined(
    _ combination: Combination, _ excluder: Excluder?
  ) throws(FoveaError) -> Node {
    var result = Node.anything
    var rest: [NodeID] = []
    for (index, node) in combination.all.enumerated() {
      do throws(FoveaError) {
        let content = try content(of: node)
        result = index == 0 ? content : try both(result, content)
      } catch  where error.code == .unsupportedSchema {
        rest.append(node)
      }
    }
    for node in rest { result = try both(result, within: node) }
    for node in combination.none {
      guard let excluder else { continue }
      do throws(FoveaError) {
        result = try excluding(try content(of: node), from: result, excluder)
      } catch  where excluder.isLenient {
        warn(excluder.pointer, "\"oneOf\" is read as \"anyOf\": \(error.message)")
      }
    }
    return result
  }

  /// What both a content and a node allow.
  ///
  /// What a schema excludes may be expressible only together with what is known of the value: of
  /// closed objects every key is known. So a schema that cannot be read alone is applied to the
  /// content step by step.
  mutating func both(_ content: Node, within node: NodeID) throws(FoveaError) -> Node {
    let problem: FoveaError
    if let known = failures[node] {
      problem = known
    } else {
      do throws(FoveaError) {
        return try both(content, try self.content(of: node))
      } catch {
        problem = error
        if error.code == .unsupportedSchema { failures[node] = error }
      }
    }
    guard problem.code == .unsupportedSchema, case .schema(let place) = entries[node].recipe,
      !entries[node].isOpen, depth < Self.deepestApplication, secondTries < Self.mostSecondTries
    else { throw problem }
    secondTries += 1
    depth += 1
    entries[node].isOpen = true
    defer {
      depth -= 1
      entries[node].isOpen = false
    }
    return try applied(place, to: both(content, try scalarsAndShapes(place)))
  }
}

extension NormalForm.Node {
  /// The node of all values.
  static let anything: Self = {
    var node = Self()
    node.allowsNull = true
    node.allowsFalse = true
    node.allowsTrue = true
    node.numbers = NumberLanguage.all
    node.strings = [NormalForm.Strings(TextLanguage.all)]
    node.arrays = [NormalForm.ArrayShape()]
    node.objects = [NormalForm.ObjectShape()]
    return node
  }()

  /// Whether it allows no scalar and has no shape.
  var isBlank: Bool {
    !allowsNull && !allowsFalse && !allowsTrue && numbers.isEmpty && strings.isEmpty
      && arrays.isEmpty && objects.isEmpty
  }
}
