extension TemplateRun {
  /// The value of an expression.
  func value(
    of expression: TemplateExpression, in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    try step()
    switch expression {
    case .constant(let constant): return constant.value
    case .name(let symbol, _): return value(of: symbol, in: scope)
    case .attribute(let owner, let attribute):
      return try self.attribute(attribute, of: value(of: owner, in: scope))
    case .item(let owner, let index):
      let owner = try value(of: owner, in: scope)
      return try item(value(of: index, in: scope), of: owner)
    case .slice(let owner, let parts):
      let owner = try value(of: owner, in: scope)
      var bounds: [TemplateValue] = []
      for part in parts {
        guard let part else {
          bounds.append(.none)
          continue
        }
        bounds.append(try value(of: part, in: scope))
      }
      return try slice(owner, bounds)
    default:
      try enter()
      defer { leave() }
      return try compound(expression, in: scope)
    }
  }

  private func compound(
    _ expression: TemplateExpression, in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    switch expression {
    case .list(let parts): return .list(try list(values(of: parts, in: scope)))
    case .tuple(let parts): return .tuple(try list(values(of: parts, in: scope)))
    case .dictionary(let entries): return try dictionary(entries, in: scope)
    case .call(.attribute(let owner, let attribute), let arguments):
      let owner = try value(of: owner, in: scope)
      if let method = attribute.method, method.belongs(to: owner) {
        return try call(method, of: owner, self.arguments(arguments, in: scope))
      }
      let target = try self.attribute(attribute, of: owner)
      return try call(target, self.arguments(arguments, in: scope))
    case .call(let callee, let arguments):
      let target = try value(of: callee, in: scope)
      return try call(target, self.arguments(arguments, in: scope))
    case .filter(let inner, let filter):
      let inner = try value(of: inner, in: scope)
      return try apply(filter, to: inner, arguments(filter.arguments, in: scope))
    case .test(let inner, let test):
      let inner = try value(of: inner, in: scope)
      return .boolean(try holds(test, for: inner, arguments(test.arguments, in: scope)))
    case .negative(let inner): return try negative(value(of: inner, in: scope))
    case .positive(let inner):
      let inner = try value(of: inner, in: scope)
      guard let number = inner.number else { throw unfit("+", inner) }
      return number.value
    case .not(let inner): return .boolean(try !value(of: inner, in: scope).isTrue)
    case .and(let left, let right):
      let left = try value(of: left, in: scope)
      return left.isTrue ? try value(of: right, in: scope) : left
    case .or(let left, let right):
      let left = try value(of: left, in: scope)
      return left.isTrue ? left : try value(of: right, in: scope)
    case .binary(let operation, let left, let right):
      let left = try value(of: left, in: scope)
      return try combine(operation, left, value(of: right, in: scope))
    case .compare(let left, let parts): return try compare(left, parts, in: scope)
    case .join(let parts):
      var text: [UInt32] = []
      for part in parts {
        let piece = try self.text(of: value(of: part, in: scope))
        try spend(piece.count)
        text += piece.units
      }
      return .text(TemplateText(units: text))
    case .conditional(let condition, let then, let otherwise):
      if try value(of: condition, in: scope).isTrue { return try value(of: then, in: scope) }
      guard let otherwise else {
        return .undefined("the condition of an inline 'if' without 'else' does not hold")
      }
      return try value(of: otherwise, in: scope)
    default: return try value(of: expression, in: scope)
    }
  }

  func values(
    of parts: [TemplateExpression], in scope: TemplateScope
  ) throws(TemplateFailure) -> [TemplateValue] {
    var values: [TemplateValue] = []
    values.reserveCapacity(parts.count)
    for part in parts { values.append(try value(of: part, in: scope)) }
    return values
  }

  private func dictionary(
    _ entries: [(key: TemplateExpression, value: TemplateExpression)], in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let dictionary = TemplateDictionary()
    for entry in entries {
      let key = try value(of: entry.key, in: scope)
      let value = try self.value(of: entry.value, in: scope)
      guard dictionary.set(key, value) else { throw unhashable(key) }
    }
    try spend(entries.count)
    try check(depth: dictionary.depth)
    return .dictionary(dictionary)
  }

  private func compare(
    _ left: TemplateExpression,
    _ parts: [(comparison: TemplateExpression.Comparison, right: TemplateExpression)],
    in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    var left = try value(of: left, in: scope)
    for part in parts {
      let right = try value(of: part.right, in: scope)
      guard try holds(part.comparison, left, right) else { return .boolean(false) }
      left = right
    }
    return .boolean(true)
  }
}
