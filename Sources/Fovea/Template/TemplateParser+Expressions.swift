extension TemplateParser {
  /// One expression, or a tuple without brackets.
  mutating func tuple(
    withCondition: Bool = true, stopsAt words: [String] = []
  ) throws(TemplateFailure) -> TemplateExpression {
    var parts: [TemplateExpression] = []
    var isTuple = false
    while true {
      if !parts.isEmpty, isTuple {
        switch token {
        case .endOutput, .endStatement, .sign(")"): return .tuple(parts)
        case .name(let word) where words.contains(word): return .tuple(parts)
        default: break
        }
      }
      parts.append(withCondition ? try expression() : try or())
      guard skip(sign: ",") else { break }
      isTuple = true
    }
    return isTuple ? .tuple(parts) : parts[0]
  }

  mutating func expression() throws(TemplateFailure) -> TemplateExpression {
    try enter()
    let before = unknown.count
    var value = try or()
    while skip(word: "if") {
      let condition = try or()
      let otherwise = skip(word: "else") ? try expression() : nil
      value = .conditional(condition, then: value, otherwise: otherwise)
      unknown.removeLast(unknown.count - before)
    }
    leave()
    return value
  }

  private mutating func or() throws(TemplateFailure) -> TemplateExpression {
    var left = try and()
    while skip(word: "or") { left = .or(left, try and()) }
    return left
  }

  private mutating func and() throws(TemplateFailure) -> TemplateExpression {
    var left = try not()
    while skip(word: "and") { left = .and(left, try not()) }
    return left
  }

  private mutating func not() throws(TemplateFailure) -> TemplateExpression {
    guard token == .name("not") else { return try comparison() }
    advance()
    try enter()
    let value = try not()
    leave()
    return .not(value)
  }

  private mutating func comparison() throws(TemplateFailure) -> TemplateExpression {
    let left = try sum()
    var parts: [(comparison: TemplateExpression.Comparison, right: TemplateExpression)] = []
    while true {
      if case .sign(let sign) = token,
        let comparison = TemplateExpression.Comparison(rawValue: sign)
      {
        advance()
        parts.append((comparison, try sum()))
      } else if skip(word: "in") {
        parts.append((.isIn, try sum()))
      } else if token == .name("not"), next == .name("in") {
        advance()
        advance()
        parts.append((.isNotIn, try sum()))
      } else {
        return parts.isEmpty ? left : .compare(left, parts)
      }
    }
  }

  private mutating func sum() throws(TemplateFailure) -> TemplateExpression {
    var left = try joined()
    while true {
      if skip(sign: "+") {
        left = .binary(.add, left, try joined())
      } else if skip(sign: "-") {
        left = .binary(.subtract, left, try joined())
      } else {
        return left
      }
    }
  }

  private mutating func joined() throws(TemplateFailure) -> TemplateExpression {
    var parts = [try product()]
    while skip(sign: "~") { parts.append(try product()) }
    return parts.count == 1 ? parts[0] : .join(parts)
  }

  private mutating func product() throws(TemplateFailure) -> TemplateExpression {
    var left = try power()
    while case .sign(let sign) = token, ["*", "/", "//", "%"].contains(sign),
      let operation = TemplateExpression.Binary(rawValue: sign)
    {
      advance()
      left = .binary(operation, left, try power())
    }
    return left
  }

  private mutating func power() throws(TemplateFailure) -> TemplateExpression {
    var left = try unary()
    while skip(sign: "**") { left = .binary(.power, left, try unary()) }
    return left
  }

  private mutating func unary(
    withFilter: Bool = true
  ) throws(TemplateFailure) -> TemplateExpression {
    var value: TemplateExpression
    if skip(sign: "-") {
      value = .negative(try operand())
    } else if skip(sign: "+") {
      value = .positive(try operand())
    } else {
      value = try primary()
    }
    value = try postfix(value)
    return withFilter ? try filtered(value) : value
  }

  /// What stands behind a sign.
  private mutating func operand() throws(TemplateFailure) -> TemplateExpression {
    try enter()
    let value = try unary(withFilter: false)
    leave()
    return value
  }

  private mutating func primary() throws(TemplateFailure) -> TemplateExpression {
    switch token {
    case .name(let name):
      advance()
      return named(name)
    case .string(var units):
      advance()
      while case .string(let more) = token {
        units += more
        advance()
      }
      return .constant(.text(TemplateText(units: units)))
    case .integer(let value):
      advance()
      return .constant(.integer(value))
    case .double(let value):
      advance()
      return .constant(.double(value))
    case .sign("("):
      advance()
      if skip(sign: ")") { return .tuple([]) }
      try enter()
      let value = try tuple()
      leave()
      try expect(.sign(")"))
      return value
    case .sign("["):
      advance()
      return try list()
    case .sign("{"):
      advance()
      return try dictionary()
    default:
      throw failure("a value must come here, not \(token.description)")
    }
  }

  /// What a name stands for.
  private mutating func named(_ name: String) -> TemplateExpression {
    switch name {
    case "true", "True": return .constant(.boolean(true))
    case "false", "False": return .constant(.boolean(false))
    case "none", "None": return .constant(.none)
    default: break
    }
    let symbol = symbol(name)
    if !macros.isEmpty {
      switch name {
      case "varargs": macros[macros.count - 1].varargs = symbol
      case "kwargs": macros[macros.count - 1].kwargs = symbol
      case "caller": macros[macros.count - 1].caller = symbol
      default: break
      }
    }
    return .name(symbol, name)
  }

  private mutating func list() throws(TemplateFailure) -> TemplateExpression {
    var parts: [TemplateExpression] = []
    while token != .sign("]") {
      if !parts.isEmpty { try expect(.sign(",")) }
      if token == .sign("]") { break }
      parts.append(try expression())
    }
    advance()
    return .list(parts)
  }

  private mutating func dictionary() throws(TemplateFailure) -> TemplateExpression {
    var parts: [(key: TemplateExpression, value: TemplateExpression)] = []
    while token != .sign("}") {
      if !parts.isEmpty { try expect(.sign(",")) }
      if token == .sign("}") { break }
      let key = try expression()
      try expect(.sign(":"))
      parts.append((key, try expression()))
    }
    advance()
    return .dictionary(parts)
  }

  /// Attributes, items and calls behind a value.
  private mutating func postfix(
    _ start: TemplateExpression
  ) throws(TemplateFailure) -> TemplateExpression {
    var value = start
    while true {
      if skip(sign: ".") {
        switch token {
        case .name(let name):
          advance()
          value = .attribute(value, TemplateAttribute(name))
        case .integer(let index):
          advance()
          value = .item(value, .constant(.integer(index)))
        default: throw failure("a name must come here, not \(token.description)")
        }
      } else if skip(sign: "[") {
        value = try subscripted(value)
      } else if token == .sign("(") {
        value = .call(value, try arguments())
      } else {
        return value
      }
    }
  }

  private mutating func subscripted(
    _ value: TemplateExpression
  ) throws(TemplateFailure) -> TemplateExpression {
    var parts: [TemplateExpression?] = [nil]
    while token != .sign("]") {
      if skip(sign: ":") {
        parts.append(nil)
        continue
      }
      if token == .sign(",") { throw failure("several indices", .unsupported) }
      parts[parts.count - 1] = try expression()
      if token != .sign("]"), token != .sign(":"), token != .sign(",") {
        throw failure("']' must come here, not \(token.description)")
      }
    }
    advance()
    if parts.count > 3 { throw failure("a slice has three parts at most") }
    if parts.count == 1 {
      guard let index = parts[0] else { throw failure("an index must come before ']'") }
      return .item(value, index)
    }
    return .slice(value, parts)
  }

  /// Filters, tests and calls behind a value.
  private mutating func filtered(
    _ start: TemplateExpression
  ) throws(TemplateFailure) -> TemplateExpression {
    var value = start
    while true {
      if skip(sign: "|") {
        value = .filter(value, try filter())
      } else if skip(word: "is") {
        value = try test(value)
      } else if token == .sign("(") {
        value = .call(value, try arguments())
      } else {
        return value
      }
    }
  }

  mutating func filter() throws(TemplateFailure) -> TemplateFilter {
    var name = try name()
    while skip(sign: ".") { name += "." + (try self.name()) }
    let kind = TemplateFilterKind(rawValue: name)
    if kind == nil, !isOptional { unknown.append(failure("there is no filter '\(name)'")) }
    let isCalled = token == .sign("(")
    return TemplateFilter(
      name: name, kind: kind, arguments: isCalled ? try arguments() : TemplateArguments())
  }

  private mutating func test(
    _ value: TemplateExpression
  ) throws(TemplateFailure) -> TemplateExpression {
    let isNegated = skip(word: "not")
    var name = try name()
    while skip(sign: ".") { name += "." + (try self.name()) }
    var arguments = TemplateArguments()
    switch token {
    case .sign("("): arguments = try self.arguments()
    case .name("else"), .name("or"), .name("and"): break
    case .name("is"): throw failure("tests cannot be chained")
    case .name, .string, .integer, .double, .sign("["), .sign("{"):
      // Whatever word follows is the argument, 'if' too.
      let argument = try primary()
      arguments.positional = [try postfix(argument)]
    default: break
    }
    let kind = TemplateTestKind(name)
    if kind == nil, !isOptional { unknown.append(failure("there is no test '\(name)'")) }
    let test = TemplateExpression.test(
      value, TemplateTest(name: name, kind: kind, arguments: arguments))
    return isNegated ? .not(test) : test
  }

  private mutating func arguments() throws(TemplateFailure) -> TemplateArguments {
    try expect(.sign("("))
    var result = TemplateArguments()
    var isFirst = true
    while token != .sign(")") {
      if !isFirst { try expect(.sign(",")) }
      isFirst = false
      if token == .sign(")") { break }
      if skip(sign: "*") {
        result.list = try expression()
      } else if skip(sign: "**") {
        result.dictionary = try expression()
      } else if case .name(let name) = token, next == .sign("=") {
        advance()
        advance()
        result.named.append((name, try expression()))
      } else {
        guard result.named.isEmpty, result.list == nil, result.dictionary == nil else {
          throw failure("an argument by position must not come behind one by name")
        }
        result.positional.append(try expression())
      }
    }
    advance()
    return result
  }
}
