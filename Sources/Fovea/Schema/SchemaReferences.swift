/// Finds what `$ref` points to.
///
/// A document is a tree of *resources*: the root, and each schema in it with an identifier of its
/// own. A reference is a URI, relative to the resource around it, and a fragment: a JSON pointer
/// from that resource's root, or an anchor in it.
///
///     #                      resource 0   "$id": "https://a.example/root.json"
///     └ /$defs/item          resource 1   "$id": "item.json"   ─▶ https://a.example/item.json
///       └ /$defs/x           "$anchor": "x"                    ─▶ item.json#x
///
/// References of the form `#/…` only walk; a list of all resources and anchors is made when the
/// first other reference is met.
struct SchemaReferences {
  /// A schema with a URI of its own.
  struct Resource {
    let uri: SchemaURI
    let pointer: String
    let value: JSONValue
    let dialect: SchemaDialect
  }

  /// What a reference points to.
  struct Target {
    var value: JSONValue
    var pointer: String
    var resource: Int
  }

  private(set) var resources: [Resource]
  private var resourceAtPointer: [String: Int] = [:]
  private var resourceOfURI: [SchemaURI: Int] = [:]
  private var anchors: [String: Target] = [:]
  private var dynamicAnchors: [String: Int] = [:]
  private var recursiveAnchors = 0
  private var isIndexed = false
  /// Places of the members of large objects, so that a thousand references into one do not scan
  /// it a thousand times.
  private var members: [String: [[UInt8]: Int]] = [:]

  /// Begins a document.
  init(_ document: JSONValue, dialect: SchemaDialect) {
    resources = [Resource(uri: .none, pointer: "#", value: document, dialect: dialect)]
    if case .object(let members) = document, let id = Self.identifier(of: members, in: dialect) {
      resources[0] = Resource(
        uri: SchemaURI.parse(id).uri, pointer: "#", value: document, dialect: dialect)
    }
    resourceAtPointer["#"] = 0
    resourceOfURI[resources[0].uri] = 0
  }

  // MARK: Resources

  /// The resource that a schema belongs to: its own when it has an identifier, else the one
  /// around it.
  mutating func resource(of members: [JSONValue.Member], at pointer: String, in outer: Int) -> Int {
    guard let id = Self.identifier(of: members, in: resources[outer].dialect) else { return outer }
    if let known = resourceAtPointer[pointer] { return known }
    var dialect = resources[outer].dialect
    for member in members where member.name == SchemaKeyword.dollarSchema.rawValue {
      if case .string(let uri) = member.value { dialect = SchemaDialect(uri: uri) ?? dialect }
    }
    let uri = resources[outer].uri.resolving(SchemaURI.parse(id).uri)
    let index = resources.count
    resources.append(
      Resource(uri: uri, pointer: pointer, value: .object(members), dialect: dialect))
    resourceAtPointer[pointer] = index
    if resourceOfURI[uri] == nil { resourceOfURI[uri] = index }
    return index
  }

  /// The identifier that makes a schema a resource.
  private static func identifier(
    of members: [JSONValue.Member], in dialect: SchemaDialect
  ) -> String? {
    var result: String?
    for member in members {
      if member.name == dialect.identifier.rawValue, case .string(let id) = member.value {
        result = id
      } else if dialect.ignoresSiblingsOfReferences, member.name == SchemaKeyword.ref.rawValue {
        return nil
      }
    }
    // A fragment alone is an anchor.
    guard let result, !result.isEmpty, !result.hasPrefix("#") else { return nil }
    return result
  }

  // MARK: References

  /// What a reference points to, seen from a resource.
  mutating func target(
    of text: String, at pointer: String, in resource: Int
  ) throws(FoveaError) -> Target {
    let (reference, fragment) = SchemaURI.parse(text)
    var home = resource
    if reference != .none {
      let uri = resources[resource].uri.resolving(reference)
      if uri != resources[resource].uri {
        index()
        guard let known = resourceOfURI[uri] else { throw Self.outside(uri, text, pointer) }
        home = known
      }
    }
    guard let fragment, !fragment.isEmpty else {
      return Target(
        value: resources[home].value, pointer: resources[home].pointer, resource: home)
    }
    let steps = Self.unescapedPercents(fragment)
    if steps.first == UInt8(ascii: "/") {
      return try walk(steps, from: home, text: text, pointer: pointer)
    }
    index()
    guard let target = anchors["\(home)#\(fragment)"] else {
      throw FoveaError(
        .invalidSchema,
        "\"$ref\" at \(pointer) of the JSON Schema names \(text), which has no anchor",
        fix: "use a JSON pointer of the form #/$defs/name")
    }
    return target
  }

  /// Whether what a dynamic reference means depends on the way that led to it.
  mutating func isDynamic(_ text: String, isRecursive: Bool) -> Bool {
    index()
    if isRecursive { return recursiveAnchors > 1 }
    guard let fragment = SchemaURI.parse(text).fragment else { return false }
    return dynamicAnchors[fragment] ?? 0 > 1
  }

  private static func outside(
    _ uri: SchemaURI, _ text: String, _ pointer: String
  ) -> FoveaError {
    if uri.authority == "json-schema.org" {
      return .schemaUnsupported(
        pointer, "$ref", "refers to \(text), the schema of schemas",
        fix: "describe the values in the document itself")
    }
    return .schemaUnsupported(
      pointer, "$ref", "refers to \(uri.text), which is outside the document",
      fix: "copy that schema into $defs and refer to it there")
  }

  private mutating func walk(
    _ path: [UInt8], from home: Int, text: String, pointer place: String
  ) throws(FoveaError) -> Target {
    var target = Target(
      value: resources[home].value, pointer: resources[home].pointer, resource: home)
    var role = Role.schema
    for step in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst()
    {
      let name = Self.unescapedTildes(step)
      guard let (value, token) = child(name, of: target) else {
        throw FoveaError(
          .invalidSchema, "\"$ref\" at \(place) of the JSON Schema names \(text), where nothing is",
          fix: "correct the reference")
      }
      target.value = value
      target.pointer += "/" + token.escapedForPointer
      role = role.child(token, value)
      if role == .schema, case .object(let members) = value {
        target.resource = resource(of: members, at: target.pointer, in: target.resource)
      }
    }
    return target
  }

  private mutating func child(_ name: [UInt8], of target: Target) -> (JSONValue, String)? {
    switch target.value {
    case .object(let members):
      if members.count <= 16 {
        let member = members.first { $0.name.utf8.elementsEqual(name) }
        return member.map { ($0.value, $0.name) }
      }
      if self.members[target.pointer] == nil {
        self.members[target.pointer] = Dictionary(
          members.enumerated().map { (Array($0.element.name.utf8), $0.offset) },
          uniquingKeysWith: { first, _ in first })
      }
      guard let index = self.members[target.pointer]?[name] else { return nil }
      return (members[index].value, members[index].name)
    case .array(let items):
      let text = String(decoding: name, as: UTF8.self)
      guard let index = Int(text), "\(index)" == text, items.indices.contains(index) else {
        return nil
      }
      return (items[index], text)
    default: return nil
    }
  }

  // MARK: Index

  /// What a value in a document is.
  private enum Role {
    case schema, schemas, schemasByName, schemaOrSchemas, other

    func child(_ token: String, _ value: JSONValue) -> Role {
      switch self {
      case .schema:
        switch SchemaKeyword(name: token)?.content ?? .other {
        case .schema: return .schema
        case .schemas: return .schemas
        case .schemasByName: return .schemasByName
        case .schemaOrSchemas:
          if case .array = value { return .schemas }
          return .schema
        case .other: return .other
        }
      case .schemas, .schemasByName, .schemaOrSchemas: return .schema
      case .other: return .other
      }
    }
  }

  /// Lists all resources and anchors.
  private mutating func index() {
    if isIndexed { return }
    isIndexed = true
    var pending: [(target: Target, role: Role)] = [
      (Target(value: resources[0].value, pointer: "#", resource: 0), .schema)
    ]
    while let next = pending.popLast() {
      var target = next.target
      let role = next.role
      switch target.value {
      case .object(let members):
        if role == .schema {
          target.resource = resource(of: members, at: target.pointer, in: target.resource)
          note(members, target)
        }
        for member in members.reversed() {
          let next = role.child(member.name, member.value)
          if next == .other { continue }
          pending.append(
            (
              Target(
                value: member.value,
                pointer: target.pointer + "/" + member.name.escapedForPointer,
                resource: target.resource), next
            ))
        }
      case .array(let items) where role == .schemas:
        for (index, item) in items.enumerated().reversed() {
          pending.append(
            (
              Target(
                value: item, pointer: "\(target.pointer)/\(index)", resource: target.resource),
              .schema
            ))
        }
      default: continue
      }
    }
  }

  private mutating func note(_ members: [JSONValue.Member], _ target: Target) {
    let dialect = resources[target.resource].dialect
    for member in members {
      switch (SchemaKeyword(name: member.name), member.value) {
      case (.anchor, .string(let name)) where dialect >= .draft2019:
        anchors["\(target.resource)#\(name)"] = target
      case (.dynamicAnchor, .string(let name)) where dialect >= .draft2020:
        anchors["\(target.resource)#\(name)"] = target
        dynamicAnchors[name, default: 0] += 1
      case (.recursiveAnchor, .boolean(true)) where dialect == .draft2019:
        recursiveAnchors += 1
      case (let keyword, .string(let name))
      where keyword == dialect.identifier && dialect <= .draft7 && name.hasPrefix("#"):
        anchors["\(target.resource)\(name)"] = target
      default: continue
      }
    }
  }

  // MARK: Escapes

  private static func unescapedPercents(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
        let high = Character(Unicode.Scalar(bytes[position + 1])).hexDigitValue,
        let low = Character(Unicode.Scalar(bytes[position + 2])).hexDigitValue
      {
        result.append(UInt8(high << 4 | low))
        position += 3
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }

  private static func unescapedTildes(_ step: ArraySlice<UInt8>) -> [UInt8] {
    guard step.contains(UInt8(ascii: "~")) else { return Array(step) }
    var result: [UInt8] = []
    var isEscape = false
    for byte in step {
      if isEscape {
        isEscape = false
        if byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") {
          result.append(UInt8(ascii: byte == UInt8(ascii: "0") ? "~" : "/"))
          continue
        }
        result.append(UInt8(ascii: "~"))
      }
      if byte == UInt8(ascii: "~") { isEscape = true } else { result.append(byte) }
    }
    if isEscape { result.append(UInt8(ascii: "~")) }
    return result
  }
}
