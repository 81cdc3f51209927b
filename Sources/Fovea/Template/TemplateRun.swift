/// One run of a template: statements write to ``output``, names live in scopes.
///
/// Jinja compiles a template to Python; what can be seen of that is kept, for example that the names
/// of a loop's pass end with it, that `if` has no names of its own, and that a macro sees the names
/// around it as they are when it is called.
final class TemplateRun {
  /// What a statement leaves to those around it.
  enum Flow: Sendable {
    case on
    case stop
    case skip
  }

  /// What is written; a block that is kept, as a macro's call, has one of its own.
  var output = TemplateTextBuilder()
  /// Seconds since 1970, in local time.
  let now: Int64
  /// Values of the outermost names, by symbol, at first.
  private let globals: [TemplateValue?]
  private let names: [String]
  private let limits: TemplateLimits
  private var steps = 0
  private var written = 0
  var depth = 0
  /// What may hold itself, and is cleared at the end.
  private var namespaces: [TemplateNamespace] = []
  private var scopes: [TemplateScope] = []
  private var loops: [TemplateLoopState] = []

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
      for loop in loops { loop.latest = nil }
    }
    _ = try run(body, inNew: TemplateScope(globals))
    return output.text
  }

  // MARK: Limits

  /// Counts a step.
  @inline(__always)
  func step() throws(TemplateFailure) {
    steps += 1
    if steps > limits.steps { throw tooManySteps }
  }

  private var tooManySteps: TemplateFailure {
    TemplateFailure("the template takes more than \(limits.steps) steps", .tooLong)
  }

  /// Counts a look through a text: a step for every 256 bytes, and as many again for every 8 bytes
  /// of what is looked for.
  func look(through text: TemplateText, for part: TemplateText? = nil) throws(TemplateFailure) {
    let lines = 1 + text.byteCount / 256
    let (cost, overflow) = lines.multipliedReportingOverflow(by: 1 + (part?.byteCount ?? 0) / 8)
    let (sum, isOver) = steps.addingReportingOverflow(cost)
    if overflow || isOver || sum > limits.steps { throw tooManySteps }
    steps = sum
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

  /// Some levels further in; a `leave` belongs to it. Where something is thrown in between, none is
  /// needed: ``lazily(_:)``, which alone goes on then, puts the depth back.
  @inline(__always)
  func enter(_ levels: Int = 1) throws(TemplateFailure) {
    depth += levels
    if depth > limits.depth { throw tooDeep }
  }

  @inline(__always)
  func leave(_ levels: Int = 1) { depth -= levels }

  private var tooDeep: TemplateFailure {
    TemplateFailure("the template's run is nested too deeply", .tooLong)
  }

  /// A list that is not nested too deeply.
  func list(_ items: [TemplateValue]) throws(TemplateFailure) -> TemplateList {
    try spend(items.count * 8)
    let list = TemplateList(items)
    try check(depth: list.depth)
    return list
  }

  /// A value that holds others, not nested too deeply.
  func object(_ object: TemplateObject) throws(TemplateFailure) -> TemplateValue {
    try check(depth: object.depth)
    return .object(object)
  }

  func check(depth: Int) throws(TemplateFailure) {
    if depth > limits.depthOfValues {
      throw TemplateFailure("values are nested too deeply", .tooLong)
    }
  }

  /// Has a namespace cleared at the end, as it may hold itself, or a chain of values of any length.
  func keep(_ namespace: TemplateNamespace) throws(TemplateFailure) {
    try spend(Self.costOfKeeping)
    namespaces.append(namespace)
  }

  /// Has a scope cleared at the end that a macro or a loop holds, which the scope may hold.
  func keep(_ scope: TemplateScope) throws(TemplateFailure) {
    if scope.isKept { return }
    try spend(Self.costOfKeeping)
    scope.isKept = true
    scopes.append(scope)
  }

  /// Has a loop forget at the end what `loop.changed` saw.
  func keep(_ loop: TemplateLoopState) throws(TemplateFailure) {
    try spend(Self.costOfKeeping)
    loops.append(loop)
  }

  /// What is kept to the end counts as so many characters.
  private static let costOfKeeping = 100

  // MARK: Names

  func value(of symbol: TemplateSymbol, in scope: TemplateScope) -> TemplateValue {
    scope[symbol] ?? .undefined("'\(names[symbol.index])' has no value here")
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
      do throws(TemplateFailure) {
        try step()
        try enter(statement.depth)
        let flow = try statement.action.run(self, scope)
        leave(statement.depth)
        if flow != .on { return flow }
      } catch {
        var failure = error
        if failure.offset == nil { failure.offset = statement.offset }
        throw failure
      }
    }
    return .on
  }

  /// What a block writes, in a scope that was made for it.
  func capture(
    _ block: TemplateBlock, inNew scope: TemplateScope
  ) throws(TemplateFailure) -> (text: TemplateText, flow: Flow) {
    let around = beginCapture()
    let flow = try run(block, inNew: scope)
    return (endCapture(around), flow)
  }

  /// Has what is written go to a place of its own; `endCapture` belongs to it.
  func beginCapture() -> TemplateTextBuilder {
    let around = output
    output = TemplateTextBuilder()
    return around
  }

  /// What was written since `beginCapture`, which gave `around`.
  func endCapture(_ around: TemplateTextBuilder) -> TemplateText {
    let text = output.text
    output = around
    return text
  }

  func write(_ value: TemplateValue) throws(TemplateFailure) {
    if let text = value.string {
      try write(text)
    } else {
      try write(self.text(of: value))
    }
  }

  @inline(__always)
  func write(_ text: TemplateText) throws(TemplateFailure) {
    try spend(text.byteCount)
    output.append(text)
  }
}
