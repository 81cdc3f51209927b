/// Reads the tokens of a template.
struct TemplateParser {
  private let items: [TemplateLexer.Item]
  private var position = 0
  private var depth = 0
  /// For each macro around: what its body asks for beyond its parameters.
  var macros: [TemplateMacro.Uses] = []
  /// How many loops are around, up to the nearest macro.
  var loops = 0
  /// Whether what is read may never be run: only there is an unknown filter or test no error yet.
  var isOptional = false
  /// Filters and tests that do not exist, where that is an error.
  var unknown: [TemplateFailure] = []
  /// The names in the template, in order of their symbols.
  private(set) var names: [String] = []
  private var symbols: [String: TemplateSymbol] = [:]

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
  var offset: Int { items[position].offset }

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
      throw unexpected(wanted.description)
    }
    advance()
  }

  mutating func name() throws(TemplateFailure) -> String {
    guard case .name(let name) = token else {
      throw unexpected("a name")
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

  /// What came in place of what should have.
  func unexpected(_ wanted: String) -> TemplateFailure {
    failure("\(wanted) must come here, not \(token.description)")
  }

  func failure(
    _ message: String, _ kind: TemplateFailure.Kind = .invalid
  ) -> TemplateFailure {
    TemplateFailure(message, kind, at: offset)
  }

  /// One level further in; a `leave` belongs to it.
  mutating func enter() throws(TemplateFailure) {
    if depth >= TemplateLimits.depthOfSource {
      throw failure("the template is nested too deeply", .tooLong)
    }
    depth += 1
  }

  mutating func leave() { depth -= 1 }

  /// An expression that is not nested too deeply: chains can be, without brackets.
  func bounded(
    _ expression: any TemplateExpression
  ) throws(TemplateFailure) -> any TemplateExpression {
    if expression.depth > TemplateLimits.depthOfSource {
      throw failure("the template is nested too deeply", .tooLong)
    }
    return expression
  }
}
