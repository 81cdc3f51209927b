/// A macro, or the block of a call.
final class TemplateMacro: Sendable {
  struct Parameter: Sendable {
    var name: String
    var symbol: TemplateSymbol
    var value: (any TemplateExpression)?
  }

  /// The symbols of what a macro gets without naming it, where its body asks for that.
  struct Uses: Sendable {
    var varargs: TemplateSymbol?
    var kwargs: TemplateSymbol?
    var caller: TemplateSymbol?
  }

  let name: String
  let symbol: TemplateSymbol
  let parameters: [Parameter]
  let body: TemplateBlock
  let uses: Uses
  /// How much deeper a call's run is than that of what is around it.
  let depth: Int

  init(
    name: String, symbol: TemplateSymbol, parameters: [Parameter], body: TemplateBlock, uses: Uses
  ) {
    self.name = name
    self.symbol = symbol
    self.parameters = parameters
    self.body = body
    self.uses = uses
    depth = parameters.compactMap(\.value).depth
  }

  /// The same with what was found about the names of its body.
  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> TemplateMacro {
    let extra = [uses.varargs, uses.kwargs, uses.caller].compactMap { $0 }
    return TemplateMacro(
      name: name, symbol: symbol, parameters: parameters,
      body: names.block(
        body, parameters: parameters.map(\.symbol) + extra, frame,
        also: parameters.compactMap(\.value)), uses: uses)
  }
}

/// `macro name(parameters) … endmacro`.
final class TemplateMacroDefinition: TemplateAction {
  let macro: TemplateMacro

  init(_ macro: TemplateMacro) { self.macro = macro }

  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {
    frame.store(macro.symbol, inBranch: inBranch)
  }

  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> (any TemplateAction)? {
    TemplateMacroDefinition(macro.resolved(names, frame))
  }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    try run.keep(scope)
    scope.set(macro.symbol, .object(TemplateMacroValue(macro, in: scope)))
    return .on
  }
}

/// `call(parameters) callee(arguments) … endcall`.
final class TemplateCallBlock: TemplateAction {
  let block: TemplateMacro
  let call: TemplateCallExpression

  init(_ block: TemplateMacro, _ call: TemplateCallExpression) {
    self.block = block
    self.call = call
  }

  var expressions: [any TemplateExpression] { [call] }

  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {
    names.read(call, frame)
  }

  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> (any TemplateAction)? {
    TemplateCallBlock(block.resolved(names, frame), call)
  }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    var arguments = try run.arguments(call.arguments, in: scope)
    try run.keep(scope)
    arguments.named.append(("caller", .object(TemplateMacroValue(block, in: scope))))
    let target = try call.callee.value(run, scope)
    try run.write(run.call(target, arguments))
    return .on
  }
}
