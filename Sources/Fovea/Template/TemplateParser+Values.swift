extension TemplateParser {
  /// A value with what stands before and behind it.
  mutating func unary(
    withFilter: Bool = true
  ) throws(TemplateFailure) -> any TemplateExpression {
    var value: any TemplateExpression
    if skip(sign: "-") {
      value = TemplateSignExpression(try operand(), isNegative: true)
    } else if skip(sign: "+") {
      value = TemplateSignExpression(try operand(), isNegative: false)
    } else {
      value = try primary()
    }
    value = try postfix(value)
    return withFilter ? try filtered(value) : value
  }

  /// What stands behind a sign.
  private mutating func operand() throws(TemplateFailure) -> any TemplateExpression {
    try enter()
    let value = try unary(withFilter: false)
    leave()
    return value
  }

  mutating func primary() throws(TemplateFailure) -> any TemplateExpression {
    switch token {
    case .sign("("): return try bracketed()
    case .sign("["): return try list()
    case .sign("{"): return try dictionary()
    default: return try atom()
    }
  }

  private mutating func atom() throws(TemplateFailure) -> any TemplateExpression {
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
      return TemplateConstant(.text(TemplateText(units: units)))
    case .integer(let value):
      advance()
      return TemplateConstant(.integer(value))
    case .double(let value):
      advance()
      return TemplateConstant(.double(value))
    default:
      throw unexpected("a value")
    }
  }

  private mutating func bracketed() throws(TemplateFailure) -> any TemplateExpression {
    advance()
    if skip(sign: ")") { return TemplateListExpression([], isTuple: true) }
    try enter()
    let value = try tuple()
    leave()
    try expect(.sign(")"))
    return value
  }

  /// What a name stands for.
  private mutating func named(_ name: String) -> any TemplateExpression {
    switch name {
    case "true", "True": return TemplateConstant(.boolean(true))
    case "false", "False": return TemplateConstant(.boolean(false))
    case "none", "None": return TemplateConstant(.none)
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
    return TemplateName(symbol, name)
  }

  private mutating func list() throws(TemplateFailure) -> any TemplateExpression {
    advance()
    var parts: [any TemplateExpression] = []
    while token != .sign("]") {
      if !parts.isEmpty { try expect(.sign(",")) }
      if token == .sign("]") { break }
      parts.append(try expression())
    }
    advance()
    return TemplateListExpression(parts, isTuple: false)
  }

  private mutating func dictionary() throws(TemplateFailure) -> any TemplateExpression {
    advance()
    var parts: [(key: any TemplateExpression, value: any TemplateExpression)] = []
    while token != .sign("}") {
      if !parts.isEmpty { try expect(.sign(",")) }
      if token == .sign("}") { break }
      let key = try expression()
      try expect(.sign(":"))
      parts.append((key, try expression()))
    }
    advance()
    return TemplateDictionaryExpression(parts)
  }
}
