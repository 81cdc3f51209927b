extension TemplateRun {
  func first(of value: TemplateValue) throws(TemplateFailure) -> TemplateValue {
    let missing = TemplateValue.undefined("there is no first item: there are none")
    switch value {
    case .text(let text), .markup(let text):
      return text.isEmpty ? missing : .text(text.character(0))
    case .iterator(let iterator): return try iterator.next() ?? missing
    case .range(let range): return range.count > 0 ? .integer(range.start) : missing
    default: return try items(of: value).first ?? missing
    }
  }

  func last(of value: TemplateValue) throws(TemplateFailure) -> TemplateValue {
    let missing = TemplateValue.undefined("there is no last item: there are none")
    switch value {
    case .text(let text): return text.isEmpty ? missing : .text(text.lastCharacter)
    case .markup(let text): return text.isEmpty ? missing : .markup(text.lastCharacter)
    case .iterator, .object:
      throw TemplateFailure("a value of type '\(value.typeName)' has no last item")
    case .range(let range): return range.count > 0 ? .integer(range[range.count - 1]) : missing
    case .undefined: return missing
    default: return try items(of: value).last ?? missing
    }
  }

  func pairs(of value: TemplateValue) throws(TemplateFailure) -> TemplateValue {
    switch value {
    case .undefined: return .iterator(TemplateIterator([]))
    case .dictionary(let dictionary): return .iterator(TemplateIterator(dictionary.items))
    // Jinja notices it when the pairs are used.
    default:
      return .iterator(
        TemplateIterator(
          [], failure: TemplateFailure("a value of type '\(value.typeName)' has no pairs")))
    }
  }

  func reversed(_ value: TemplateValue) throws(TemplateFailure) -> TemplateValue {
    switch value {
    case .text(let text): return .text(TemplateText(units: text.units.reversed()))
    case .markup(let text): return .markup(TemplateText(units: text.units.reversed()))
    default: return .iterator(TemplateIterator(try items(of: value).reversed()))
    }
  }

  // MARK: Order

  /// Stable, and by comparisons that may fail.
  func sorted<T>(
    _ items: [T], descending: Bool = false,
    by key: (T) throws(TemplateFailure) -> TemplateValue
  ) throws(TemplateFailure) -> [T] {
    var entries: [(item: T, key: TemplateValue)] = []
    for item in items { entries.append((item, try key(item))) }
    var width = 1
    while width < entries.count {
      var merged: [(item: T, key: TemplateValue)] = []
      merged.reserveCapacity(entries.count)
      var start = 0
      while start < entries.count {
        let middle = min(start + width, entries.count)
        let end = min(start + 2 * width, entries.count)
        var left = start
        var right = middle
        while left < middle, right < end {
          try step()
          let takesRight =
            try descending
            ? isLess(entries[left].key, entries[right].key)
            : isLess(entries[right].key, entries[left].key)
          merged.append(entries[takesRight ? right : left])
          if takesRight { right += 1 } else { left += 1 }
        }
        merged += entries[left..<middle]
        merged += entries[right..<end]
        start = end
      }
      entries = merged
      width *= 2
    }
    return entries.map(\.item)
  }

  /// What an item is compared by: without its case unless that counts.
  func folded(_ value: TemplateValue, keepsCase: Bool) -> TemplateValue {
    guard !keepsCase, let text = value.string else { return value }
    return .text(text.lowercased)
  }

  func sorted(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> [TemplateValue] {
    let keepsCase = arguments[1]?.isTrue ?? false
    var paths: [[TemplateValue]] = [[]]
    if let attribute = arguments[2], !attribute.isNone {
      if let text = attribute.string {
        paths = []
        for part in text.split(TemplateText(","), atMost: nil, fromRight: false) {
          paths.append(try path(.text(part)))
        }
      } else {
        paths = [try path(attribute)]
      }
    }
    return try sorted(items(of: value), descending: arguments[0]?.isTrue ?? false) {
      [self] (item) throws(TemplateFailure) in
      var keys: [TemplateValue] = []
      for path in paths {
        keys.append(folded(try follow(path, from: item, default: nil), keepsCase: keepsCase))
      }
      return .list(TemplateList(keys))
    }
  }

  func unique(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> [TemplateValue] {
    let path = try path(arguments[1] ?? .none)
    var seen: Set<TemplateDictionary.Key> = []
    var result: [TemplateValue] = []
    for item in try items(of: value) {
      let found = try follow(path, from: item, default: nil)
      let folded = folded(found, keepsCase: arguments[0]?.isTrue ?? false)
      guard let key = try key(of: folded) else {
        throw unhashable(found)
      }
      if seen.insert(key).inserted { result.append(item) }
    }
    return result
  }

  func sortedPairs(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    let keepsCase = arguments[0]?.isTrue ?? false
    let by = arguments[1].map { $0.string?.string ?? "" } ?? "key"
    guard ["key", "value"].contains(by) else {
      throw TemplateFailure("'dictsort' goes by 'key' or 'value'")
    }
    guard case .dictionary(let dictionary) = value else {
      throw TemplateFailure(
        "'dictsort' needs a dictionary, not a value of type '\(value.typeName)'")
    }
    let order = try sorted(
      Array(0..<dictionary.count), descending: arguments[2]?.isTrue ?? false
    ) { [self] (index) throws(TemplateFailure) in
      folded(by == "key" ? dictionary.keys[index] : dictionary.values[index], keepsCase: keepsCase)
    }
    return .list(
      try list(order.map { .tuple(TemplateList([dictionary.keys[$0], dictionary.values[$0]])) }))
  }

  func grouped(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> [TemplateValue] {
    let path = try path(arguments[0] ?? .none)
    let keepsCase = arguments[2]?.isTrue ?? false
    var groups: [(key: TemplateValue, shown: TemplateValue, items: [TemplateValue])] = []
    func key(_ item: TemplateValue) throws(TemplateFailure) -> TemplateValue {
      try follow(path, from: item, default: arguments[1])
    }
    let ordered = try sorted(items(of: value)) { (item) throws(TemplateFailure) in
      folded(try key(item), keepsCase: keepsCase)
    }
    for item in ordered {
      let shown = try key(item)
      let key = folded(shown, keepsCase: keepsCase)
      if let last = groups.last, try areEqual(last.key, key) {
        groups[groups.count - 1].items.append(item)
      } else {
        groups.append((key, shown, [item]))
      }
    }
    return groups.map {
      .tuple(TemplateList([$0.shown, .list(TemplateList($0.items))], isGroup: true))
    }
  }

  // MARK: Parts

  private func count(_ value: TemplateValue?, of name: String) throws(TemplateFailure) -> Int {
    guard let count = value?.index else { throw TemplateFailure("'\(name)' needs a whole number") }
    return count
  }

  func batched(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> [TemplateValue] {
    var result: [TemplateValue] = []
    var part: [TemplateValue] = []
    // Any number can be compared with, a fraction too.
    guard let size = arguments[0]?.number?.double else {
      throw TemplateFailure("'batch' needs a number")
    }
    for item in try items(of: value) {
      if Double(part.count) == size {
        result.append(.list(try list(part)))
        part = []
      }
      part.append(item)
    }
    if part.isEmpty { return result }
    if let filling = arguments[1], !filling.isNone, Double(part.count) < size {
      let missing = try count(arguments[0], of: "batch") - part.count
      try spend(missing)
      part += Array(repeating: filling, count: missing)
    }
    result.append(.list(try list(part)))
    return result
  }

  func sliced(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> [TemplateValue] {
    let items = try items(of: value)
    let parts = try count(arguments[0], of: "slice")
    if parts == 0 { throw TemplateFailure("a division by zero") }
    if parts < 0 { return [] }
    try spend(parts)
    var result: [TemplateValue] = []
    var start = 0
    for index in 0..<parts {
      let isLonger = index < items.count % parts
      let end = start + items.count / parts + (isLonger ? 1 : 0)
      var part = Array(items[start..<end])
      if let filling = arguments[1], !filling.isNone, !isLonger { part.append(filling) }
      result.append(.list(try list(part)))
      start = end
    }
    return result
  }

  // MARK: Numbers of a list

  func sum(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateValue {
    var total = arguments[1] ?? .integer(0)
    if total.string != nil { throw TemplateFailure("'sum' does not join texts: use 'join'") }
    let path = try path(arguments[0] ?? .none)
    for item in try items(of: value) {
      total = try combine(.add, total, follow(path, from: item, default: nil))
    }
    return total
  }

  func extreme(
    _ value: TemplateValue, _ arguments: [TemplateValue?], isMax: Bool
  ) throws(TemplateFailure) -> TemplateValue {
    let path = try path(arguments[1] ?? .none)
    let keepsCase = arguments[0]?.isTrue ?? false
    var best: (item: TemplateValue, key: TemplateValue)?
    for item in try items(of: value) {
      let key = folded(try follow(path, from: item, default: nil), keepsCase: keepsCase)
      guard let present = best else {
        best = (item, key)
        continue
      }
      if try isMax ? isLess(present.key, key) : isLess(key, present.key) { best = (item, key) }
    }
    return best?.item ?? .undefined("there is no smallest or largest item: there are none")
  }
}
