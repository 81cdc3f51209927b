extension TemplateParser {
  /// One expression, or a tuple without brackets.
  mutating func tuple(
    withCondition: Bool = true, stopsAt words: [String] = []
  ) throws(TemplateFailure) -> any TemplateExpression {
    var parts: [any TemplateExpression] = []
    var isTuple = false
    while true {
      if !parts.isEmpty, isTuple {
        switch token {
        case .endOutput, .endStatement, .sign(")"): return tuple(of: parts)
        case .name(let word) where words.contains(word): return tuple(of: parts)
        default: break
        }
      }
      parts.append(withCondition ? try expression() : try operation())
      guard skip(sign: ",") else { break }
      isTuple = true
    }
    return isTuple ? tuple(of: parts) : parts[0]
  }

  private func tuple(of parts: [any TemplateExpression]) -> any TemplateExpression {
    TemplateListExpression(parts, isTuple: true)
  }

  mutating func expression() throws(TemplateFailure) -> any TemplateExpression {
    try enter()
    let before = unknown.count
    var value = try operation()
    while token == .name("if") { value = try choice(value, unknownBefore: before) }
    leave()
    return value
  }

  private mutating func choice(
    _ value: any TemplateExpression, unknownBefore count: Int
  ) throws(TemplateFailure) -> any TemplateExpression {
    advance()
    let condition = try operation()
    let otherwise = skip(word: "else") ? try expression() : nil
    unknown.removeLast(unknown.count - count)
    return try bounded(TemplateChoice(condition, then: value, otherwise: otherwise))
  }

  /// How tightly operators bind.
  private enum Level: Int {
    case or, and, not, comparison, sum, join, product, power

    /// The next tighter one.
    var next: Level { Level(rawValue: rawValue + 1) ?? .power }
  }

  /// Operands with operators between them that bind at least so tightly.
  ///
  /// One function for all levels: brackets in brackets need little of the stack.
  private mutating func operation(
    _ loosest: Level = .or
  ) throws(TemplateFailure) -> any TemplateExpression {
    var left: any TemplateExpression
    if loosest.rawValue <= Level.not.rawValue, token == .name("not") {
      left = try negation()
    } else {
      left = try unary()
    }
    while let level = levelOfOperator, level.rawValue >= loosest.rawValue {
      left = try operation(level, from: left)
    }
    return left
  }

  private mutating func negation() throws(TemplateFailure) -> any TemplateExpression {
    advance()
    try enter()
    let value = try operation(.not)
    leave()
    return TemplateNotExpression(value)
  }

  /// The level of the operator that comes now; nil when none does.
  private var levelOfOperator: Level? {
    switch token {
    case .name("or"): .or
    case .name("and"): .and
    case .name("in"): .comparison
    case .name("not"): next == .name("in") ? .comparison : nil
    case .sign(let sign):
      switch sign {
      case "==", "!=", "<", "<=", ">", ">=": .comparison
      case "+", "-": .sum
      case "~": .join
      case "*", "/", "//", "%": .product
      case "**": .power
      default: nil
      }
    default: nil
    }
  }

  /// All operators of a level that come now in a row, behind their first operand.
  private mutating func operation(
    _ level: Level, from left: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    switch level {
    case .or, .and: return try junction(left, level)
    case .comparison, .not: return try comparison(left)
    case .sum: return try sum(left)
    case .join:
      var parts = [left]
      while skip(sign: "~") { parts.append(try operation(.product)) }
      return TemplateJoin(parts)
    case .product, .power: return try product(left, level)
    }
  }

  private mutating func junction(
    _ left: any TemplateExpression, _ level: Level
  ) throws(TemplateFailure) -> any TemplateExpression {
    var parts = [left]
    while skip(word: level == .or ? "or" : "and") { parts.append(try operation(level.next)) }
    return TemplateJunction(parts, isAnd: level == .and)
  }

  private mutating func comparison(
    _ left: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    var parts: [(operation: TemplateComparison.Operation, value: any TemplateExpression)] = []
    while let operation = comparisonOperator() {
      parts.append((operation, try self.operation(.sum)))
    }
    return TemplateComparison(left, parts)
  }

  /// Takes the comparison that comes now.
  private mutating func comparisonOperator() -> TemplateComparison.Operation? {
    guard levelOfOperator == .comparison else { return nil }
    if case .sign(let sign) = token {
      advance()
      return TemplateComparison.Operation(rawValue: sign)
    }
    if skip(word: "in") { return .isIn }
    advance()
    advance()
    return .isNotIn
  }

  private mutating func sum(
    _ left: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    var parts = [left]
    while true {
      if skip(sign: "+") {
        parts.append(try operation(.join))
      } else if skip(sign: "-") {
        let left = sum(of: parts)
        parts = [try bounded(TemplateBinaryExpression(.subtract, left, operation(.join)))]
      } else {
        return sum(of: parts)
      }
    }
  }

  private func sum(of parts: [any TemplateExpression]) -> any TemplateExpression {
    parts.count == 1 ? parts[0] : TemplateSum(parts)
  }

  private mutating func product(
    _ left: any TemplateExpression, _ level: Level
  ) throws(TemplateFailure) -> any TemplateExpression {
    var left = left
    while levelOfOperator == level, case .sign(let sign) = token,
      let operation = TemplateBinaryExpression.Operation(rawValue: sign)
    {
      advance()
      let right = try level == .product ? self.operation(.power) : unary()
      left = try bounded(TemplateBinaryExpression(operation, left, right))
    }
    return left
  }
}
