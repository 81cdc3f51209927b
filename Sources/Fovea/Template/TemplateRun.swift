/// One run of a template: statements write to ``output``, names live in scopes.
///
/// Jinja compiles a template to Python; what can be seen of that is kept, for example that the names
/// of a loop's pass end with it, that `if` has no names of its own, and that a macro sees the names
/// around it as they are when it is called.
final class TemplateRun {
  /// What a statement leaves to those around it.
  enum Flow {
    case on
    case stop
    case skip
  }

  /// What is written; a block that is kept, as a macro's call, has one of its own.
  var output: [UInt32] = []
  /// Seconds since 1970, in local time.
  let now: Int64
  /// Values of names that no scope has, by symbol.
  private let globals: [TemplateValue?]
  private let names: [String]
  private let limits: TemplateLimits
  private var steps = 0
  private var written = 0
  private var depth = 0
  /// What may hold itself, and is cleared at the end.
  private var namespaces: [TemplateNamespace] = []
  private var scopes: [TemplateScope] = []

  init(names: [String], globals: [TemplateValue?], now: Int64, limits: TemplateLimits) {
    self.names = names
    self.globals = globals
    self.now = now
    self.limits = limits
  }

  /// Runs the whole template.
  func run(_ body: TemplateBlock) throws(TemplateFailure) -> TemplateText {
    defer {
      for namespace in namespaces { namespace.clear() }
      for scope in scopes { scope.clear() }
    }
    _ = try run(body, inNew: TemplateScope(nil))
    return TemplateText(units: output)
  }

  // MARK: Limits

  /// Counts a step.
  @inline(__always)
  func step() throws(TemplateFailure) {
    steps += 1
    if steps > limits.steps {
      throw TemplateFailure("the template takes more than \(limits.steps) steps", .tooLong)
    }
  }

  /// Counts what is about to be made: characters or items.
  func spend(_ count: Int) throws(TemplateFailure) {
    let (sum, overflow) = written.addingReportingOverflow(max(count, 0))
    if overflow || sum > limits.characters {
      throw TemplateFailure(
        "the template makes more than \(limits.characters) characters", .tooLong)
    }
    written = sum
  }

  /// One level further in; a `leave` belongs to it, whatever is thrown in between.
  func enter() throws(TemplateFailure) {
    if depth >= limits.depth {
      throw TemplateFailure("the template's run is nested too deeply", .tooLong)
    }
    depth += 1
  }

  func leave() { depth -= 1 }

  /// A list that is not nested too deeply.
  func list(_ items: [TemplateValue]) throws(TemplateFailure) -> TemplateList {
    try spend(items.count)
    let list = TemplateList(items)
    try check(depth: list.depth)
    return list
  }

  func check(depth: Int) throws(TemplateFailure) {
    if depth > limits.depth { throw TemplateFailure("values are nested too deeply", .tooLong) }
  }

  func keep(_ namespace: TemplateNamespace) { namespaces.append(namespace) }

  // MARK: Names

  func value(of symbol: TemplateSymbol, in scope: TemplateScope) -> TemplateValue {
    scope[symbol] ?? globals[symbol.index]
      ?? .undefined("'\(names[symbol.index])' has no value here")
  }

  func assign(
    _ value: TemplateValue, to target: TemplateTarget, in scope: TemplateScope
  ) throws(TemplateFailure) {
    switch target {
    case .name(let symbol): scope.set(symbol, value)
    case .attribute(let symbol, let name):
      guard case .object(let object) = self.value(of: symbol, in: scope),
        let namespace = object as? TemplateNamespace
      else {
        throw TemplateFailure(
          "only a namespace's attributes can be set, and '\(names[symbol.index])' is none")
      }
      namespace[name] = value
    case .tuple(let targets):
      let items = try self.items(of: value)
      guard items.count == targets.count else {
        throw TemplateFailure(
          "\(targets.count) names cannot take \(items.count) values")
      }
      for (target, item) in zip(targets, items) { try assign(item, to: target, in: scope) }
    }
  }

  // MARK: Statements

  /// Runs a block in a scope that was made for it.
  func run(
    _ block: TemplateBlock, inNew scope: TemplateScope
  ) throws(TemplateFailure) -> Flow {
    for symbol in block.hidden {
      scope.set(symbol, .undefined("'\(names[symbol.index])' has no value yet"))
    }
    return try run(block.statements, in: scope)
  }

  func run(
    _ body: [TemplateStatement], in scope: TemplateScope
  ) throws(TemplateFailure) -> Flow {
    for statement in body {
      try step()
      do throws(TemplateFailure) {
        let flow = try run(statement.kind, in: scope)
        if flow != .on { return flow }
      } catch {
        var failure = error
        if failure.offset == nil { failure.offset = statement.offset }
        throw failure
      }
    }
    return .on
  }

  /// What a part writes.
  func capture(
    _ body: () throws(TemplateFailure) -> Flow
  ) throws(TemplateFailure) -> (text: TemplateText, flow: Flow) {
    try enter()
    var around: [UInt32] = []
    swap(&around, &output)
    defer {
      swap(&around, &output)
      leave()
    }
    let flow = try body()
    return (TemplateText(units: output), flow)
  }

  /// What a block writes, in a scope of its own.
  private func capture(
    _ block: TemplateBlock, inNew scope: TemplateScope
  ) throws(TemplateFailure) -> (text: TemplateText, flow: Flow) {
    try capture { () throws(TemplateFailure) in try run(block, inNew: scope) }
  }

  func write(_ value: TemplateValue) throws(TemplateFailure) {
    if let text = value.string {
      try write(text)
    } else {
      try write(self.text(of: value))
    }
  }

  private func write(_ text: TemplateText) throws(TemplateFailure) {
    try spend(text.count)
    output += text.units
  }

  private func run(
    _ kind: TemplateStatement.Kind, in scope: TemplateScope
  ) throws(TemplateFailure) -> Flow {
    switch kind {
    case .text(let units):
      try spend(units.count)
      output += units
    case .output(let expression): try write(value(of: expression, in: scope))
    case .conditional(let branches):
      for branch in branches {
        guard let condition = branch.condition else { return try run(branch.body, in: scope) }
        if try value(of: condition, in: scope).isTrue {
          try enter()
          defer { leave() }
          return try run(branch.body, in: scope)
        }
      }
    case .loop(let loop):
      let items = try self.value(of: loop.items, in: scope)
      try enter()
      defer { leave() }
      return try run(loop, over: items, in: scope, depth0: 0)
    case .set(let target, let expression):
      try assign(value(of: expression, in: scope), to: target, in: scope)
    case .setBlock(let target, let filters, let body):
      let inner = TemplateScope(scope)
      let (text, flow) = try capture(body, inNew: inner)
      if flow != .on { return flow }
      try assign(filtered(text, by: filters, in: scope), to: target, in: scope)
    case .filterBlock(let filters, let body):
      let inner = TemplateScope(scope)
      let (text, flow) = try capture(body, inNew: inner)
      if flow != .on { return flow }
      let result = try filtered(text, by: filters, in: inner)
      guard result.string != nil else {
        throw TemplateFailure("the filters of a 'filter' block must give a text")
      }
      try write(result)
    case .macro(let macro):
      scopes.append(scope)
      scope.set(macro.symbol, .object(TemplateMacroValue(macro, in: scope)))
    case .callBlock(let macro, let expression):
      guard case .call(let callee, let arguments) = expression else { break }
      var given = try self.arguments(arguments, in: scope)
      given.named.append(("caller", .object(TemplateMacroValue(macro, in: scope))))
      let target = try value(of: callee, in: scope)
      try write(call(target, given))
    case .with(let values, let body):
      let inner = TemplateScope(scope)
      // All values are found before any name is given one.
      var found: [TemplateValue] = []
      for entry in values { found.append(try value(of: entry.value, in: scope)) }
      for (entry, value) in zip(values, found) { try assign(value, to: entry.target, in: inner) }
      try enter()
      defer { leave() }
      return try run(body, inNew: inner)
    case .generation(let body):
      try enter()
      defer { leave() }
      return try run(body, inNew: TemplateScope(scope))
    case .stop: return .stop
    case .skip: return .skip
    }
    return .on
  }

  private func filtered(
    _ text: TemplateText, by filters: [TemplateFilter], in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    var value = TemplateValue.text(text)
    for filter in filters {
      value = try apply(filter, to: value, arguments(filter.arguments, in: scope))
    }
    return value
  }

  // MARK: Loops

  func run(
    _ loop: TemplateLoop, over value: TemplateValue, in scope: TemplateScope, depth0: Int
  ) throws(TemplateFailure) -> Flow {
    let state = TemplateLoopState(
      loop, try source(of: loop, value, in: scope), in: scope, depth0: depth0)
    var isDone = false
    while let item = try state.advance() {
      try step()
      let inner = TemplateScope(scope)
      inner.set(loop.symbol, .object(state))
      try assign(item, to: loop.target, in: inner)
      let flow = try run(loop.body, inNew: inner)
      if flow == .stop { break }
      // Jinja notes that there was a pass at the end of the pass.
      if flow == .on { isDone = true }
    }
    if isDone || loop.otherwise.statements.isEmpty { return .on }
    return try run(loop.otherwise, inNew: TemplateScope(scope))
  }

  private func source(
    of loop: TemplateLoop, _ value: TemplateValue, in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateLoopSource {
    let items = try self.items(of: value)
    guard let condition = loop.condition else { return TemplateLoopSource(items) }
    return TemplateLoopSource(items) { [self] item throws(TemplateFailure) in
      try step()
      let inner = TemplateScope(scope)
      try assign(item, to: loop.target, in: inner)
      return try self.value(of: condition, in: inner).isTrue
    }
  }
}

/// How much a template may do: real ones need a small part of it.
struct TemplateLimits: Sendable {
  /// Statements, expressions and passes of loops.
  var steps = 20_000_000
  /// Characters and items of lists, with all that is not written in the end.
  var characters = 64_000_000
  /// How deep a run, and a value, may be nested.
  var depth = 200
}
