/// A part of a template that has a value.
///
/// Each kind of expression is a class that finds its own value. What most templates do most often is
/// done without making values: a condition is only true or not, and what is written goes to the
/// output at once.
protocol TemplateExpression: AnyObject, Sendable {
  /// The expressions within.
  var parts: [any TemplateExpression] { get }
  /// How deep expressions are nested in it: 1 when there are none.
  var depth: Int { get }
  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue
  func isTrue(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) -> Bool
  /// Adds the value's text to the output.
  func write(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure)
}

extension TemplateExpression {
  func isTrue(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) -> Bool {
    try value(run, scope).isTrue
  }

  func write(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) {
    try run.write(value(run, scope))
  }
}

extension [any TemplateExpression] {
  /// The depth of an expression with these in it.
  var depth: Int { reduce(1) { Swift.max($0, $1.depth + 1) } }
}

/// A value that stands in the template.
final class TemplateConstant: TemplateExpression {
  enum Value: Sendable {
    case none
    case boolean(Bool)
    case integer(Int)
    case double(Double)
    case text(TemplateText)
  }

  let constant: Value

  init(_ constant: Value) { self.constant = constant }

  var parts: [any TemplateExpression] { [] }
  var depth: Int { 1 }

  /// Its text, when it is one.
  var text: TemplateText? {
    if case .text(let text) = constant { return text }
    return nil
  }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    switch constant {
    case .none: .none
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .text(let text): .text(text)
    }
  }
}

extension TemplateConstant {
  func write(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) {
    if case .text(let text) = constant {
      try run.write(text)
    } else {
      try run.write(value(run, scope))
    }
  }
}

/// A name.
final class TemplateName: TemplateExpression {
  let symbol: TemplateSymbol
  let name: String

  init(_ symbol: TemplateSymbol, _ name: String) {
    self.symbol = symbol
    self.name = name
  }

  var parts: [any TemplateExpression] { [] }
  var depth: Int { 1 }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    run.value(of: symbol, in: scope)
  }
}

/// A list or a tuple.
final class TemplateListExpression: TemplateExpression {
  let parts: [any TemplateExpression]
  let depth: Int
  let isTuple: Bool

  init(_ parts: [any TemplateExpression], isTuple: Bool) {
    self.parts = parts
    self.isTuple = isTuple
    depth = parts.depth
  }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let list = try run.list(run.values(of: parts, in: scope))
    return isTuple ? .tuple(list) : .list(list)
  }
}

/// A dictionary.
final class TemplateDictionaryExpression: TemplateExpression {
  let entries: [(key: any TemplateExpression, value: any TemplateExpression)]
  let depth: Int

  init(_ entries: [(key: any TemplateExpression, value: any TemplateExpression)]) {
    self.entries = entries
    depth = entries.flatMap { [$0.key, $0.value] }.depth
  }

  var parts: [any TemplateExpression] { entries.flatMap { [$0.key, $0.value] } }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let dictionary = TemplateDictionary()
    for entry in entries {
      let key = try entry.key.value(run, scope)
      let value = try entry.value.value(run, scope)
      try run.put(value, at: key, in: dictionary)
    }
    try run.finish(dictionary)
    return .dictionary(dictionary)
  }
}
