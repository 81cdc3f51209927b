extension TemplateRun {
  func values(
    of parts: [any TemplateExpression], in scope: TemplateScope
  ) throws(TemplateFailure) -> [TemplateValue] {
    var values: [TemplateValue] = []
    values.reserveCapacity(parts.count)
    for part in parts { values.append(try part.value(self, scope)) }
    return values
  }

  /// Puts a value into a dictionary that is being made.
  func put(
    _ value: TemplateValue, at key: TemplateValue, in dictionary: TemplateDictionary
  ) throws(TemplateFailure) {
    if try self.key(of: key) == nil { throw unhashable(key) }
    dictionary.set(key, value)
  }

  /// Counts and checks a dictionary that was made.
  func finish(_ dictionary: TemplateDictionary) throws(TemplateFailure) {
    try spend(dictionary.count * 8)
    try check(depth: dictionary.depth)
  }

  /// Python's `==`. Values that hold one value often are larger than they look, so that it is
  /// counted before how much there is to compare.
  func areEqual(_ left: TemplateValue, _ right: TemplateValue) throws(TemplateFailure) -> Bool {
    let weight = min(left.weight, right.weight)
    if weight > 1 { try spend(weight) }
    let levels = min(left.depth, right.depth)
    try enter(levels)
    let isSame = left.equals(right)
    leave(levels)
    return isSame
  }

  /// What a value is as a key of a dictionary; nil for what Python cannot hash.
  func key(of value: TemplateValue) throws(TemplateFailure) -> TemplateDictionary.Key? {
    try spend(value.weight)
    let levels = value.depth
    try enter(levels)
    let key = value.key
    leave(levels)
    return key
  }
}
