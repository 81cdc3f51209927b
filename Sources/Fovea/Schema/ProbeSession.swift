/// The derivation of one schema: every type in it is probed once.
///
/// A type that is met again while its own decoder is running contains itself. It becomes a
/// definition, and the inner one a reference to it:
///
///     open:  Page > Node          Node's decoder asks for [Node]: array of reference "Node"
///     types probed inside Node that hold a Node are drafts: they are probed again when more
///     values of Node are known, and kept when Node is finished
final class ProbeSession {
  private let root: any Decodable.Type
  /// How the dates of the whole document are written.
  let dates: DateStrategy
  private var known: [ObjectIdentifier: ProbedType] = [:]
  /// The types whose decoders are running, the outermost first.
  private var open: [Frame] = []
  /// The outermost open type that the type which is being probed contains.
  private var outermost = Int.max
  /// Whether a type could only be probed in part, since too few values are known yet.
  var hasPartialTypes = false
  /// The definitions of the types that contain themselves, in the order in which they were met.
  private var definitions: [(type: any Decodable.Type, name: String, schema: Schema?)] = []
  /// The keys from the root to the type that is being probed.
  private var path: [String] = []
  /// The first refusal. A decoder may swallow the error, but it cannot swallow this.
  private var failure: FoveaError?

  private struct Frame {
    let type: any Decodable.Type
    var samples: [AnyObject] = []
    var isRecursive = false
    var drafts: [ObjectIdentifier: ProbedType] = [:]
  }

  init(root: any Decodable.Type) {
    self.root = root
    dates = (root as? any StructuredOutput.Type)?.dateStrategy ?? .iso8601
  }

  /// The schema of the root with all definitions that it needs.
  func schema() throws(FoveaError) -> Schema {
    var schema = try probe(root).schema
    var needed = Set(schema.references)
    var found = -1
    while found != needed.count {
      found = needed.count
      for definition in definitions where needed.contains(definition.name) {
        needed.formUnion(definition.schema?.references ?? [])
      }
    }
    for definition in definitions where needed.contains(definition.name) {
      guard let body = definition.schema else { continue }
      schema.definitions.append(Schema.Definition(definition.name, body))
    }
    return schema
  }

  /// The type's schema and samples, at the given keys below the type that is being probed.
  func probe(
    _ type: any Decodable.Type, within keys: [String] = []
  ) throws(FoveaError) -> ProbedType {
    let id = ObjectIdentifier(type)
    if let probed = known[id] { return probed }
    for index in open.indices {
      if open[index].type == type {
        open[index].isRecursive = true
        cycle = (open[index...].map(\.type) + [type]).map { "\($0)" }.joined(separator: " > ")
        outermost = min(outermost, index)
        return ProbedType(schema: reference(to: type), samples: open[index].samples)
      }
      if let draft = open[index].drafts[id] {
        outermost = min(outermost, index)
        return draft
      }
    }
    path += keys
    defer { path.removeLast(keys.count) }
    let outer = outermost
    outermost = .max
    do throws(FoveaError) {
      let probed = try derive(type)
      if outermost < open.count {
        open[outermost].drafts[id] = probed
      } else {
        known[id] = probed
      }
      outermost = min(outer, outermost)
      return probed
    } catch {
      failure = failure ?? error
      throw failure ?? error
    }
  }

  private func derive(_ type: any Decodable.Type) throws(FoveaError) -> ProbedType {
    if let leaf = try ProbedType(leaf: type, self) { return leaf }
    if let container = type as? any ProbedContainer.Type { return try container.probed(by: self) }
    try checkDates(of: type)
    open.append(Frame(type: type))
    defer { open.removeLast() }
    let probed = try guided(type, opened(type))
    guard open[open.count - 1].isRecursive else { return settled(probed) }
    let reference = reference(to: type)
    for index in definitions.indices where definitions[index].type == type {
      definitions[index].schema = probed.schema
    }
    return settled(ProbedType(schema: reference, samples: probed.samples))
  }

  /// The innermost open type is no open one to those around it.
  private func settled(_ probed: ProbedType) -> ProbedType {
    if outermost >= open.count - 1 { outermost = .max }
    return probed
  }

  private func opened<T: Decodable>(_ type: T.Type) throws(FoveaError) -> ProbedType {
    let probe = TypeProbe<T>(session: self)
    if let cases = type as? any (RawRepresentable & CaseIterable).Type {
      return try probe.enumeration(cases)
    }
    return try probe.structure()
  }

  private func guided(
    _ type: any Decodable.Type, _ probed: ProbedType
  ) throws(FoveaError) -> ProbedType {
    guard let guided = type as? any StructuredOutput.Type, !probed.isPartial else { return probed }
    return ProbedType(
      schema: try probed.schema.applying(guided.guides, of: "\(type)"), samples: probed.samples)
  }

  /// A document has one decoder, and that has one form of dates.
  private func checkDates(of type: any Decodable.Type) throws(FoveaError) {
    guard let inner = (type as? any StructuredOutput.Type)?.dateStrategy, inner != .iso8601,
      inner != dates
    else { return }
    throw fail(
      "its dates are written as \(inner), and those of \(root) as \(dates)", of: type,
      fix: "give \(root) the same dateStrategy")
  }

  // MARK: Types that contain themselves

  /// Whether the type that is being probed contains itself, as far as is known.
  var isRecursive: Bool { open.last?.isRecursive ?? false }

  /// Whether the type that is being probed contains one that is still open around it.
  var isDraft: Bool { outermost < open.count - 1 }

  /// The types from the one that was last met again to itself, for messages.
  private(set) var cycle = ""

  /// Gives values of the type that is being probed to what it contains; false when none is new.
  func feed(_ samples: [AnyObject]) -> Bool {
    guard !open.isEmpty, samples.count > open[open.count - 1].samples.count else { return false }
    open[open.count - 1].samples = samples
    open[open.count - 1].drafts = [:]
    return true
  }

  private func reference(to type: any Decodable.Type) -> Schema {
    if let known = definitions.first(where: { $0.type == type }) {
      return Schema(.reference(known.name))
    }
    // Names of generic types have signs that a URI would have to escape.
    let plain = "\(type)".map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
    var name = String(plain)
    while definitions.contains(where: { $0.name == name }) { name += "_" }
    definitions.append((type, name, nil))
    return Schema(.reference(name))
  }

  // MARK: Keys

  /// All values of a type of keys, if they can be found out: it lists them, or the enum that is
  /// being probed lists its cases.
  func keys<Key: CodingKey>(_ type: Key.Type) -> [Key] {
    if let listed = type as? any CaseIterable.Type {
      return listed.values.compactMap { $0 as? Key }
    }
    guard let listed = open.last?.type as? any (CaseIterable & Encodable).Type else { return [] }
    return listed.writtenKeys.compactMap(Key.init(stringValue:))
  }

  // MARK: Failing

  /// Throws the failure that a run of a decoder may have swallowed.
  func check() throws(FoveaError) {
    if let failure { throw failure }
  }

  /// Keeps a conflict at the given keys below the type that is being probed.
  func fail(_ conflict: ProbeSlot.Conflict, within keys: [String] = []) -> FoveaError {
    fail(
      conflict.reason, within: keys + conflict.path,
      fix: "let its init(from:) read the same keys and types whatever the data are")
  }

  /// Keeps a refusal of a type, by default of the one that is being probed.
  func fail(
    _ reason: String, of type: (any Decodable.Type)? = nil, within keys: [String] = [],
    fix: String, cause: String? = nil
  ) -> FoveaError {
    let type = type ?? open.last?.type ?? root
    let place = ["\(root)"] + path + keys
    let subject =
      keys.isEmpty
      ? (path.isEmpty ? "\(type)" : "the type of \(place.joined(separator: ".")), \(type),")
      : "\(place.joined(separator: "."))"
    let error = FoveaError(
      .unsupportedType, "no schema can be derived: \(subject) cannot be used, since \(reason)",
      fix: fix, cause: cause)
    failure = failure ?? error
    return failure ?? error
  }
}

extension CaseIterable {
  fileprivate static var values: [Any] { Array(allCases) }
}

extension CaseIterable where Self: Encodable {
  /// The key that each case is written under, for enums without raw values.
  fileprivate static var writtenKeys: [String] {
    allCases.compactMap { element in
      // A case that is not written as an object with one key has no key.
      guard let text = try? encodedText(element), let value = try? JSONValue(parsing: text),
        case .object(let members) = value, members.count == 1
      else { return nil }
      return members.first?.name
    }
  }
}

extension Schema {
  /// The names of the definitions that it refers to.
  fileprivate var references: [String] {
    if case .reference(let name) = kind { return [name] }
    return kind.children.flatMap(\.references)
  }
}
