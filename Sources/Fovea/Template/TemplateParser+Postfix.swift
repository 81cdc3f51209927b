extension TemplateParser {
  /// Attributes, items and calls behind a value.
  mutating func postfix(
    _ start: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    var value = start
    while true {
      switch token {
      case .sign("."): value = try bounded(attribute(of: value))
      case .sign("["): value = try bounded(subscripted(value))
      case .sign("("): value = try bounded(called(value))
      default: return value
      }
    }
  }

  private mutating func called(
    _ value: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    TemplateCallExpression(value, try arguments())
  }

  private mutating func attribute(
    of value: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    advance()
    switch token {
    case .name(let name):
      advance()
      return TemplateAttributeExpression(value, TemplateAttribute(name))
    case .integer(let index):
      advance()
      return TemplateItemExpression(value, TemplateConstant(.integer(index)))
    default: throw unexpected("a name")
    }
  }

  private mutating func subscripted(
    _ value: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    advance()
    var parts: [(any TemplateExpression)?] = [nil]
    while token != .sign("]") {
      if skip(sign: ":") {
        parts.append(nil)
      } else {
        parts[parts.count - 1] = try bound()
      }
    }
    advance()
    return try item(of: value, parts)
  }

  /// A part of what stands in brackets.
  private mutating func bound() throws(TemplateFailure) -> any TemplateExpression {
    if token == .sign(",") { throw failure("several indices", .unsupported) }
    let value = try expression()
    switch token {
    case .sign("]"), .sign(":"), .sign(","): return value
    default: throw unexpected("']'")
    }
  }

  private func item(
    of value: any TemplateExpression, _ parts: [(any TemplateExpression)?]
  ) throws(TemplateFailure) -> any TemplateExpression {
    if parts.count > 3 { throw failure("a slice has three parts at most") }
    if parts.count > 1 { return TemplateSliceExpression(value, parts) }
    guard let index = parts[0] else { throw failure("an index must come before ']'") }
    return TemplateItemExpression(value, index)
  }

  /// Filters, tests and calls behind a value.
  mutating func filtered(
    _ start: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    var value = start
    while true {
      switch token {
      case .sign("|"):
        advance()
        try enter()
        value = try bounded(TemplateFilterExpression(value, filter()))
        leave()
      case .name("is"):
        advance()
        try enter()
        value = try bounded(test(value))
        leave()
      case .sign("("): value = try bounded(called(value))
      default: return value
      }
    }
  }

  mutating func filter() throws(TemplateFailure) -> TemplateFilter {
    let name = try dottedName()
    let kind = TemplateFilterKind(rawValue: name)
    if kind == nil, !isOptional { unknown.append(failure("there is no filter '\(name)'")) }
    let isCalled = token == .sign("(")
    return TemplateFilter(
      name: name, kind: kind, arguments: isCalled ? try arguments() : TemplateArguments())
  }

  private mutating func test(
    _ value: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    let isNegated = skip(word: "not")
    let name = try dottedName()
    let arguments = try testArguments()
    let kind = TemplateTestKind(name)
    if kind == nil, !isOptional { unknown.append(failure("there is no test '\(name)'")) }
    let test = TemplateTestExpression(
      value, TemplateTest(name: name, kind: kind, arguments: arguments))
    return isNegated ? TemplateNotExpression(test) : test
  }

  private mutating func dottedName() throws(TemplateFailure) -> String {
    var name = try name()
    while skip(sign: ".") { name += "." + (try self.name()) }
    return name
  }

  private mutating func testArguments() throws(TemplateFailure) -> TemplateArguments {
    switch token {
    case .sign("("): return try arguments()
    case .name("is"): throw failure("tests cannot be chained")
    case .name("else"), .name("or"), .name("and"): return TemplateArguments()
    case .name, .string, .integer, .double, .sign("["), .sign("{"):
      // Whatever word follows is the argument, 'if' too.
      let argument = try primary()
      return TemplateArguments(positional: [try postfix(argument)])
    default: return TemplateArguments()
    }
  }

  private mutating func arguments() throws(TemplateFailure) -> TemplateArguments {
    try expect(.sign("("))
    var result = TemplateArguments()
    var isFirst = true
    while token != .sign(")") {
      if !isFirst { try expect(.sign(",")) }
      isFirst = false
      if token == .sign(")") { break }
      try argument(&result)
    }
    advance()
    return result
  }

  private mutating func argument(_ result: inout TemplateArguments) throws(TemplateFailure) {
    if skip(sign: "*") {
      result.list = try expression()
    } else if skip(sign: "**") {
      result.dictionary = try expression()
    } else if next == .sign("="), case .name(let name) = token {
      advance()
      advance()
      result.named.append((name, try expression()))
    } else {
      guard result.isPositional else {
        throw failure("an argument by position must not come behind one by name")
      }
      result.positional.append(try expression())
    }
  }
}
