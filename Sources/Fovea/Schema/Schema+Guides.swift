import Foundation

/// Why a guide cannot be applied.
private struct GuideFault: Error {
  let reason: String
}

extension Schema {
  /// The schema with a type's guides put into it.
  ///
  /// - Throws: ``FoveaError/Code/invalidArgument`` naming the type, the path and the reason.
  func applying(_ guides: [String: Guide], of type: String) throws(FoveaError) -> Schema {
    var schema = self
    // Sorted, so that of several faults the same one is always told.
    for (path, guide) in guides.sorted(by: { $0.key < $1.key }) {
      do throws(GuideFault) {
        if let fault = guide.fault { throw GuideFault(reason: fault) }
        try schema.apply(guide, at: path[...])
      } catch {
        throw FoveaError(
          .invalidArgument, "the guide for \"\(path)\" of \(type) cannot be used: \(error.reason)",
          fix: "correct \(type).guides")
      }
    }
    return schema
  }

  /// Finds the field and applies the guide there, through optionals and into list elements.
  private mutating func apply(_ guide: Guide, at path: Substring) throws(GuideFault) {
    if path.isEmpty {
      if let description = guide.description { self.description = description }
      try apply(guide)
      return
    }
    switch kind {
    case .anyOf(var branches):
      let index = try Self.index(among: branches, for: path)
      try branches[index].apply(guide, at: path)
      kind = .anyOf(branches)
    case .array(var items, let minItems, let maxItems):
      try items.apply(guide, at: path)
      kind = .array(items: items, minItems: minItems, maxItems: maxItems)
    case .set(var items, let minItems, let maxItems):
      try items.apply(guide, at: path)
      kind = .set(items: items, minItems: minItems, maxItems: maxItems)
    case .dictionary(var values, let keys, let least, let most):
      try values.apply(guide, at: path)
      kind = .dictionary(values: values, keys: keys, minProperties: least, maxProperties: most)
    case .tuple(var items):
      let names = items.indices.map { "\($0)" }
      let index = try Self.index(of: path, among: names)
      try items[index].apply(guide, at: path.dropFirst(names[index].count).dropFirst())
      kind = .tuple(items)
    case .object(var properties):
      let index = try Self.index(of: path, among: properties.map(\.name))
      let rest = path.dropFirst(properties[index].name.count).dropFirst()
      try properties[index].schema.apply(guide, at: rest)
      kind = .object(properties)
    case .reference(let name):
      throw GuideFault(
        reason:
          "\(name) contains itself, so that \"\(path)\" of it is guided by its own guides only")
    default:
      throw GuideFault(reason: "\(kind.noun) has no field \"\(path)\"")
    }
  }

  /// Which of the names the path begins with. A name may contain a dot itself: the longest that
  /// fits wins.
  private static func index(
    of path: Substring, among names: [String]
  ) throws(GuideFault) -> Int {
    let fitting = names.indices.filter { begins(path, with: names[$0]) }
    if let index = fitting.max(by: { names[$0].count < names[$1].count }) { return index }
    throw GuideFault(
      reason: "there is no field \"\(path)\" among \(names.joined(separator: ", "))")
  }

  private static func begins(_ path: Substring, with name: String) -> Bool {
    path == name || (path.hasPrefix(name + ".") && path.count > name.count + 1)
  }

  /// Applies all but the description.
  private mutating func apply(_ guide: Guide) throws(GuideFault) {
    switch kind {
    case .anyOf(var branches):
      let index = try Self.valueIndex(of: branches)
      try branches[index].apply(guide)
      kind = .anyOf(branches)
      return
    case .array(var items, let minItems, let maxItems):
      let (least, most) = guide.counts(minItems, maxItems)
      try items.applyRest(of: guide, beside: [.count, .unique])
      if guide.isUnique {
        guard items.isScalar else {
          throw GuideFault(reason: "only texts, numbers and other scalars can be kept different")
        }
        kind = .set(items: items, minItems: least, maxItems: most)
      } else {
        kind = .array(items: items, minItems: least, maxItems: most)
      }
      return
    case .set(var items, let minItems, let maxItems):
      let (least, most) = guide.counts(minItems, maxItems)
      try items.applyRest(of: guide, beside: [.count, .unique])
      kind = .set(items: items, minItems: least, maxItems: most)
      return
    case .dictionary(var values, let keys, let minProperties, let maxProperties):
      let (least, most) = guide.counts(minProperties, maxProperties)
      try values.applyRest(of: guide, beside: [.count])
      kind = .dictionary(values: values, keys: keys, minProperties: least, maxProperties: most)
      return
    case .string(let rule):
      try refuse(guide, except: [.length, .format, .pattern, .values, .examples])
      kind = try Self.text(rule, guide)
    case .enumeration(let values):
      try refuse(guide, except: [.values, .examples])
      kind = .enumeration(try Self.narrowed(values, to: guide.values))
    case .integer(let bounds):
      try refuse(guide, except: [.range, .multiple, .values, .examples])
      kind = try Self.number(.integer(Self.narrowed(bounds, to: guide, wholeNumbers: true)), guide)
    case .number(let bounds):
      try refuse(guide, except: [.range, .multiple, .values, .examples])
      kind = try Self.number(.number(Self.narrowed(bounds, to: guide, wholeNumbers: false)), guide)
    case .null, .boolean, .object, .tuple, .any:
      try refuse(guide, except: [.examples])
    case .reference, .document:
      try refuse(guide, except: [])
    }
    guard guide.rules.contains(.examples) else { return }
    examples = guide.examples
    if let misfit = misfit(among: examples) {
      throw GuideFault(reason: "the example \(misfit.text) does not fit the field's own bounds")
    }
  }

  /// Applies to the items of a list what is not about the list itself.
  private mutating func applyRest(of guide: Guide, beside own: Set<Guide.Rule>) throws(GuideFault) {
    var rest = guide
    rest.count = nil
    if own.contains(.unique) { rest.isUnique = false }
    if !rest.rules.isEmpty { try apply(rest) }
  }

  private func refuse(_ guide: Guide, except fitting: Set<Guide.Rule>) throws(GuideFault) {
    if let rule = guide.rules.first(where: { !fitting.contains($0) }) {
      throw GuideFault(reason: "a guide of \(rule.rawValue) does not fit \(kind.noun)")
    }
  }

  private static func text(_ rule: StringRule, _ guide: Guide) throws(GuideFault) -> Kind {
    var rule = rule
    if let length = guide.length {
      rule.minLength = length.minimum
      rule.maxLength = length.maximum
    }
    if let format = guide.format {
      // Only a `Date` may be written in less than its own format: as a day.
      if rule.format == .dateTime, format == .time {
        throw GuideFault(reason: "a time of day does not make a Date")
      }
      if let own = rule.format, own != format, own != .dateTime || format != .date {
        throw GuideFault(reason: "its type asks for the format \(own.rawValue)")
      }
      rule.format = format
    }
    if let pattern = guide.pattern {
      guard rule.pattern == nil || rule.pattern == pattern else {
        throw GuideFault(reason: "its type asks for a pattern already")
      }
      rule.pattern = pattern
    }
    if rule.isEmpty { throw GuideFault(reason: "no text of that format has that length") }
    guard let values = guide.values else { return .string(rule) }
    return .enumeration(try allowed(values, of: .string(rule)))
  }

  private static func number(_ kind: Kind, _ guide: Guide) throws(GuideFault) -> Kind {
    guard let values = guide.values else { return kind }
    return .enumeration(try allowed(values, of: kind))
  }

  /// The values of a guide, if all of them fit.
  private static func allowed(
    _ values: [JSONValue], of kind: Kind
  ) throws(GuideFault) -> [JSONValue] {
    guard !values.isEmpty else { throw GuideFault(reason: "no \(kind.noun) is allowed") }
    if let misfit = Schema(kind).misfit(among: values) {
      throw GuideFault(reason: "the allowed value \(misfit.text) does not fit its own bounds")
    }
    return values
  }

  private static func narrowed(
    _ values: [JSONValue], to allowed: [JSONValue]?
  ) throws(GuideFault) -> [JSONValue] {
    guard let allowed else { return values }
    let known = Set(values.compactMap(ScalarKey.init))
    if let stranger = allowed.first(where: { !(ScalarKey($0).map(known.contains) ?? false) }) {
      throw GuideFault(reason: "\(stranger.text) is none of its values")
    }
    guard !allowed.isEmpty else { throw GuideFault(reason: "no value is allowed") }
    return allowed
  }

  private static func narrowed(
    _ bounds: NumberBounds, to guide: Guide, wholeNumbers: Bool
  ) throws(GuideFault) -> NumberBounds {
    var both = guide.range.map(bounds.intersection) ?? bounds
    if let multiple = guide.multiple {
      guard both.multipleOf == nil || both.multipleOf == multiple else {
        throw GuideFault(reason: "its numbers are multiples of \(both.multipleOf ?? 1) already")
      }
      both.multipleOf = multiple
    }
    if both.isEmpty(wholeNumbers: wholeNumbers) {
      throw GuideFault(reason: "no number is left in the range")
    }
    return both
  }

  /// The branch that has the field.
  private static func index(
    among branches: [Schema], for path: Substring
  ) throws(GuideFault) -> Int {
    // The cases of an enum with associated values are objects with one key.
    let cases = branches.indices.filter {
      guard case .object(let properties) = branches[$0].kind else { return false }
      return properties.contains { begins(path, with: $0.name) }
    }
    if cases.count == 1, let index = cases.first { return index }
    return try valueIndex(of: branches)
  }

  /// The one branch of an optional that is not `null`.
  private static func valueIndex(of branches: [Schema]) throws(GuideFault) -> Int {
    let values = branches.indices.filter { branches[$0].kind != .null }
    guard values.count == 1, let index = values.first else {
      let names = branches.compactMap { branch -> String? in
        guard case .object(let properties) = branch.kind else { return nil }
        return properties.map(\.name).joined(separator: ", ")
      }
      throw GuideFault(
        reason: names.isEmpty
          ? "the field has several types"
          : "the field has several types; name one of \(names.joined(separator: ", "))")
    }
    return index
  }
}
