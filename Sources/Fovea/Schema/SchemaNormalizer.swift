/// Turns a JSON Schema document into the graph of a ``NormalForm``.
///
/// Every schema of the document and every combination of schemas is a *node* with a number. What
/// a node allows is found when it is asked for, and only its own level: the nodes of properties
/// and items are numbers again.
///
///     number │ recipe                                      │ content (a ``NormalForm/Node``)
///        2   │ the schema at #/properties/a                │ …
///        3   │ the schema at #/$defs/b                     │ not asked for yet
///        4   │ all of 2, 3                                 │ …
///        5   │ all of 2, none of 3                         │ not asked for yet
///
/// The same schemas in the same combination are the same number, whatever the way to them was.
/// So a recursive reference with keywords beside it comes back to a number that is there already.
struct SchemaNormalizer {
  typealias NodeID = NormalForm.NodeID
  typealias Node = NormalForm.Node

  /// How many schemas may apply to one value by way of each other: references, `allOf`, `anyOf`
  /// and the like. Finding a content recurses that deep, and worker threads have small stacks.
  static let deepestApplication = 64
  /// How many shapes of lists or of objects one node may have.
  static let mostShapes = 64
  /// How many disjoint sets of keys the patterns of one object may make.
  static let mostPatterns = 32
  /// How often a schema that cannot be read alone may be applied to what else is known.
  static let mostSecondTries = 1000
  /// How many nodes there may be.
  static let mostNodes = 50_000

  let options: SchemaOptions
  var references: SchemaReferences
  var languages = SchemaLanguages()
  private(set) var warnings: [String] = []

  var entries: [Entry] = []
  private var nodeAtPlace: [String: NodeID] = [:]
  var nodeOfCombination: [Combination: NodeID] = [:]
  private var nodeOfType: [JSONValue: NodeID] = [:]
  private var nodeOfReference: [Reference: NodeID] = [:]
  /// Why nodes cannot be read alone, and how often they were applied to something else instead.
  var failures: [NodeID: FoveaError] = [:]
  var secondTries = 0
  /// How many contents are being found at this moment.
  var depth = 0
  /// How many "may it be empty" questions are nested at this moment.
  var questionDepth = 0
  /// What was found by such questions.
  var answers: [NodeID: Answer] = [:]

  /// Whether a node may have a value, and how deep the question was nested.
  struct Answer {
    let isYes: Bool
    let depth: Int
  }

  /// How the content of a node is found.
  enum Recipe {
    case known(Node)
    case schema(SchemaPlace)
    case value(JSONValue)
    case combination(Combination)
  }

  /// Values that all of some nodes allow, and none of some others.
  struct Combination: Hashable {
    /// Sorted.
    var all: [NodeID] = []
    /// Sorted.
    var none: [NodeID] = []
    init() {}
  }

  private struct Reference: Hashable {
    let resource: Int
    let text: String
  }

  struct Entry {
    let recipe: Recipe
    let pointer: String
    /// The keyword that excludes others, for messages.
    var excluder: Excluder?
    var content: Node?
    var isOpen = false
  }

  /// A keyword that needs the complement of a schema.
  struct Excluder {
    let keyword: SchemaKeyword
    let pointer: String
    let fix: String
    /// Whether what cannot be excluded stays, with a warning.
    var isLenient = false
  }

  init(_ document: JSONValue, options: SchemaOptions) throws(FoveaError) {
    self.options = options
    var dialect = SchemaDialect.draft2020
    if case .object(let members) = document {
      for member in members where member.name == SchemaKeyword.dollarSchema.rawValue {
        guard case .string(let uri) = member.value else {
          throw FoveaError(
            .invalidSchema, "\"$schema\" of the JSON Schema must be a string", fix: "remove it")
        }
        if let known = SchemaDialect(uri: uri) {
          dialect = known
        } else if SchemaDialect.isTooOld(uri) {
          throw .schemaUnsupported(
            "#", "$schema", "names \(uri), which is older than draft 4",
            fix: "convert the schema to 2020-12")
        } else {
          warnings.append("#: \"$schema\" \(uri) is not known; the schema is read as 2020-12")
        }
      }
    }
    references = SchemaReferences(document, dialect: dialect)
    entries = [
      Entry(recipe: .known(Node()), pointer: "#", content: Node()),
      Entry(recipe: .known(.anything), pointer: "#", content: .anything),
    ]
  }

  mutating func warn(_ pointer: String, _ text: String) {
    warnings.append("\(pointer): \(text)")
  }

  // MARK: Numbers of nodes

  mutating func add(
    _ recipe: Recipe, _ pointer: String, excluder: Excluder? = nil
  ) throws(FoveaError) -> NodeID {
    if entries.count >= Self.mostNodes {
      throw .schemaTooComplex(
        pointer, "it leads to more than \(Self.mostNodes) combinations of schemas",
        fix: "use fewer alternatives and allOf")
    }
    entries.append(Entry(recipe: recipe, pointer: pointer, excluder: excluder))
    return entries.count - 1
  }

  /// The node of one value.
  mutating func node(of value: JSONValue, at pointer: String) throws(FoveaError) -> NodeID {
    try add(.value(value), pointer)
  }

  /// The node of a schema at a place, which may have been met before.
  mutating func node(
    _ value: JSONValue, at pointer: String, in resource: Int
  ) throws(FoveaError) -> NodeID {
    switch value {
    case .boolean(let isAllowed): return isAllowed ? NormalForm.anything : NormalForm.nothing
    case .object(let members): return try node(members, value, at: pointer, in: resource)
    default:
      throw FoveaError(
        .invalidSchema, "at \(pointer) of the JSON Schema is \(value.shortened) and no schema",
        fix: "a schema is an object, true or false")
    }
  }

  private mutating func node(
    _ members: [JSONValue.Member], _ value: JSONValue, at pointer: String, in resource: Int
  ) throws(FoveaError) -> NodeID {
    if let known = nodeAtPlace[pointer] { return known }
    // A chain of mere references is followed here, so that it costs no node and no recursion.
    var visited: [String] = []
    var (members, value, pointer, resource) = (members, value, pointer, resource)
    while true {
      let place = try place(members, value, at: pointer, in: resource)
      visited.append(pointer)
      var result: NodeID?
      if place.keywords.isEmpty {
        result = NormalForm.anything
      } else if place.keywords.count == 1, place.keywords[0].keyword == .type {
        // Half of all schemas say a type and nothing else; they share a node.
        let type = place.keywords[0].value
        if let known = nodeOfType[type] {
          result = known
        } else {
          result = try add(.schema(place), pointer)
          nodeOfType[type] = result
        }
      } else if place.keywords.count > 1 || place[.ref] == nil {
        result = try add(.schema(place), pointer)
      } else if let text = try place.string(.ref) {
        let target = try references.target(of: text, at: pointer, in: place.resource)
        (value, pointer, resource) = (target.value, target.pointer, target.resource)
        if visited.contains(pointer) {
          throw place.invalid(
            .ref, "refers to itself", fix: "let the reference end at a schema with a type")
        }
        if let known = nodeAtPlace[pointer] {
          result = known
        } else if case .object(let next) = value {
          members = next
          if visited.count > 1000 {
            throw .schemaTooComplex(
              pointer, "a chain of more than 1000 references leads to it", fix: "shorten it")
          }
        } else {
          result = try node(value, at: pointer, in: resource)
        }
      }
      if let result {
        for pointer in visited { nodeAtPlace[pointer] = result }
        return result
      }
    }
  }

  /// The node of what a reference points to.
  mutating func node(of text: String, from place: SchemaPlace) throws(FoveaError) -> NodeID {
    let key = Reference(resource: place.resource, text: text)
    if let known = nodeOfReference[key] { return known }
    let target = try references.target(of: text, at: place.pointer, in: place.resource)
    let node = try node(target.value, at: target.pointer, in: target.resource)
    nodeOfReference[key] = node
    return node
  }

  /// The node of the schema at a keyword.
  mutating func node(
    _ keyword: SchemaKeyword, of place: SchemaPlace
  ) throws(FoveaError) -> NodeID? {
    guard let value = place[keyword] else { return nil }
    return try node(value, at: place.pointer(keyword), in: place.resource)
  }
}
