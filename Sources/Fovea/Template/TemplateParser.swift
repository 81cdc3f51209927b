/// Reads the tokens of a template.
struct TemplateParser {
  private let items: [TemplateLexer.Item]
  private var position = 0
  private var depth = 0
  /// For each macro around: what its body asks for beyond its parameters.
  private var macros:
    [(varargs: TemplateSymbol?, kwargs: TemplateSymbol?, caller: TemplateSymbol?)] =
      []
  /// How many loops are around, up to the nearest macro.
  private var loops = 0
  /// Whether what is read may never be run: only there is an unknown filter or test no error yet.
  private var isOptional = false
  /// Filters and tests that do not exist, where that is an error.
  private var unknown: [TemplateFailure] = []
  /// The names in the template, in order of their symbols.
  private(set) var names: [String] = []
  private var symbols: [String: TemplateSymbol] = [:]

  /// How deep statements and expressions may be nested.
  private static let deepest = 100

  init(_ source: String) throws(TemplateFailure) {
    items = try TemplateLexer.tokens(of: source)
  }

  mutating func parse() throws(TemplateFailure) -> TemplateBlock {
    let body = try statements(until: [])
    if let first = unknown.first { throw first }
    return TemplateNames.resolved(body)
  }

  // MARK: Tokens

  private var token: TemplateToken { items[position].token }
  private var offset: Int { items[position].offset }

  private var next: TemplateToken {
    position + 1 < items.count ? items[position + 1].token : .end
  }

  private mutating func advance() { if position + 1 < items.count { position += 1 } }

  private mutating func skip(sign: String) -> Bool {
    guard token == .sign(sign) else { return false }
    advance()
    return true
  }

  private mutating func skip(word: String) -> Bool {
    guard token == .name(word) else { return false }
    advance()
    return true
  }

  private mutating func expect(_ wanted: TemplateToken) throws(TemplateFailure) {
    guard token == wanted else {
      throw failure("\(wanted.description) must come here, not \(token.description)")
    }
    advance()
  }

  private mutating func name() throws(TemplateFailure) -> String {
    guard case .name(let name) = token else {
      throw failure("a name must come here, not \(token.description)")
    }
    advance()
    return name
  }

  private mutating func symbol(_ name: String) -> TemplateSymbol {
    if let symbol = symbols[name] { return symbol }
    let symbol = TemplateSymbol(index: names.count)
    symbols[name] = symbol
    names.append(name)
    return symbol
  }

  private func failure(
    _ message: String, _ kind: TemplateFailure.Kind = .invalid
  ) -> TemplateFailure {
    TemplateFailure(message, kind, at: offset)
  }

  private mutating func nested<T>(
    _ body: (inout TemplateParser) throws(TemplateFailure) -> T
  ) throws(TemplateFailure) -> T {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest { throw failure("the template is nested too deeply", .tooLong) }
    return try body(&self)
  }

  // MARK: Statements

  /// Statements up to a tag with one of these words, which is the present token then.
  private mutating func statements(
    until words: [String]
  ) throws(TemplateFailure) -> [TemplateStatement] {
    var body: [TemplateStatement] = []
    while true {
      let start = offset
      switch token {
      case .text(let units):
        advance()
        body.append(TemplateStatement(kind: .text(units), offset: start))
      case .beginOutput:
        advance()
        let value = try tuple()
        try expect(.endOutput)
        body.append(TemplateStatement(kind: .output(value), offset: start))
      case .beginStatement:
        advance()
        if case .name(let word) = token, words.contains(word) { return body }
        let kind = try nested { parser throws(TemplateFailure) in try parser.statement() }
        try expect(.endStatement)
        body.append(TemplateStatement(kind: kind, offset: start))
      case .end where words.isEmpty: return body
      default:
        throw failure(
          "'\(words.last ?? "")' must come before \(token.description)")
      }
    }
  }

  private mutating func body(until words: String...) throws(TemplateFailure) -> TemplateBlock {
    try expect(.endStatement)
    return TemplateBlock(statements: try statements(until: words))
  }

  private mutating func statement() throws(TemplateFailure) -> TemplateStatement.Kind {
    let start = offset
    let word = try name()
    switch word {
    case "for": return try loop()
    case "if": return try conditional()
    case "set": return try set()
    case "macro": return try macro()
    case "call": return try call()
    case "filter":
      let filters = try filterChain()
      let inner = try body(until: "endfilter")
      advance()
      return .filterBlock(filters, body: inner)
    case "with": return try with()
    case "generation":
      let inner = try body(until: "endgeneration")
      advance()
      return .generation(inner)
    case "break", "continue":
      guard loops > 0 else { throw TemplateFailure("'\(word)' is not in a loop", at: start) }
      return word == "break" ? .stop : .skip
    case "print":
      return .output(try tuple())
    case "block", "extends", "include", "import", "from", "autoescape", "trans", "do", "debug":
      throw TemplateFailure("the statement '\(word)'", .unsupported, at: start)
    default:
      throw TemplateFailure("the statement '\(word)' is not known here", at: start)
    }
  }

  private mutating func loop() throws(TemplateFailure) -> TemplateStatement.Kind {
    let target = try targets(until: { $0 == .name("in") })
    try expect(.name("in"))
    let items = try tuple(withCondition: false, stopsAt: ["recursive"])
    let condition = skip(word: "if") ? try expression() : nil
    let isRecursive = skip(word: "recursive")
    let wasOptional = isOptional
    isOptional = false
    defer { isOptional = wasOptional }
    loops += 1
    let inner = try body(until: "else", "endfor")
    loops -= 1
    var otherwise = TemplateBlock(statements: [])
    if skip(word: "else") { otherwise = try body(until: "endfor") }
    advance()
    return .loop(
      TemplateLoop(
        target: target, items: items, condition: condition, isRecursive: isRecursive,
        symbol: symbol("loop"), body: inner, otherwise: otherwise))
  }

  private mutating func conditional() throws(TemplateFailure) -> TemplateStatement.Kind {
    let wasOptional = isOptional
    isOptional = true
    defer { isOptional = wasOptional }
    var branches: [(condition: TemplateExpression?, body: [TemplateStatement])] = []
    var condition: TemplateExpression? = try tuple(withCondition: false)
    while true {
      let inner = try body(until: "elif", "else", "endif").statements
      branches.append((condition, inner))
      if skip(word: "elif") {
        condition = try tuple(withCondition: false)
      } else if skip(word: "else") {
        branches.append((nil, try body(until: "endif").statements))
        advance()
        return .conditional(branches)
      } else {
        advance()
        return .conditional(branches)
      }
    }
  }

  private mutating func set() throws(TemplateFailure) -> TemplateStatement.Kind {
    let target = try targets(until: { $0 == .sign("=") || $0 == .endStatement || $0 == .sign("|") })
    if skip(sign: "=") { return .set(target, try tuple()) }
    var filters: [TemplateFilter] = []
    while skip(sign: "|") { filters.append(try filter()) }
    let inner = try body(until: "endset")
    advance()
    return .setBlock(target, filters: filters, body: inner)
  }

  private mutating func macro() throws(TemplateFailure) -> TemplateStatement.Kind {
    let name = try name()
    var macro = TemplateMacro(
      name: name, symbol: symbol(name), parameters: try parameters(),
      body: TemplateBlock(statements: []))
    try fill(&macro, end: "endmacro")
    return .macro(macro)
  }

  private mutating func call() throws(TemplateFailure) -> TemplateStatement.Kind {
    let parameters = token == .sign("(") ? try parameters() : []
    let start = offset
    let callee = try expression()
    guard case .call = callee else { throw TemplateFailure("'call' needs a call", at: start) }
    var macro = TemplateMacro(
      name: "caller", symbol: symbol("caller"), parameters: parameters,
      body: TemplateBlock(statements: []))
    try fill(&macro, end: "endcall")
    return .callBlock(macro, callee)
  }

  private mutating func fill(
    _ macro: inout TemplateMacro, end: String
  ) throws(TemplateFailure) {
    let around = (loops, isOptional)
    (loops, isOptional) = (0, false)
    macros.append((nil, nil, nil))
    macro.body = try body(until: end)
    advance()
    (loops, isOptional) = around
    if let uses = macros.popLast() {
      macro.varargs = uses.varargs
      macro.kwargs = uses.kwargs
      macro.caller = uses.caller
    }
  }

  private mutating func parameters() throws(TemplateFailure) -> [TemplateMacro.Parameter] {
    var result: [TemplateMacro.Parameter] = []
    try expect(.sign("("))
    while token != .sign(")") {
      if !result.isEmpty { try expect(.sign(",")) }
      if token == .sign(")") { break }
      let name = try name()
      if skip(sign: "=") {
        result.append(.init(name: name, symbol: symbol(name), value: try expression()))
      } else if result.contains(where: { $0.value != nil }) {
        throw failure("'\(name)' needs a default value like those before it")
      } else {
        result.append(.init(name: name, symbol: symbol(name)))
      }
    }
    try expect(.sign(")"))
    return result
  }

  private mutating func with() throws(TemplateFailure) -> TemplateStatement.Kind {
    var values: [(target: TemplateTarget, value: TemplateExpression)] = []
    while token != .endStatement {
      if !values.isEmpty { try expect(.sign(",")) }
      let target = try target()
      try expect(.sign("="))
      values.append((target, try expression()))
    }
    let inner = try body(until: "endwith")
    advance()
    return .with(values, body: inner)
  }

  private mutating func filterChain() throws(TemplateFailure) -> [TemplateFilter] {
    var filters = [try filter()]
    while skip(sign: "|") { filters.append(try filter()) }
    return filters
  }

  /// One target, or several with commas, in brackets or not.
  private mutating func targets(
    until isEnd: (TemplateToken) -> Bool
  ) throws(TemplateFailure) -> TemplateTarget {
    var parts = [try target()]
    var isTuple = false
    while skip(sign: ",") {
      isTuple = true
      if isEnd(token) { break }
      parts.append(try target())
    }
    return isTuple ? .tuple(parts) : parts[0]
  }

  private mutating func target() throws(TemplateFailure) -> TemplateTarget {
    if skip(sign: "(") {
      let inner = try targets(until: { $0 == .sign(")") })
      try expect(.sign(")"))
      return inner
    }
    let start = offset
    let first = try name()
    if ["true", "false", "none", "True", "False", "None"].contains(first) {
      throw TemplateFailure("'\(first)' cannot be given a value", at: start)
    }
    if skip(sign: ".") { return .attribute(symbol(first), TemplateText(try name())) }
    return .name(symbol(first))
  }

  // MARK: Expressions

  /// One expression, or a tuple without brackets.
  private mutating func tuple(
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
    try nested { parser throws(TemplateFailure) in
      let before = parser.unknown.count
      var value = try parser.or()
      while parser.skip(word: "if") {
        let condition = try parser.or()
        let otherwise = parser.skip(word: "else") ? try parser.expression() : nil
        value = .conditional(condition, then: value, otherwise: otherwise)
        parser.unknown.removeLast(parser.unknown.count - before)
      }
      return value
    }
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
    return try nested { parser throws(TemplateFailure) in .not(try parser.not()) }
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

  private mutating func unary(withFilter: Bool = true) throws(TemplateFailure) -> TemplateExpression
  {
    var value: TemplateExpression
    if skip(sign: "-") {
      value = try nested { parser throws(TemplateFailure) in
        .negative(try parser.unary(withFilter: false))
      }
    } else if skip(sign: "+") {
      value = try nested { parser throws(TemplateFailure) in
        .positive(try parser.unary(withFilter: false))
      }
    } else {
      value = try primary()
    }
    value = try postfix(value)
    return withFilter ? try filtered(value) : value
  }

  private mutating func primary() throws(TemplateFailure) -> TemplateExpression {
    switch token {
    case .name(let name):
      advance()
      switch name {
      case "true", "True": return .constant(.boolean(true))
      case "false", "False": return .constant(.boolean(false))
      case "none", "None": return .constant(.none)
      default:
        if !macros.isEmpty {
          switch name {
          case "varargs": macros[macros.count - 1].varargs = symbol(name)
          case "kwargs": macros[macros.count - 1].kwargs = symbol(name)
          case "caller": macros[macros.count - 1].caller = symbol(name)
          default: break
          }
        }
        return .name(symbol(name), name)
      }
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
      let value = try nested { parser throws(TemplateFailure) in try parser.tuple() }
      try expect(.sign(")"))
      return value
    case .sign("["):
      advance()
      var parts: [TemplateExpression] = []
      while token != .sign("]") {
        if !parts.isEmpty { try expect(.sign(",")) }
        if token == .sign("]") { break }
        parts.append(try expression())
      }
      advance()
      return .list(parts)
    case .sign("{"):
      advance()
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
    default:
      throw failure("a value must come here, not \(token.description)")
    }
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

  private mutating func filter() throws(TemplateFailure) -> TemplateFilter {
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
