/// Finds, before a template runs, which names have no value at first in each of its blocks.
///
/// Jinja decides at compile time where a name lives. A block that gives a name a value, and does so
/// before it reads it, owns the name from its beginning; blocks within it see no value until then,
/// even where the context has one:
///
///     {% for x in xs %}{{ tools }}{% endfor %}{% set tools = [] %}      writes nothing
///
/// A value that is given in a branch of an `if` does not count: the context's is seen until then.
struct TemplateNames {
  /// The names of one block.
  private final class Frame {
    let parent: Frame?
    var known: Set<TemplateSymbol> = []
    var hidden: [TemplateSymbol] = []

    init(_ parent: Frame?) { self.parent = parent }

    func knows(_ symbol: TemplateSymbol) -> Bool {
      known.contains(symbol) || (parent?.knows(symbol) ?? false)
    }

    func load(_ symbol: TemplateSymbol) { if !knows(symbol) { known.insert(symbol) } }

    func store(_ symbol: TemplateSymbol, inBranch: Bool) {
      guard known.insert(symbol).inserted, !inBranch, !(parent?.knows(symbol) ?? false) else {
        return
      }
      hidden.append(symbol)
    }
  }

  /// The whole template with what was found.
  static func resolved(_ body: [TemplateStatement]) -> TemplateBlock {
    TemplateNames().block(TemplateBlock(statements: body), parameters: [], nil)
  }

  private func block(
    _ block: TemplateBlock, parameters: [TemplateSymbol], _ parent: Frame?,
    also expressions: [TemplateExpression] = []
  ) -> TemplateBlock {
    let frame = Frame(parent)
    frame.known = Set(parameters)
    for expression in expressions { read(expression, frame) }
    collect(block.statements, frame, inBranch: false)
    return TemplateBlock(
      hidden: frame.hidden, statements: block.statements.map { resolved($0, frame) })
  }

  // MARK: What a block itself reads and stores

  private func collect(_ statements: [TemplateStatement], _ frame: Frame, inBranch: Bool) {
    for statement in statements {
      switch statement.kind {
      case .text, .stop, .skip, .generation: break
      case .output(let value): read(value, frame)
      case .loop(let loop): read(loop.items, frame)
      case .conditional(let branches):
        for branch in branches {
          if let condition = branch.condition { read(condition, frame) }
          collect(branch.body, frame, inBranch: true)
        }
      case .set(let target, let value):
        read(value, frame)
        store(target, frame, inBranch)
      case .setBlock(let target, _, _): store(target, frame, inBranch)
      case .macro(let macro): frame.store(macro.symbol, inBranch: inBranch)
      case .callBlock(_, let call): read(call, frame)
      case .filterBlock(let filters, _): for filter in filters { read(filter.arguments, frame) }
      case .with(let values, _): for entry in values { read(entry.value, frame) }
      }
    }
  }

  private func store(_ target: TemplateTarget, _ frame: Frame, _ inBranch: Bool) {
    switch target {
    case .name(let symbol): frame.store(symbol, inBranch: inBranch)
    case .attribute(let symbol, _): frame.load(symbol)
    case .tuple(let targets): for target in targets { store(target, frame, inBranch) }
    }
  }

  private func read(_ arguments: TemplateArguments, _ frame: Frame) {
    for value in arguments.positional { read(value, frame) }
    for argument in arguments.named { read(argument.value, frame) }
    for value in [arguments.list, arguments.dictionary] { if let value { read(value, frame) } }
  }

  private func read(_ expression: TemplateExpression, _ frame: Frame) {
    switch expression {
    case .constant: break
    case .name(let symbol, _): frame.load(symbol)
    case .list(let parts), .tuple(let parts), .join(let parts):
      for part in parts { read(part, frame) }
    case .dictionary(let entries):
      for entry in entries {
        read(entry.key, frame)
        read(entry.value, frame)
      }
    case .attribute(let owner, _), .negative(let owner), .positive(let owner), .not(let owner):
      read(owner, frame)
    case .item(let one, let two), .and(let one, let two), .or(let one, let two),
      .binary(_, let one, let two):
      read(one, frame)
      read(two, frame)
    case .slice(let owner, let bounds):
      read(owner, frame)
      for bound in bounds { if let bound { read(bound, frame) } }
    case .call(let callee, let arguments):
      read(callee, frame)
      read(arguments, frame)
    case .filter(let value, let filter):
      read(value, frame)
      read(filter.arguments, frame)
    case .test(let value, let test):
      read(value, frame)
      read(test.arguments, frame)
    case .compare(let value, let parts):
      read(value, frame)
      for part in parts { read(part.right, frame) }
    case .conditional(let condition, let then, let otherwise):
      read(condition, frame)
      read(then, frame)
      if let otherwise { read(otherwise, frame) }
    }
  }

  // MARK: Blocks within a block

  private func resolved(_ statement: TemplateStatement, _ frame: Frame) -> TemplateStatement {
    var statement = statement
    switch statement.kind {
    case .loop(var loop):
      loop.body = block(loop.body, parameters: symbols(loop.target) + [loop.symbol], frame)
      loop.otherwise = block(loop.otherwise, parameters: [], frame)
      statement.kind = .loop(loop)
    case .conditional(let branches):
      statement.kind = .conditional(
        branches.map { ($0.condition, $0.body.map { resolved($0, frame) }) })
    case .setBlock(let target, let filters, let body):
      statement.kind = .setBlock(target, filters: filters, body: block(body, parameters: [], frame))
    case .filterBlock(let filters, let body):
      statement.kind = .filterBlock(filters, body: block(body, parameters: [], frame))
    case .with(let values, let body):
      let names = values.flatMap { symbols($0.target) }
      statement.kind = .with(values, body: block(body, parameters: names, frame))
    case .generation(let body): statement.kind = .generation(block(body, parameters: [], frame))
    case .macro(let macro): statement.kind = .macro(resolved(macro, frame))
    case .callBlock(let macro, let call): statement.kind = .callBlock(resolved(macro, frame), call)
    case .text, .output, .set, .stop, .skip: break
    }
    return statement
  }

  private func resolved(_ macro: TemplateMacro, _ frame: Frame) -> TemplateMacro {
    var macro = macro
    let extra = [macro.varargs, macro.kwargs, macro.caller].compactMap { $0 }
    macro.body = block(
      macro.body, parameters: macro.parameters.map(\.symbol) + extra, frame,
      also: macro.parameters.compactMap(\.value))
    return macro
  }

  private func symbols(_ target: TemplateTarget) -> [TemplateSymbol] {
    switch target {
    case .name(let symbol): [symbol]
    case .attribute: []
    case .tuple(let targets): targets.flatMap { symbols($0) }
    }
  }
}
