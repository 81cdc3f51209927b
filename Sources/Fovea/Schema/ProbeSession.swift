/// The derivation of one schema: every type in it is probed once.
final class ProbeSession {
  private let root: any Decodable.Type
  private var known: [ObjectIdentifier: ProbedType] = [:]
  /// The types whose decoders are running, the outermost first.
  private var open: [any Decodable.Type] = []
  /// The keys from the root to the type that is being probed.
  private var path: [String] = []
  /// The first refusal. A decoder may swallow the error, but it cannot swallow this.
  private var failure: FoveaError?

  init(root: any Decodable.Type) { self.root = root }

  /// The type's schema and samples, at the given keys below the type that is being probed.
  func probe(
    _ type: any Decodable.Type, within keys: [String] = []
  ) throws(FoveaError) -> ProbedType {
    if let probed = known[ObjectIdentifier(type)] { return probed }
    path += keys
    defer { path.removeLast(keys.count) }
    do throws(FoveaError) {
      var probed = try derive(type)
      if let guided = type as? any StructuredOutput.Type {
        probed = ProbedType(
          schema: try probed.schema.applying(guided.guides, of: "\(type)"), samples: probed.samples)
      }
      known[ObjectIdentifier(type)] = probed
      return probed
    } catch {
      failure = failure ?? error
      throw failure ?? error
    }
  }

  private func derive(_ type: any Decodable.Type) throws(FoveaError) -> ProbedType {
    if let leaf = ProbedType(leaf: type) { return leaf }
    if let optional = type as? any ProbedOptional.Type { return try optional.probed(by: self) }
    if let array = type as? any ProbedArray.Type { return try array.probed(by: self) }
    if let refused = RefusedType(type) {
      throw fail(refused.reason, of: type, fix: refused.fix)
    }
    if open.contains(where: { $0 == type }) {
      let cycle = open.map { "\($0)" } + ["\(type)"]
      throw fail(
        "it contains itself (\(cycle.joined(separator: " > ")))", of: type,
        fix: "bound the depth with a second type for the inner level")
    }
    open.append(type)
    defer { open.removeLast() }
    return try opened(type)
  }

  private func opened<T: Decodable>(_ type: T.Type) throws(FoveaError) -> ProbedType {
    let probe = TypeProbe<T>(session: self)
    if let cases = type as? any (RawRepresentable & CaseIterable).Type {
      return try probe.enumeration(cases)
    }
    return try probe.structure()
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
    let type = type ?? open.last ?? root
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

extension ProbedType {
  fileprivate init(schema: Schema, samples: [AnyObject]) {
    self.schema = schema
    self.samples = samples
  }
}
