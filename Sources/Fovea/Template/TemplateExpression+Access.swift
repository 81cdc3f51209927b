/// `owner.name`.
final class TemplateAttributeExpression: TemplateExpression {
  let owner: any TemplateExpression
  let attribute: TemplateAttribute
  let depth: Int

  init(_ owner: any TemplateExpression, _ attribute: TemplateAttribute) {
    self.owner = owner
    self.attribute = attribute
    depth = owner.depth + 1
  }

  var parts: [any TemplateExpression] { [owner] }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let owner = try owner.value(run, scope)
    // The dictionaries of a context, for most names, hold nothing but items.
    if attribute.method == nil, case .dictionary(let dictionary) = owner,
      let value = dictionary[attribute.text, attribute.print]
    {
      return value
    }
    return try run.attribute(attribute, of: owner)
  }
}

/// `owner[index]`.
final class TemplateItemExpression: TemplateExpression {
  let owner: any TemplateExpression
  let index: any TemplateExpression
  let depth: Int
  /// The index where it is a text in the template.
  private let key: TemplateText
  private let hasKey: Bool
  private let print: UInt64

  init(_ owner: any TemplateExpression, _ index: any TemplateExpression) {
    self.owner = owner
    self.index = index
    let key = (index as? TemplateConstant)?.text
    hasKey = key != nil
    self.key = key ?? TemplateText()
    print = self.key.print
    depth = [owner, index].depth
  }

  var parts: [any TemplateExpression] { [owner, index] }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let owner = try owner.value(run, scope)
    if hasKey, case .dictionary(let dictionary) = owner, let value = dictionary[key, print] {
      return value
    }
    return try run.item(index.value(run, scope), of: owner)
  }
}

/// `owner[start:stop:step]`.
final class TemplateSliceExpression: TemplateExpression {
  let owner: any TemplateExpression
  let bounds: [(any TemplateExpression)?]
  let depth: Int

  init(_ owner: any TemplateExpression, _ bounds: [(any TemplateExpression)?]) {
    self.owner = owner
    self.bounds = bounds
    depth = ([owner] + bounds.compactMap { $0 }).depth
  }

  var parts: [any TemplateExpression] { [owner] + bounds.compactMap { $0 } }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let owner = try owner.value(run, scope)
    var places: [TemplateValue] = []
    for bound in bounds {
      if let bound { places.append(try bound.value(run, scope)) } else { places.append(.none) }
    }
    return try run.slice(owner, places)
  }
}

/// `callee(arguments)`.
final class TemplateCallExpression: TemplateExpression {
  let callee: any TemplateExpression
  let arguments: TemplateArguments
  let depth: Int
  /// The callee where it may be a method.
  private let method: TemplateAttributeExpression?

  init(_ callee: any TemplateExpression, _ arguments: TemplateArguments) {
    self.callee = callee
    self.arguments = arguments
    let attribute = callee as? TemplateAttributeExpression
    method = attribute?.attribute.method == nil ? nil : attribute
    depth = ([callee] + arguments.parts).depth
  }

  var parts: [any TemplateExpression] { [callee] + arguments.parts }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    if let method { return try value(method, run, scope) }
    let target = try callee.value(run, scope)
    return try run.call(target, run.arguments(arguments, in: scope))
  }

  private func value(
    _ callee: TemplateAttributeExpression, _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let owner = try callee.owner.value(run, scope)
    let arguments = try run.arguments(arguments, in: scope)
    return try run.call(callee.attribute, of: owner, arguments)
  }
}

/// `value | filter`.
final class TemplateFilterExpression: TemplateExpression {
  let inner: any TemplateExpression
  let filter: TemplateFilter
  let depth: Int
  /// Whether there are no arguments.
  private let isPlain: Bool

  init(_ inner: any TemplateExpression, _ filter: TemplateFilter) {
    self.inner = inner
    self.filter = filter
    isPlain = filter.arguments.isEmpty
    depth = ([inner] + filter.arguments.parts).depth
  }

  var parts: [any TemplateExpression] { [inner] + filter.arguments.parts }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let value = try inner.value(run, scope)
    if isPlain, let kind = filter.kind, let result = try run.plainly(kind, value) { return result }
    return try run.apply(filter, to: value, run.arguments(filter.arguments, in: scope))
  }
}

/// `value is test`.
final class TemplateTestExpression: TemplateExpression {
  let inner: any TemplateExpression
  let test: TemplateTest
  let depth: Int
  /// Whether there are no arguments.
  private let isPlain: Bool

  init(_ inner: any TemplateExpression, _ test: TemplateTest) {
    self.inner = inner
    self.test = test
    isPlain = test.arguments.isEmpty
    depth = ([inner] + test.arguments.parts).depth
  }

  var parts: [any TemplateExpression] { [inner] + test.arguments.parts }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    .boolean(try isTrue(run, scope))
  }

  func isTrue(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) -> Bool {
    let value = try inner.value(run, scope)
    if isPlain, let kind = test.kind, let holds = run.holdsPlainly(kind, value) { return holds }
    return try run.holds(test, for: value, run.arguments(test.arguments, in: scope))
  }
}
