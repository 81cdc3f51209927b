/// The methods of Python's types, by their names.
enum TemplateMethod: String, Sendable {
  // Text
  case capitalize, casefold, center, count, encode, endswith, expandtabs, find, format,
    format_map, index, isalnum, isalpha, isascii, isdecimal, isdigit, isidentifier, islower,
    isnumeric, isprintable, isspace, istitle, isupper, join, ljust, lower, lstrip, maketrans,
    partition, removeprefix, removesuffix, replace, rfind, rindex, rjust, rpartition, rsplit,
    rstrip,
    split, splitlines, startswith, strip, swapcase, title, translate, upper, zfill
  // Dictionaries
  case get, items, keys, values
  case copy
  // What would change a value
  case append, clear, extend, fromkeys, insert, pop, popitem, remove, reverse, setdefault, sort,
    update

  private static let ofDictionaries: Set<TemplateMethod> = [
    .get, .items, .keys, .values, .copy,
  ]
  private static let ofLists: Set<TemplateMethod> = [.count, .index, .copy]
  private static let changingLists: Set<TemplateMethod> = [
    .append, .clear, .extend, .insert, .pop, .remove, .reverse, .sort,
  ]
  private static let changingDictionaries: Set<TemplateMethod> = [
    .clear, .pop, .popitem, .setdefault, .update,
  ]

  /// Whether the method is one of text.
  private var isOfText: Bool {
    switch self {
    case .get, .items, .keys, .values, .copy, .append, .clear, .extend, .fromkeys, .insert, .pop,
      .popitem, .remove, .reverse, .setdefault, .sort, .update:
      false
    default: true
    }
  }

  /// Whether a value has it.
  func belongs(to value: TemplateValue) -> Bool {
    switch value {
    case .text, .markup: isOfText
    case .dictionary: Self.ofDictionaries.contains(self)
    case .list: Self.ofLists.contains(self)
    case .tuple, .range: self == .count || self == .index
    default: false
    }
  }

  /// Whether a value has it, but templates may not change values.
  func isForbidden(for value: TemplateValue) -> Bool {
    switch value {
    case .list: Self.changingLists.contains(self)
    case .dictionary: Self.changingDictionaries.contains(self)
    default: false
    }
  }
}

extension TemplateRun {
  /// Calls a method of a value that has it.
  func call(
    _ method: TemplateMethod, of owner: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    try step()
    switch owner {
    case .text(let text): return try self.call(method, ofText: text, owner, call)
    case .markup(let text): return try self.call(method, ofText: text, owner, call)
    case .dictionary(let dictionary): return try self.call(method, of: dictionary, owner, call)
    default: return try self.call(method, ofList: owner, call)
    }
  }

  private func call(
    _ method: TemplateMethod, of dictionary: TemplateDictionary, _ owner: TemplateValue,
    _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    guard call.named.isEmpty else {
      throw TemplateFailure("'\(method.rawValue)' takes no arguments by name")
    }
    if method == .get {
      let arguments = try call.bound(to: ["key", "default"], required: 1, of: "get")
      guard let key = try key(of: arguments[0] ?? .none) else {
        throw unhashable(arguments[0] ?? .none)
      }
      return dictionary[key] ?? arguments[1] ?? .none
    }
    _ = try call.bound(to: [], of: method.rawValue)
    switch method {
    case .keys: return .view(TemplateView(.keys, dictionary))
    case .values: return .view(TemplateView(.values, dictionary))
    case .items: return .view(TemplateView(.items, dictionary))
    default: return owner
    }
  }

  private func call(
    _ method: TemplateMethod, ofList owner: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    guard call.named.isEmpty else {
      throw TemplateFailure("'\(method.rawValue)' takes no arguments by name")
    }
    if method == .copy {
      _ = try call.bound(to: [], of: "copy")
      return owner
    }
    let items = try items(of: owner)
    if method == .count {
      let wanted = try call.bound(to: ["value"], required: 1, of: "count")[0] ?? .none
      var count = 0
      for item in items {
        if try areEqual(item, wanted) { count += 1 }
      }
      return .integer(count)
    }
    let arguments = try call.bound(to: ["value", "start", "stop"], required: 1, of: "index")
    let wanted = arguments[0] ?? .none
    let (start, end) = try bounds(arguments[1], arguments[2], count: items.count)
    for place in min(start, end)..<end {
      if try areEqual(items[place], wanted) { return .integer(place) }
    }
    throw TemplateFailure("the value is not in the list")
  }

  /// A part of a text or list, as optional arguments give it.
  func bounds(
    _ start: TemplateValue?, _ end: TemplateValue?, count: Int
  ) throws(TemplateFailure) -> (start: Int, end: Int) {
    func place(_ value: TemplateValue?, _ standard: Int) throws(TemplateFailure) -> Int {
      guard let value, !value.isNone else { return standard }
      let index = try whole(value, of: "start")
      return max(0, index < 0 ? index + count : index)
    }
    return (try place(start, 0), min(try place(end, count), count))
  }
}
