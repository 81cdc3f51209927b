extension TemplateParser {
  /// Statements up to a tag with one of these words, which is the present token then.
  mutating func statements(
    until words: [String]
  ) throws(TemplateFailure) -> [TemplateStatement] {
    var body: [TemplateStatement] = []
    while true {
      let start = offset
      switch token {
      case .text, .beginOutput: body.append(TemplateStatement(try output(), offset: start))
      case .beginStatement:
        advance()
        if case .name(let word) = token, words.contains(word) { return body }
        try enter()
        body.append(TemplateStatement(try statement(), offset: start))
        leave()
        try expect(.endStatement)
      default:
        if token == .end, words.isEmpty { return body }
        throw failure("'\(words.last ?? "")' must come before \(token.description)")
      }
    }
  }

  /// Text outside of all tags, or the value of an output.
  private mutating func output() throws(TemplateFailure) -> any TemplateAction {
    if case .text(let units) = token {
      advance()
      return TemplateTextAction(TemplateText(units: units))
    }
    advance()
    let value = try tuple()
    try expect(.endOutput)
    return TemplateOutput(value)
  }

  private mutating func body(until words: String...) throws(TemplateFailure) -> TemplateBlock {
    try expect(.endStatement)
    return TemplateBlock(statements: try statements(until: words))
  }

  private mutating func statement() throws(TemplateFailure) -> any TemplateAction {
    let start = offset
    let word = try name()
    switch word {
    case "for": return try loop()
    case "if": return try conditional()
    case "set": return try set()
    case "macro": return try macro()
    case "call": return try call()
    case "filter": return try filterBlock()
    case "with": return try with()
    case "generation":
      return TemplateWith([], try closedBody("endgeneration"))
    case "print": return TemplateOutput(try tuple())
    default: return try other(word, at: start)
    }
  }

  /// What has no body.
  private func other(_ word: String, at start: Int) throws(TemplateFailure) -> any TemplateAction {
    switch word {
    case "break", "continue":
      guard loops > 0 else { throw TemplateFailure("'\(word)' is not in a loop", at: start) }
      return TemplateJump(word == "break" ? .stop : .skip)
    case "block", "extends", "include", "import", "from", "autoescape", "trans", "do", "debug":
      throw TemplateFailure("the statement '\(word)'", .unsupported, at: start)
    default:
      throw TemplateFailure("the statement '\(word)' is not known here", at: start)
    }
  }

  /// Statements up to the end that belongs to them, which is passed.
  private mutating func closedBody(_ end: String) throws(TemplateFailure) -> TemplateBlock {
    let inner = try body(until: end)
    advance()
    return inner
  }

  private mutating func filterBlock() throws(TemplateFailure) -> any TemplateAction {
    var filters = [try filter()]
    while skip(sign: "|") { filters.append(try filter()) }
    return TemplateSetBlock(nil, filters, try closedBody("endfilter"))
  }

  private mutating func loop() throws(TemplateFailure) -> any TemplateAction {
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
    return TemplateLoop(
      target: target, items: items, condition: condition, isRecursive: isRecursive,
      symbol: symbol("loop"), body: inner, otherwise: otherwise)
  }

  private mutating func conditional() throws(TemplateFailure) -> any TemplateAction {
    let wasOptional = isOptional
    isOptional = true
    defer { isOptional = wasOptional }
    var branches: [TemplateConditional.Branch] = []
    var condition: (any TemplateExpression)? = try tuple(withCondition: false)
    while true {
      let inner = try body(until: "elif", "else", "endif").statements
      branches.append(TemplateConditional.Branch(condition, inner))
      if skip(word: "elif") {
        condition = try tuple(withCondition: false)
      } else if skip(word: "else") {
        branches.append(TemplateConditional.Branch(nil, try body(until: "endif").statements))
        advance()
        return TemplateConditional(branches)
      } else {
        advance()
        return TemplateConditional(branches)
      }
    }
  }

  private mutating func set() throws(TemplateFailure) -> any TemplateAction {
    let target = try targets(until: { $0 == .sign("=") || $0 == .endStatement || $0 == .sign("|") })
    if skip(sign: "=") { return TemplateSet(target, try tuple()) }
    var filters: [TemplateFilter] = []
    while skip(sign: "|") { filters.append(try filter()) }
    return TemplateSetBlock(target, filters, try closedBody("endset"))
  }

  private mutating func macro() throws(TemplateFailure) -> any TemplateAction {
    let name = try name()
    let symbol = symbol(name)
    return TemplateMacroDefinition(
      try macro(name, symbol, parameters: parameters(), end: "endmacro"))
  }

  private mutating func call() throws(TemplateFailure) -> any TemplateAction {
    let parameters = token == .sign("(") ? try parameters() : []
    let start = offset
    let callee = try expression()
    guard let callee = callee as? TemplateCallExpression else {
      throw TemplateFailure("'call' needs a call", at: start)
    }
    let block = try macro("caller", symbol("caller"), parameters: parameters, end: "endcall")
    return TemplateCallBlock(block, callee)
  }

  private mutating func macro(
    _ name: String, _ symbol: TemplateSymbol, parameters: [TemplateMacro.Parameter], end: String
  ) throws(TemplateFailure) -> TemplateMacro {
    let around = (loops, isOptional)
    (loops, isOptional) = (0, false)
    macros.append(TemplateMacro.Uses())
    let body = try closedBody(end)
    (loops, isOptional) = around
    return TemplateMacro(
      name: name, symbol: symbol, parameters: parameters, body: body,
      uses: macros.popLast() ?? TemplateMacro.Uses())
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

  private mutating func with() throws(TemplateFailure) -> any TemplateAction {
    var values: [(target: TemplateTarget, value: any TemplateExpression)] = []
    while token != .endStatement {
      if !values.isEmpty { try expect(.sign(",")) }
      let target = try target()
      try expect(.sign("="))
      values.append((target, try expression()))
    }
    return TemplateWith(values, try closedBody("endwith"))
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
      try enter()
      let inner = try targets(until: { $0 == .sign(")") })
      leave()
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
}
