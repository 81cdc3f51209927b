/// `set target = value`.
final class TemplateSet: TemplateAction {
  let target: TemplateTarget
  let value: any TemplateExpression

  init(_ target: TemplateTarget, _ value: any TemplateExpression) {
    self.target = target
    self.value = value
  }

  var expressions: [any TemplateExpression] { [value] }

  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {
    names.read(value, frame)
    names.store(target, frame, inBranch)
  }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    try run.assign(value.value(run, scope), to: target, in: scope)
    return .on
  }
}

/// `set target … endset`, or `filter … endfilter`, which writes its text.
final class TemplateSetBlock: TemplateAction {
  /// nil for `filter`.
  let target: TemplateTarget?
  let filters: [TemplateFilter]
  let body: TemplateBlock

  init(_ target: TemplateTarget?, _ filters: [TemplateFilter], _ body: TemplateBlock) {
    self.target = target
    self.filters = filters
    self.body = body
  }

  var expressions: [any TemplateExpression] { filters.flatMap(\.arguments.parts) }

  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {
    if let target { return names.store(target, frame, inBranch) }
    for value in expressions { names.read(value, frame) }
  }

  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> (any TemplateAction)? {
    TemplateSetBlock(target, filters, names.block(body, parameters: [], frame))
  }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    let inner = TemplateScope(scope)
    let (text, flow) = try run.capture(body, inNew: inner)
    if flow == .on { try finish(text, run, scope, inner) }
    return flow
  }

  private func finish(
    _ text: TemplateText, _ run: TemplateRun, _ scope: TemplateScope, _ inner: TemplateScope
  ) throws(TemplateFailure) {
    var value = TemplateValue.text(text)
    for filter in filters {
      let arguments = try run.arguments(filter.arguments, in: target == nil ? inner : scope)
      value = try run.apply(filter, to: value, arguments)
    }
    if let target { return try run.assign(value, to: target, in: scope) }
    guard let text = value.string else {
      throw TemplateFailure("the filters of a 'filter' block must give a text")
    }
    try run.write(text)
  }
}

/// `with name = value … endwith`, or `generation`, which marks what the model wrote and is run like
/// any other part.
final class TemplateWith: TemplateAction {
  let values: [(target: TemplateTarget, value: any TemplateExpression)]
  let body: TemplateBlock

  init(
    _ values: [(target: TemplateTarget, value: any TemplateExpression)], _ body: TemplateBlock
  ) {
    self.values = values
    self.body = body
  }

  var expressions: [any TemplateExpression] { values.map(\.value) }

  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {
    for value in expressions { names.read(value, frame) }
  }

  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> (any TemplateAction)? {
    let parameters = values.flatMap { names.symbols($0.target) }
    return TemplateWith(values, names.block(body, parameters: parameters, frame))
  }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    let inner = TemplateScope(scope)
    if !values.isEmpty { try assign(run, scope, inner) }
    return try run.run(body, inNew: inner)
  }

  /// All values are found before any name is given one.
  private func assign(
    _ run: TemplateRun, _ scope: TemplateScope, _ inner: TemplateScope
  ) throws(TemplateFailure) {
    let found = try run.values(of: expressions, in: scope)
    for (entry, value) in zip(values, found) {
      try run.assign(value, to: entry.target, in: inner)
    }
  }
}
