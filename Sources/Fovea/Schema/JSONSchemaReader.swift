/// Reads one JSON Schema document into a ``Schema``. Each schema object is read by its keywords,
/// top down; references are read in the place where they stand.
struct JSONSchemaReader {
  typealias Node = JSONSchemaNode
  typealias Place = JSONSchemaNode.Place
  typealias TypeName = JSONSchemaNode.TypeName

  /// Bounds on what a document may unfold to: references can double it at every step.
  private enum Limit {
    static var depth: Int { 64 }
    static var nodes: Int { 20_000 }
  }

  let document: JSONValue
  /// The rules that changed between the drafts.
  var dialect = Dialect()
  /// The references that are being followed, the outermost first.
  var references: [String] = []
  private var nodeCount = 0
  private var warnings: [String] = []
  private var knownWarnings: Set<String> = []

  struct Dialect {
    /// Up to draft-07, what stands beside `$ref` is ignored.
    var ignoresSiblingsOfReferences = false
    /// In draft-04, `exclusiveMinimum` is a boolean.
    var hasBooleanExclusives = false
    /// In draft-04, `$id` is called `id`.
    var idKeyword = "$id"
  }

  /// The schema of a document, and what in it has no effect.
  static func read(
    _ document: JSONValue
  ) throws(FoveaError) -> (schema: Schema, warnings: [String]) {
    var reader = JSONSchemaReader(document: document)
    let place = Place(pointer: "#", depth: 0)
    try reader.readDialect(place)
    let schema = try reader.schema(document, at: place)
    return (schema, reader.warnings)
  }

  private init(document: JSONValue) { self.document = document }

  mutating func warn(_ place: Place, _ text: String) {
    let warning = "\(place.pointer): \(text)"
    // A definition that is used often is read often.
    if knownWarnings.insert(warning).inserted { warnings.append(warning) }
  }

  private mutating func readDialect(_ place: Place) throws(FoveaError) {
    guard case .object(let members) = document else { return }
    let root = Node(members: members, place: place)
    guard var name = try root.string("$schema") else { return }
    while name.hasSuffix("#") || name.hasSuffix("/") { name.removeLast() }
    switch name.split(separator: "/").dropFirst().joined(separator: "/") {
    case "json-schema.org/draft-04/schema":
      dialect = Dialect(
        ignoresSiblingsOfReferences: true, hasBooleanExclusives: true, idKeyword: "id")
    case "json-schema.org/draft-06/schema", "json-schema.org/draft-07/schema":
      dialect = Dialect(ignoresSiblingsOfReferences: true)
    case "json-schema.org/draft/2019-09/schema", "json-schema.org/draft/2020-12/schema",
      "json-schema.org/schema":
      break
    case "json-schema.org/draft-03/schema":
      throw root.unsupported("$schema", "draft-03 is too old", fix: "use draft 2020-12")
    default:
      warn(place, "\"$schema\" \(name) is not known; draft 2020-12 is assumed")
    }
  }

  // MARK: Schemas

  /// Reads a schema.
  mutating func schema(_ value: JSONValue, at place: Place) throws(FoveaError) -> Schema {
    let node = try node(value, at: place)
    let types = try node.types()
    try checkKeywords(of: node, types ?? inferredTypes(of: node))
    var schema: Schema
    if let reference = try node.string("$ref") {
      schema = try referenced(reference, from: node)
    } else if node["anyOf"] != nil || node["oneOf"] != nil {
      schema = try union(node)
    } else if node["enum"] != nil || node["const"] != nil {
      schema = try enumeration(node, types)
    } else {
      schema = try typed(node, types)
    }
    if let title = try node.string("title") { schema.title = title }
    if let description = try node.string("description") { schema.description = description }
    switch node["examples"] {
    case nil: break
    case .array(let examples): schema.examples = examples
    // In draft-04 it is anybody's own keyword, of any form.
    default: warn(place, "\"examples\" is no array and has no effect")
    }
    return schema
  }

  private mutating func node(_ value: JSONValue, at place: Place) throws(FoveaError) -> Node {
    let members: [JSONValue.Member]
    var place = place
    switch value {
    case .object(let object): members = object
    case .boolean(let isAnything):
      throw FoveaError(
        .unsupportedSchema,
        "the JSON Schema allows \(isAnything ? "any value" : "no value") at \(place.pointer)",
        fix: isAnything ? "say which type is meant" : "remove the property")
    default:
      throw FoveaError(
        .invalidSchema,
        "the JSON Schema has \(value.excerpt) at \(place.pointer) where a schema should be",
        fix: "use an object such as {\"type\":\"string\"}")
    }
    nodeCount += 1
    guard place.depth <= Limit.depth, nodeCount <= Limit.nodes else {
      throw FoveaError(
        .unsupportedSchema, "the JSON Schema is too large at \(place.pointer)",
        fix: "use at most \(Limit.depth) levels and \(Limit.nodes) schemas, references unfolded")
    }
    let node = Node(members: members, place: place)
    let id = try node.string(dialect.idKeyword)
    if place.pointer != "#", let id, !id.hasPrefix("#") { place.isEmbedded = true }
    return Node(members: members, place: place)
  }

  /// The types that a schema without `type` talks about, by its keywords.
  private func inferredTypes(of node: Node) -> [TypeName]? {
    if ["$ref", "anyOf", "oneOf", "enum", "const"].contains(where: { node[$0] != nil }) {
      return nil
    }
    var found: [TypeName] = []
    for member in node.members {
      switch JSONSchemaKeyword(member.name) {
      case .typed(let types), .refused(let types, _, _):
        guard types.count < TypeName.allCases.count, let type = types.last else { continue }
        if !found.contains(type) { found.append(type) }
      default: continue
      }
    }
    return found.count == 1 ? found : nil
  }

  /// Refuses what cannot be enforced, and warns of what has no effect.
  private mutating func checkKeywords(of node: Node, _ types: [TypeName]?) throws(FoveaError) {
    let types = Set(types ?? TypeName.allCases)
    for member in node.members {
      let name = member.name
      switch JSONSchemaKeyword(name) {
      case .annotation, .general: continue
      case .typed(let own):
        if types.isDisjoint(with: own) {
          warn(node.place, "\"\(name)\" has no effect on this type")
        }
      case .refused(let own, let reason, let fix):
        if types.isDisjoint(with: own) {
          warn(node.place, "\"\(name)\" has no effect on this type")
        } else if name == "additionalItems", case .object = node["items"] {
          warn(node.place, "\"additionalItems\" has no effect beside \"items\"")
        } else if !isIgnored(name, beside: node), !JSONSchemaKeyword.isVacuous(name, member.value) {
          throw node.unsupported(name, reason, fix: fix)
        }
      case nil:
        warn(node.place, "\"\(name)\" is not a keyword of JSON Schema and has no effect")
      }
    }
  }

  // MARK: Types

  private mutating func typed(
    _ node: Node, _ types: [TypeName]?
  ) throws(FoveaError) -> Schema {
    var types = types
    if types == nil, let inferred = inferredTypes(of: node) {
      types = inferred
      warn(node.place, "no \"type\"; \(inferred.map(\.rawValue).joined()) is assumed")
    }
    guard let types else {
      throw FoveaError(
        .unsupportedSchema,
        "the JSON Schema has no \"type\" at \(node.place.pointer), and so allows any value",
        fix: "add a type")
    }
    var branches: [Schema] = []
    for type in types { branches.append(Schema(try kind(node, type))) }
    return branches.count == 1 ? branches[0] : Schema(.anyOf(branches))
  }

  /// What the schema says of values of one type.
  mutating func kind(_ node: Node, _ type: TypeName) throws(FoveaError) -> Schema.Kind {
    switch type {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer(try bounds(node, wholeNumbers: true))
    case .number: .number(try bounds(node, wholeNumbers: false))
    case .string: .string(try stringRule(node))
    case .array: try list(node)
    case .object: try object(node)
    }
  }
}
