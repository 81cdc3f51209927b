/// `for … in … if … recursive`.
final class TemplateLoop: TemplateAction {
  let target: TemplateTarget
  let items: any TemplateExpression
  let condition: (any TemplateExpression)?
  let isRecursive: Bool
  /// The symbol of `loop`.
  let symbol: TemplateSymbol
  let body: TemplateBlock
  let otherwise: TemplateBlock

  init(
    target: TemplateTarget, items: any TemplateExpression, condition: (any TemplateExpression)?,
    isRecursive: Bool, symbol: TemplateSymbol, body: TemplateBlock, otherwise: TemplateBlock
  ) {
    self.target = target
    self.items = items
    self.condition = condition
    self.isRecursive = isRecursive
    self.symbol = symbol
    self.body = body
    self.otherwise = otherwise
  }

  var expressions: [any TemplateExpression] { [items] + [condition].compactMap { $0 } }

  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {
    names.read(items, frame)
  }

  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> (any TemplateAction)? {
    TemplateLoop(
      target: target, items: items, condition: condition, isRecursive: isRecursive,
      symbol: symbol,
      body: names.block(body, parameters: names.symbols(target) + [symbol], frame),
      otherwise: names.block(otherwise, parameters: [], frame))
  }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    try self.run(run, over: items.value(run, scope), in: scope, depth0: 0)
  }

  /// - Parameter depth0: How many loops of a recursive one are around.
  func run(
    _ run: TemplateRun, over value: TemplateValue, in scope: TemplateScope, depth0: Int
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    let state = try state(run, value, scope, depth0)
    var isDone = false
    var inner = TemplateScope(scope)
    while try begin(run, state, inner) {
      let flow = try run.run(body, inNew: inner)
      // A scope that something else holds stays as it is.
      if isKnownUniquelyReferenced(&inner) { inner.reset() } else { inner = TemplateScope(scope) }
      if flow == .stop { break }
      // Jinja notes that there was a pass at the end of the pass.
      if flow == .on { isDone = true }
    }
    if isDone || otherwise.statements.isEmpty { return .on }
    return try run.run(otherwise, inNew: TemplateScope(scope))
  }

  /// Begins a pass; false when there is no further one.
  private func begin(
    _ run: TemplateRun, _ state: TemplateLoopState, _ scope: TemplateScope
  ) throws(TemplateFailure) -> Bool {
    guard let item = try state.advance() else { return false }
    try run.step()
    scope.set(symbol, .object(state))
    try run.assign(item, to: target, in: scope)
    return true
  }

  private func state(
    _ run: TemplateRun, _ value: TemplateValue, _ scope: TemplateScope, _ depth0: Int
  ) throws(TemplateFailure) -> TemplateLoopState {
    if isRecursive || condition != nil { try run.keep(scope) }
    let state = TemplateLoopState(
      self, try source(run, run.items(of: value), scope), in: scope, depth0: depth0,
      depth: value.depth + 1)
    try run.check(depth: state.depth)
    return state
  }

  private func source(
    _ run: TemplateRun, _ items: [TemplateValue], _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateLoopSource {
    guard let condition else { return TemplateLoopSource(items) }
    return TemplateLoopSource(items) { [target] item throws(TemplateFailure) in
      // The way here is long.
      try run.enter(2)
      try run.step()
      let inner = TemplateScope(scope)
      try run.assign(item, to: target, in: inner)
      let isTrue = try condition.isTrue(run, inner)
      run.leave(2)
      return isTrue
    }
  }
}
