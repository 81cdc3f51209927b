/// Reads the tokens of a template.
struct TemplateParser {
  /// The symbols of what a macro gets without naming it, where its body asks for that.
  struct MacroUses {
    var varargs: TemplateSymbol?
    var kwargs: TemplateSymbol?
    var caller: TemplateSymbol?
  }

  private let items: [TemplateLexer.Item]
  private var position = 0
  private var depth = 0
  /// For each macro around: what its body asks for beyond its parameters.
  var macros: [MacroUses] = []
  /// How many loops are around, up to the nearest macro.
  private var loops = 0
  /// Whether what is read may never be run: only there is an unknown filter or test no error yet.
  var isOptional = false
  /// Filters and tests that do not exist, where that is an error.
  var unknown: [TemplateFailure] = []
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

  var token: TemplateToken { items[position].token }
  private var offset: Int { items[position].offset }

  var next: TemplateToken {
    position + 1 < items.count ? items[position + 1].token : .end
  }

  mutating func advance() { if position + 1 < items.count { position += 1 } }

  mutating func skip(sign: String) -> Bool {
    guard token == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func skip(word: String) -> Bool {
    guard token == .name(word) else { return false }
    advance()
    return true
  }

  mutating func expect(_ wanted: TemplateToken) throws(TemplateFailure) {
    guard token == wanted else {
      throw failure("\(wanted.description) must come here, not \(token.description)")
    }
    advance()
  }

  mutating func name() throws(TemplateFailure) -> String {
    guard case .name(let name) = token else {
      throw failure("a name must come here, not \(token.description)")
    }
    advance()
    return name
  }

  mutating func symbol(_ name: String) -> TemplateSymbol {
    if let symbol = symbols[name] { return symbol }
    let symbol = TemplateSymbol(index: names.count)
    symbols[name] = symbol
    names.append(name)
    return symbol
  }

  func failure(
    _ message: String, _ kind: TemplateFailure.Kind = .invalid
  ) -> TemplateFailure {
    TemplateFailure(message, kind, at: offset)
  }

  /// One level further in; a `leave` belongs to it.
  mutating func enter() throws(TemplateFailure) {
    if depth >= Self.deepest { throw failure("the template is nested too deeply", .tooLong) }
    depth += 1
  }

  mutating func leave() { depth -= 1 }

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
        try enter()
        let kind = try statement()
        leave()
        try expect(.endStatement)
        body.append(TemplateStatement(kind: kind, offset: start))
      case .end where words.isEmpty: return body
      default:
        throw failure("'\(words.last ?? "")' must come before \(token.description)")
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
    macros.append(MacroUses())
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
}
