/// `-value` or `+value`.
final class TemplateSignExpression: TemplateExpression {
  let inner: any TemplateExpression
  let isNegative: Bool
  let depth: Int

  init(_ inner: any TemplateExpression, isNegative: Bool) {
    self.inner = inner
    self.isNegative = isNegative
    depth = inner.depth + 1
  }

  var parts: [any TemplateExpression] { [inner] }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let value = try inner.value(run, scope)
    if isNegative { return try run.negative(value) }
    guard let number = value.number else { throw run.unfit("+", value) }
    return number.value
  }
}

/// `not value`.
final class TemplateNotExpression: TemplateExpression {
  let inner: any TemplateExpression
  let depth: Int

  init(_ inner: any TemplateExpression) {
    self.inner = inner
    depth = inner.depth + 1
  }

  var parts: [any TemplateExpression] { [inner] }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    .boolean(try !inner.isTrue(run, scope))
  }

  func isTrue(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) -> Bool {
    try !inner.isTrue(run, scope)
  }
}

/// `a and b and c`, or the same with `or`.
final class TemplateJunction: TemplateExpression {
  let parts: [any TemplateExpression]
  let isAnd: Bool
  let depth: Int

  init(_ parts: [any TemplateExpression], isAnd: Bool) {
    self.parts = parts
    self.isAnd = isAnd
    depth = parts.depth
  }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    var value = try parts[0].value(run, scope)
    for index in 1..<parts.count {
      if value.isTrue != isAnd { return value }
      value = try parts[index].value(run, scope)
    }
    return value
  }

  func isTrue(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) -> Bool {
    for part in parts {
      if try part.isTrue(run, scope) != isAnd { return !isAnd }
    }
    return isAnd
  }
}

/// `left * right` and the like.
final class TemplateBinaryExpression: TemplateExpression {
  enum Operation: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case divideWhole = "//"
    case remainder = "%"
    case power = "**"
  }

  let operation: Operation
  let left: any TemplateExpression
  let right: any TemplateExpression
  let depth: Int

  init(_ operation: Operation, _ left: any TemplateExpression, _ right: any TemplateExpression) {
    self.operation = operation
    self.left = left
    self.right = right
    depth = [left, right].depth
  }

  var parts: [any TemplateExpression] { [left, right] }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let left = try left.value(run, scope)
    return try run.combine(operation, left, right.value(run, scope))
  }
}

/// `left < right`, or several comparisons in a row.
final class TemplateComparison: TemplateExpression {
  enum Operation: String, Sendable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case isNotIn = "not in"
  }

  let left: any TemplateExpression
  let rights: [(operation: Operation, value: any TemplateExpression)]
  let depth: Int
  /// Whether one text of the template is compared with, by `==` or `!=`; it is ``text``.
  private let isWithText: Bool
  private let isEqual: Bool
  private let text: TemplateText

  init(
    _ left: any TemplateExpression,
    _ rights: [(operation: Operation, value: any TemplateExpression)]
  ) {
    self.left = left
    self.rights = rights
    depth = ([left] + rights.map(\.value)).depth
    let isPlain = rights.count == 1 && [.equal, .unequal].contains(rights[0].operation)
    let text = isPlain ? (rights[0].value as? TemplateConstant)?.text : nil
    isWithText = text != nil
    isEqual = rights[0].operation == .equal
    self.text = text ?? TemplateText()
  }

  var parts: [any TemplateExpression] { [left] + rights.map(\.value) }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    .boolean(try isTrue(run, scope))
  }

  func isTrue(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) -> Bool {
    var left = try left.value(run, scope)
    if isWithText, case .text(let other) = left { return (other == text) == isEqual }
    for part in rights {
      let right = try part.value.value(run, scope)
      guard try run.holds(part.operation, left, right) else { return false }
      left = right
    }
    return true
  }
}

/// `then if condition else otherwise`.
final class TemplateChoice: TemplateExpression {
  let condition: any TemplateExpression
  let then: any TemplateExpression
  let otherwise: (any TemplateExpression)?
  let depth: Int

  init(
    _ condition: any TemplateExpression, then: any TemplateExpression,
    otherwise: (any TemplateExpression)?
  ) {
    self.condition = condition
    self.then = then
    self.otherwise = otherwise
    depth = ([condition, then] + [otherwise].compactMap { $0 }).depth
  }

  var parts: [any TemplateExpression] { [condition, then] + [otherwise].compactMap { $0 } }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    if try condition.isTrue(run, scope) { return try then.value(run, scope) }
    guard let otherwise else {
      return .undefined("the condition of an inline 'if' without 'else' does not hold")
    }
    return try otherwise.value(run, scope)
  }
}
