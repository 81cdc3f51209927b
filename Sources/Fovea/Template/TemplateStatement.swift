/// A part of a template that is run.
final class TemplateStatement: Sendable {
  let action: any TemplateAction
  /// Where it begins in the source, in code points.
  let offset: Int
  /// How much deeper its run is than that of what is around it: the depth of its expressions.
  let depth: Int

  init(_ action: any TemplateAction, offset: Int) {
    self.action = action
    self.offset = offset
    depth = action.expressions.depth
  }
}

/// What a statement does. Each kind is a class of its own, as expressions are.
protocol TemplateAction: AnyObject, Sendable {
  /// The expressions of the statement itself, without those of statements within.
  var expressions: [any TemplateExpression] { get }
  /// Notes the names that it reads and gives values in the block it stands in.
  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool)
  /// The same with what was found about the names of blocks within; nil when there are none.
  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> (any TemplateAction)?
  func run(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) -> TemplateRun.Flow
}

extension TemplateAction {
  var expressions: [any TemplateExpression] { [] }
  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {}
  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> (any TemplateAction)? {
    nil
  }
}

/// Text outside of all tags.
final class TemplateTextAction: TemplateAction {
  let text: TemplateText

  init(_ text: TemplateText) { self.text = text }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    try run.write(text)
    return .on
  }
}

/// `{{ value }}`.
final class TemplateOutput: TemplateAction {
  let value: any TemplateExpression

  init(_ value: any TemplateExpression) { self.value = value }

  var expressions: [any TemplateExpression] { [value] }

  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {
    names.read(value, frame)
  }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    try value.write(run, scope)
    return .on
  }
}

/// `break` or `continue`.
final class TemplateJump: TemplateAction {
  let flow: TemplateRun.Flow

  init(_ flow: TemplateRun.Flow) { self.flow = flow }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow { flow }
}

/// `if … elif … else`.
final class TemplateConditional: TemplateAction {
  /// A condition and what it leads to.
  final class Branch: Sendable {
    /// nil for `else`.
    let condition: (any TemplateExpression)?
    let body: [TemplateStatement]

    init(_ condition: (any TemplateExpression)?, _ body: [TemplateStatement]) {
      self.condition = condition
      self.body = body
    }
  }

  let branches: [Branch]

  init(_ branches: [Branch]) { self.branches = branches }

  var expressions: [any TemplateExpression] { branches.compactMap(\.condition) }

  func collect(_ names: TemplateNames, _ frame: TemplateNames.Frame, inBranch: Bool) {
    for branch in branches {
      if let condition = branch.condition { names.read(condition, frame) }
      names.collect(branch.body, frame, inBranch: true)
    }
  }

  func resolved(_ names: TemplateNames, _ frame: TemplateNames.Frame) -> (any TemplateAction)? {
    TemplateConditional(
      branches.map { Branch($0.condition, names.resolved($0.body, frame)) })
  }

  func run(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateRun.Flow {
    for branch in branches {
      if let condition = branch.condition, try !condition.isTrue(run, scope) { continue }
      return try run.run(branch.body, in: scope)
    }
    return .on
  }
}
