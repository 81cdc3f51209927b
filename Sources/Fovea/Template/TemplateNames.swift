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
  final class Frame {
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

  func block(
    _ block: TemplateBlock, parameters: [TemplateSymbol], _ parent: Frame?,
    also expressions: [any TemplateExpression] = []
  ) -> TemplateBlock {
    let frame = Frame(parent)
    frame.known = Set(parameters)
    for expression in expressions { read(expression, frame) }
    collect(block.statements, frame, inBranch: false)
    return TemplateBlock(hidden: frame.hidden, statements: resolved(block.statements, frame))
  }

  /// Notes what statements read and store in the block they stand in.
  func collect(_ statements: [TemplateStatement], _ frame: Frame, inBranch: Bool) {
    for statement in statements { statement.action.collect(self, frame, inBranch: inBranch) }
  }

  func resolved(_ statements: [TemplateStatement], _ frame: Frame) -> [TemplateStatement] {
    statements.map { statement in
      guard let action = statement.action.resolved(self, frame) else { return statement }
      return TemplateStatement(action, offset: statement.offset)
    }
  }

  func store(_ target: TemplateTarget, _ frame: Frame, _ inBranch: Bool) {
    switch target {
    case .name(let symbol): frame.store(symbol, inBranch: inBranch)
    case .attribute(let symbol, _): frame.load(symbol)
    case .tuple(let targets): for target in targets { store(target, frame, inBranch) }
    }
  }

  func read(_ expression: any TemplateExpression, _ frame: Frame) {
    if let name = expression as? TemplateName { return frame.load(name.symbol) }
    for part in expression.parts { read(part, frame) }
  }

  func symbols(_ target: TemplateTarget) -> [TemplateSymbol] {
    switch target {
    case .name(let symbol): [symbol]
    case .attribute: []
    case .tuple(let targets): targets.flatMap { symbols($0) }
    }
  }
}
