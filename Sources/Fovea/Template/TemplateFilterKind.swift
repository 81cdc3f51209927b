/// The filters, by the names that templates call them.
enum TemplateFilterKind: String, Sendable {
  case abs, attr, batch, capitalize, center, count, d, `default`, dictsort, e, escape,
    filesizeformat, first, float, forceescape, format, groupby, indent, int, items, join, last,
    length, list, lower, map, max, min, pprint, random, reject, rejectattr, replace, reverse, round,
    safe, select, selectattr, slice, sort, string, striptags, sum, title, tojson, trim, truncate,
    unique, upper, urlencode, urlize, wordcount, wordwrap, xmlattr

  /// The names of its parameters behind the value.
  var parameters: [String] {
    switch self {
    case .batch: ["linecount", "fill_with"]
    case .center: ["width"]
    case .d, .default: ["default_value", "boolean"]
    case .dictsort: ["case_sensitive", "by", "reverse"]
    case .float: ["default"]
    case .groupby: ["attribute", "default", "case_sensitive"]
    case .indent: ["width", "first", "blank"]
    case .int: ["default", "base"]
    case .join: ["d", "attribute"]
    case .max, .min: ["case_sensitive", "attribute"]
    case .replace: ["old", "new", "count"]
    case .round: ["precision", "method"]
    case .slice: ["slices", "fill_with"]
    case .sort: ["reverse", "case_sensitive", "attribute"]
    case .sum: ["attribute", "start"]
    case .tojson: ["ensure_ascii", "indent", "separators", "sort_keys"]
    case .trim: ["chars"]
    case .truncate: ["length", "killwords", "end", "leeway"]
    case .unique: ["case_sensitive", "attribute"]
    case .xmlattr: ["autospace"]
    default: []
    }
  }

  /// How many of the parameters must be given.
  var required: Int {
    switch self {
    case .batch, .groupby, .slice: 1
    case .replace: 2
    default: 0
    }
  }
}

extension TemplateRun {
  /// Applies a filter to a value.
  func apply(
    _ filter: TemplateFilter, to value: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    guard let kind = filter.kind else {
      throw TemplateFailure("there is no filter '\(filter.name)'")
    }
    return try apply(kind, to: value, call)
  }

  /// The most frequent filters without arguments; nil for all others.
  func plainly(
    _ kind: TemplateFilterKind, _ value: TemplateValue
  ) throws(TemplateFailure) -> TemplateValue? {
    if let text = value.string { try look(through: text) }
    switch (kind, value) {
    case (.trim, .text(let text)): return .text(text.stripped())
    case (.length, _), (.count, _): return .integer(try length(of: value))
    case (.tojson, _): return .text(try TemplateJSON.text(value, TemplateJSON.Options(), self))
    default: return nil
    }
  }

  func apply(
    _ kind: TemplateFilterKind, to value: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    try step()
    if let text = value.string { try look(through: text) }
    switch kind {
    case .attr, .filesizeformat, .pprint, .random, .urlize, .wordwrap:
      throw TemplateFailure("the filter '\(kind.rawValue)'", .unsupported)
    case .map: return lazily { () throws(TemplateFailure) in try mapped(value, call) }
    case .select: return lazily { () throws(TemplateFailure) in try selected(value, call) }
    case .reject:
      return lazily { () throws(TemplateFailure) in try selected(value, call, keeps: false) }
    case .selectattr:
      return lazily { () throws(TemplateFailure) in try selected(value, call, byAttribute: true) }
    case .rejectattr:
      return lazily { () throws(TemplateFailure) in
        try selected(value, call, byAttribute: true, keeps: false)
      }
    case .format:
      guard call.positional.isEmpty || call.named.isEmpty else {
        throw TemplateFailure("'format' takes arguments by position or by name, not both")
      }
      let format = try softText(value)
      var mapping: TemplateDictionary?
      if !call.named.isEmpty {
        let named = TemplateDictionary()
        for argument in call.named { named.set(.text(argument.name), argument.value) }
        mapping = named
      }
      return try formatted(
        format.string ?? TemplateText(),
        mapping.map { [.dictionary($0)] } ?? call.positional, mapping: mapping,
        isMarkup: format.isMarkup, mustUseAll: mapping == nil && !call.positional.isEmpty)
    default: break
    }
    let arguments = try call.bound(
      to: kind.parameters, required: kind.required, of: kind.rawValue)
    return try apply(kind, to: value, arguments)
  }

  private func apply(
    _ kind: TemplateFilterKind, to value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    switch kind {
    case .d, .default:
      let isMissing = value.isUndefined || (arguments[1]?.isTrue ?? false) && !value.isTrue
      return isMissing ? arguments[0] ?? .text("") : value
    case .length, .count: return .integer(try length(of: value))
    case .first: return try first(of: value)
    case .last: return try last(of: value)
    case .list: return .list(try list(items(of: value)))
    case .items: return try pairs(of: value)
    case .reverse: return try reversed(value)
    case .sort: return .list(try list(sorted(value, arguments)))
    case .unique: return lazily { () throws(TemplateFailure) in try unique(value, arguments) }
    case .dictsort: return try sortedPairs(value, arguments)
    case .groupby: return .list(try list(grouped(value, arguments)))
    case .batch:
      return lazily { () throws(TemplateFailure) in try batched(value, arguments) }
    case .slice: return lazily { () throws(TemplateFailure) in try sliced(value, arguments) }
    case .sum: return try sum(value, arguments)
    case .max, .min: return try extreme(value, arguments, isMax: kind == .max)
    case .abs, .round, .int, .float: return try number(kind, value, arguments)
    default: return try text(kind, value, arguments)
    }
  }

  // MARK: Lazy filters

  /// Jinja notices what is wrong only when the result is used.
  private func lazily(
    _ body: () throws(TemplateFailure) -> [TemplateValue]
  ) -> TemplateValue {
    let depth = depth
    do throws(TemplateFailure) {
      let items = try body()
      return .iterator(TemplateIterator(items))
    } catch {
      self.depth = depth
      return .iterator(TemplateIterator([], failure: error))
    }
  }

  private func mapped(
    _ value: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> [TemplateValue] {
    guard value.isTrue else { return [] }
    var result: [TemplateValue] = []
    if call.positional.isEmpty, call.named.contains(where: { $0.name == "attribute" }) {
      let arguments = try call.bound(to: ["attribute", "default"], of: "map")
      let path = try path(arguments[0] ?? .none)
      for item in try items(of: value) {
        result.append(try follow(path, from: item, default: arguments[1]))
      }
      return result
    }
    guard let name = call.positional.first else {
      throw TemplateFailure("'map' needs the name of a filter, or 'attribute'")
    }
    guard let text = name.string?.string, let kind = TemplateFilterKind(rawValue: text) else {
      throw TemplateFailure("there is no filter '\(try self.text(of: name).string)'")
    }
    let rest = TemplateCall(positional: Array(call.positional.dropFirst()), named: call.named)
    for item in try items(of: value) { result.append(try apply(kind, to: item, rest)) }
    return result
  }

  private func selected(
    _ value: TemplateValue, _ call: TemplateCall, byAttribute: Bool = false, keeps: Bool = true
  ) throws(TemplateFailure) -> [TemplateValue] {
    guard value.isTrue else { return [] }
    var rest = call
    var path: [TemplateValue] = []
    if byAttribute {
      guard let first = rest.positional.first else {
        throw TemplateFailure("the filter needs the name of an attribute")
      }
      path = try self.path(first)
      rest.positional.removeFirst()
    }
    var kind: TemplateTestKind?
    if let name = rest.positional.first {
      rest.positional.removeFirst()
      kind = name.string.flatMap { TemplateTestKind($0.string) }
      if kind == nil { throw TemplateFailure("there is no test '\(try text(of: name).string)'") }
    }
    var result: [TemplateValue] = []
    for item in try items(of: value) {
      let tested = try follow(path, from: item, default: nil)
      var holds = tested.isTrue
      if let kind { holds = try self.holds(kind, for: tested, rest) }
      if holds == keeps { result.append(item) }
    }
    return result
  }

  // MARK: Attributes by name

  /// `a.b.0` as a list of names and places.
  func path(_ value: TemplateValue) throws(TemplateFailure) -> [TemplateValue] {
    switch value {
    case .none: return []
    case .text(let text), .markup(let text):
      return text.split(TemplateText("."), atMost: nil, fromRight: false).map { part in
        let isNumber = part.all { $0.properties.numericType == .decimal }
        return isNumber ? Int(part.string).map { .integer($0) } ?? .text(part) : .text(part)
      }
    default: return [value]
    }
  }

  func follow(
    _ path: [TemplateValue], from value: TemplateValue, default standard: TemplateValue?
  ) throws(TemplateFailure) -> TemplateValue {
    var value = value
    for part in path {
      value = try item(part, of: value)
      if value.isUndefined, let standard, !standard.isNone { value = standard }
    }
    return value
  }
}
