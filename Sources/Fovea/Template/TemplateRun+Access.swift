extension TemplateRun {
  /// What stands behind a dot: a method or attribute, else an item of this name.
  func attribute(
    _ attribute: TemplateAttribute, of owner: TemplateValue
  ) throws(TemplateFailure) -> TemplateValue {
    if case .undefined(let undefined) = owner { throw TemplateFailure(undefined.message) }
    if let method = attribute.method {
      if method.belongs(to: owner) { return try object(TemplateMethodValue(owner, method)) }
      if method.isForbidden(for: owner) {
        return .undefined("'\(method.rawValue)' would change a value of type '\(owner.typeName)'")
      }
    }
    if let value = try ownAttribute(attribute.text, of: owner) { return value }
    if case .dictionary(let dictionary) = owner, let value = dictionary[attribute.text] {
      return value
    }
    return .undefined(TemplateUndefined(owner: owner.typeName, attribute: attribute.text))
  }

  /// What stands in brackets: an item, else a method or attribute of this name.
  func item(
    _ index: TemplateValue, of owner: TemplateValue
  ) throws(TemplateFailure) -> TemplateValue {
    switch owner {
    case .undefined(let undefined): throw TemplateFailure(undefined.message)
    case .dictionary(let dictionary):
      if let key = try key(of: index), let value = dictionary[key] { return value }
    case .list(let list), .tuple(let list):
      if let place = place(index, in: list.items.count) { return list.items[place] }
    case .text(let text):
      try look(through: text)
      if let place = place(index, in: text.count) { return .text(text.character(place)) }
    case .markup(let text):
      try look(through: text)
      if let place = place(index, in: text.count) { return .markup(text.character(place)) }
    case .range(let range):
      if let place = place(index, in: range.count) { return .integer(range[place]) }
    default: break
    }
    guard let name = index.string else {
      return .undefined(
        "a value of type '\(owner.typeName)' has no item \(try representation(of: index).string)")
    }
    if let method = TemplateMethod(rawValue: name.string), method.belongs(to: owner) {
      return try object(TemplateMethodValue(owner, method))
    }
    return try ownAttribute(name, of: owner)
      ?? .undefined(TemplateUndefined(owner: owner.typeName, attribute: name))
  }

  private func place(_ index: TemplateValue, in count: Int) -> Int? {
    guard let index = index.index else { return nil }
    let place = index < 0 ? index + count : index
    return (0..<count).contains(place) ? place : nil
  }

  /// An attribute that is neither a method nor an item.
  private func ownAttribute(
    _ name: TemplateText, of owner: TemplateValue
  ) throws(TemplateFailure) -> TemplateValue? {
    switch owner {
    case .object(let object): return try attribute(name, of: object)
    case .tuple(let list) where list.isGroup:
      switch name.string {
      case "grouper": return list.items[0]
      case "list": return list.items[1]
      default: return nil
      }
    case .integer, .boolean:
      return ["real", "numerator"].contains(name.string) ? owner : nil
    default: return nil
    }
  }

  private func attribute(
    _ name: TemplateText, of object: TemplateObject
  ) throws(TemplateFailure) -> TemplateValue? {
    switch object {
    case let namespace as TemplateNamespace: return namespace[name]
    case let loop as TemplateLoopState: return try attribute(name.string, of: loop)
    case let cycler as TemplateCycler:
      switch name.string {
      case "current": return cycler.items[cycler.position]
      case "next": return .object(TemplateCyclerMethod(cycler, isReset: false))
      case "reset": return .object(TemplateCyclerMethod(cycler, isReset: true))
      default: return nil
      }
    case let value as TemplateMacroValue:
      switch name.string {
      case "name": return .text(value.macro.name)
      case "arguments":
        return .tuple(try list(value.macro.parameters.map { .text($0.name) }))
      case "catch_kwargs": return .boolean(value.macro.uses.kwargs != nil)
      case "catch_varargs": return .boolean(value.macro.uses.varargs != nil)
      case "caller": return .boolean(value.macro.uses.caller != nil)
      default: return nil
      }
    default: return nil
    }
  }

  private func attribute(
    _ name: String, of loop: TemplateLoopState
  ) throws(TemplateFailure) -> TemplateValue? {
    switch name {
    case "index": return .integer(loop.index0 + 1)
    case "index0": return .integer(loop.index0)
    case "first": return .boolean(loop.index0 == 0)
    case "last": return .boolean(try loop.peek() == nil)
    case "length": return .integer(try loop.length())
    case "revindex": return .integer(try loop.length() - loop.index0)
    case "revindex0": return .integer(try loop.length() - loop.index0 - 1)
    case "depth": return .integer(loop.depth0 + 1)
    case "depth0": return .integer(loop.depth0)
    case "previtem": return loop.previous ?? .undefined("the first item has none before it")
    case "nextitem": return try loop.peek() ?? .undefined("the last item has none behind it")
    case "cycle": return .object(TemplateLoopMethod(loop, .cycle))
    case "changed": return .object(TemplateLoopMethod(loop, .changed))
    default: return nil
    }
  }

  // MARK: Items

  /// What a loop goes through.
  func items(of value: TemplateValue) throws(TemplateFailure) -> [TemplateValue] {
    switch value {
    case .undefined: return []
    case .list(let list), .tuple(let list): return list.items
    case .dictionary(let dictionary): return dictionary.keys
    case .view(let view): return view.items
    case .iterator(let iterator): return try iterator.take()
    case .range(let range):
      try spend(range.count)
      return range.items
    case .text(let text), .markup(let text):
      // What is marked as safe comes apart into plain text.
      try spend(text.byteCount)
      var result: [TemplateValue] = []
      var place = 0
      while place < text.byteCount {
        let start = place
        _ = text.scalar(at: &place)
        result.append(.text(text[start..<place]))
      }
      return result
    case .object(let object as TemplateLoopState):
      var rest: [TemplateValue] = []
      while let item = try object.advance() {
        rest.append(.tuple(try list([item, .object(object)])))
      }
      return rest
    default:
      throw TemplateFailure("a value of type '\(value.typeName)' has no items to go through")
    }
  }

  /// `len(value)`.
  func length(of value: TemplateValue) throws(TemplateFailure) -> Int {
    switch value {
    case .undefined: return 0
    case .text(let text), .markup(let text):
      try look(through: text)
      return text.count
    case .list(let list), .tuple(let list): return list.items.count
    case .dictionary(let dictionary): return dictionary.count
    case .view(let view): return view.items.count
    case .range(let range): return range.count
    case .object(let loop as TemplateLoopState): return try loop.length()
    default: throw TemplateFailure("a value of type '\(value.typeName)' has no length")
    }
  }

  /// `value[a:b:c]`.
  func slice(
    _ value: TemplateValue, _ bounds: [TemplateValue]
  ) throws(TemplateFailure) -> TemplateValue {
    if case .undefined(let undefined) = value { throw TemplateFailure(undefined.message) }
    let count: Int
    switch value {
    case .text, .markup, .list, .tuple, .range: count = try length(of: value)
    default: throw TemplateFailure("a value of type '\(value.typeName)' cannot be cut")
    }
    let (start, stop, step) = try self.bounds(bounds, count: count)
    if case .range(let range) = value {
      guard let part = range.part(from: start, to: stop, by: step) else {
        throw TemplateFailure("whole numbers beyond 64 bits", .unsupported)
      }
      return .range(part)
    }
    let places = Array(stride(from: start, to: stop, by: step))
    try spend(places.count)
    switch value {
    case .text(let text): return .text(text[places])
    case .markup(let text): return .markup(text[places])
    case .list(let list): return .list(try self.list(places.map { list.items[$0] }))
    case .tuple(let list): return .tuple(try self.list(places.map { list.items[$0] }))
    default: return value
    }
  }

  /// The places of a slice, as Python's `slice.indices` gives them.
  private func bounds(
    _ bounds: [TemplateValue], count: Int
  ) throws(TemplateFailure) -> (start: Int, stop: Int, step: Int) {
    var numbers: [Int?] = []
    for bound in bounds {
      if case .none = bound {
        numbers.append(nil)
      } else if let index = bound.index {
        numbers.append(index)
      } else {
        throw TemplateFailure(
          "a slice needs whole numbers, not a value of type '\(bound.typeName)'")
      }
    }
    numbers += Array(repeating: nil, count: 3 - numbers.count)
    // A step beyond the ends is as good as one to them, and cannot overflow.
    let step = min(max(numbers[2] ?? 1, -count - 1), count + 1)
    if step == 0 { throw TemplateFailure("a slice cannot go by steps of 0") }
    let (low, high) = step > 0 ? (0, count) : (-1, count - 1)
    func clamped(_ bound: Int) -> Int { min(max(bound < 0 ? bound + count : bound, low), high) }
    return (
      numbers[0].map(clamped) ?? (step > 0 ? low : high),
      numbers[1].map(clamped) ?? (step > 0 ? high : low), step
    )
  }
}

extension TemplateText {
  var lastCharacter: TemplateText {
    var place = byteCount
    _ = scalar(before: &place)
    return from(place)
  }

  /// The characters at some places.
  subscript(places: [Int]) -> TemplateText {
    if places.isEmpty { return TemplateText() }
    if let first = places.first, let last = places.last, last - first == places.count - 1 {
      return characters(first..<(last + 1))
    }
    let units = units
    return TemplateText(units: places.map { units[$0] })
  }
}
