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
      let index = try Self.valueIndex(of: branches)
      try branches[index].apply(guide, at: path)
      kind = .anyOf(branches)
    case .array(var items, let minItems, let maxItems):
      try items.apply(guide, at: path)
      kind = .array(items: items, minItems: minItems, maxItems: maxItems)
    case .object(var properties):
      // A key may contain a dot itself: the longest name that fits wins.
      let fitting = properties.indices.filter {
        let name = properties[$0].name
        return path == name || (path.hasPrefix(name + ".") && path.count > name.count + 1)
      }
      guard let index = fitting.max(by: { properties[$0].name.count < properties[$1].name.count })
      else {
        let names = properties.map(\.name).joined(separator: ", ")
        throw GuideFault(reason: "there is no field \"\(path)\" among \(names)")
      }
      let rest = path.dropFirst(properties[index].name.count).dropFirst()
      try properties[index].schema.apply(guide, at: rest)
      kind = .object(properties)
    default:
      throw GuideFault(reason: "\(kind.noun) has no field \"\(path)\"")
    }
  }

  /// Applies all but the description.
  private mutating func apply(_ guide: Guide) throws(GuideFault) {
    switch kind {
    case .anyOf(var branches):
      let index = try Self.valueIndex(of: branches)
      try branches[index].apply(guide)
      kind = .anyOf(branches)
    case .array(var items, var minItems, var maxItems):
      if let count = guide.count {
        minItems = count.minimum
        maxItems = count.maximum
      }
      var rest = guide
      rest.count = nil
      if !rest.rules.isEmpty { try items.apply(rest) }
      kind = .array(items: items, minItems: minItems, maxItems: maxItems)
    case .string(let rule):
      try refuse(guide, except: [.length, .format, .values, .examples])
      kind = try Self.text(rule, guide)
    case .enumeration(let values):
      try refuse(guide, except: [.values, .examples])
      kind = .enumeration(try Self.narrowed(values, to: guide.values))
    case .integer(let bounds):
      try refuse(guide, except: [.range])
      kind = .integer(try Self.narrowed(bounds, to: guide.range, wholeNumbers: true))
    case .number(let bounds):
      try refuse(guide, except: [.range])
      kind = .number(try Self.narrowed(bounds, to: guide.range, wholeNumbers: false))
    case .null, .boolean, .object:
      try refuse(guide, except: [])
    }
    guard guide.rules.contains(.examples), !kind.isArrayOrUnion else { return }
    examples = guide.examples.map(JSONValue.string)
    if let misfit = examples.first(where: { violation(of: $0) != nil }) {
      throw GuideFault(reason: "the example \(misfit.text) does not fit the field's own bounds")
    }
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
      // Only a `Date` has a format of its own; text without a day cannot become one.
      if rule.format == .dateTime, format == .time {
        throw GuideFault(reason: "a time of day does not make a Date")
      }
      rule.format = format
    }
    if rule.isEmpty { throw GuideFault(reason: "no text of that format has that length") }
    guard let values = guide.values else { return .string(rule) }
    let whole = Schema(.string(rule))
    guard !values.isEmpty else { throw GuideFault(reason: "no text is allowed") }
    if let misfit = values.first(where: { whole.violation(of: .string($0)) != nil }) {
      throw GuideFault(reason: "the allowed text \"\(misfit)\" does not fit its own bounds")
    }
    return .enumeration(values.map(JSONValue.string))
  }

  private static func narrowed(
    _ values: [JSONValue], to texts: [String]?
  ) throws(GuideFault) -> [JSONValue] {
    guard let texts else { return values }
    let known = Set(values)
    if let stranger = texts.first(where: { !known.contains(.string($0)) }) {
      throw GuideFault(reason: "\"\(stranger)\" is none of its values")
    }
    guard !texts.isEmpty else { throw GuideFault(reason: "no text is allowed") }
    return texts.map(JSONValue.string)
  }

  private static func narrowed(
    _ bounds: NumberBounds, to range: NumberBounds?, wholeNumbers: Bool
  ) throws(GuideFault) -> NumberBounds {
    guard let range else { return bounds }
    let both = bounds.intersection(range)
    if both.isEmpty(wholeNumbers: wholeNumbers) {
      throw GuideFault(reason: "no number is left in the range")
    }
    return both
  }

  /// The one branch of an optional that is not `null`.
  private static func valueIndex(of branches: [Schema]) throws(GuideFault) -> Int {
    let values = branches.indices.filter { branches[$0].kind != .null }
    guard values.count == 1, let index = values.first else {
      throw GuideFault(reason: "the field has several types")
    }
    return index
  }
}

extension Guide {
  /// The parts of a guide that fit some types only.
  enum Rule: String {
    case range, length, count, format, examples
    case values = "allowed texts"
  }

  /// The parts that this guide has.
  var rules: [Rule] {
    var rules: [Rule] = []
    if range != nil { rules.append(.range) }
    if length != nil { rules.append(.length) }
    if count != nil { rules.append(.count) }
    if format != nil { rules.append(.format) }
    if values != nil { rules.append(.values) }
    if !examples.isEmpty { rules.append(.examples) }
    return rules
  }
}

extension Schema.Kind {
  /// Whether its rules are those of its elements or branches.
  fileprivate var isArrayOrUnion: Bool {
    switch self {
    case .array, .anyOf: true
    default: false
    }
  }

  /// What error messages call it.
  var noun: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "a whole number"
    case .number: "a number"
    case .string: "text"
    case .enumeration: "one of a few values"
    case .array: "a list"
    case .object: "an object"
    case .anyOf: "one of several types"
    }
  }
}
