/// A value with attributes of its own: a namespace, a loop, or what can be called.
class TemplateObject {
  var typeName: String { "object" }
  var isTrue: Bool { true }
  /// How deep values are nested in it.
  var depth: Int { 0 }
}

/// `namespace(…)`: what a template may change from within a loop.
final class TemplateNamespace: TemplateObject {
  private(set) var attributes = TemplateDictionary()

  override var typeName: String { "Namespace" }

  init(_ attributes: TemplateDictionary) { self.attributes = attributes }

  subscript(name: TemplateText) -> TemplateValue? {
    get { attributes[name] }
    set { if let newValue { attributes.set(.text(name), newValue) } }
  }

  /// Lets go of what it holds, which may be itself.
  func clear() { attributes = TemplateDictionary() }
}

/// A macro, or the block of a call, with the names around it.
final class TemplateMacroValue: TemplateObject {
  let macro: TemplateMacro
  let scope: TemplateScope

  override var typeName: String { "Macro" }

  init(_ macro: TemplateMacro, in scope: TemplateScope) {
    self.macro = macro
    self.scope = scope
  }
}

/// A method of a value that was not called at once.
final class TemplateMethodValue: TemplateObject {
  let owner: TemplateValue
  let method: TemplateMethod

  override var typeName: String { "builtin_function_or_method" }
  override var depth: Int { owner.depth + 1 }

  init(_ owner: TemplateValue, _ method: TemplateMethod) {
    self.owner = owner
    self.method = method
  }
}

/// `loop.cycle` or `loop.changed`.
final class TemplateLoopMethod: TemplateObject {
  enum Kind { case cycle, changed }

  let loop: TemplateLoopState
  let kind: Kind

  override var typeName: String { "method" }
  override var depth: Int { loop.depth + 1 }

  init(_ loop: TemplateLoopState, _ kind: Kind) {
    self.loop = loop
    self.kind = kind
  }
}

/// A function that every template has.
final class TemplateFunctionValue: TemplateObject {
  let function: TemplateFunction

  override var typeName: String {
    function == .range || function == .raise || function == .time ? "function" : "type"
  }

  init(_ function: TemplateFunction) { self.function = function }
}

/// `cycler(…)`: gives its items in turn.
final class TemplateCycler: TemplateObject {
  let items: [TemplateValue]
  var position = 0

  override var typeName: String { "Cycler" }
  override var depth: Int { ownDepth }
  private let ownDepth: Int

  init(_ items: [TemplateValue]) {
    self.items = items
    ownDepth = items.depth
  }
}

/// `cycler.next` or `cycler.reset`.
final class TemplateCyclerMethod: TemplateObject {
  let cycler: TemplateCycler
  let isReset: Bool

  override var typeName: String { "method" }
  override var depth: Int { cycler.depth + 1 }

  init(_ cycler: TemplateCycler, isReset: Bool) {
    self.cycler = cycler
    self.isReset = isReset
  }
}

/// `joiner(…)`: nothing the first time it is called, a separator then.
final class TemplateJoiner: TemplateObject {
  let separator: TemplateValue
  var isUsed = false

  override var typeName: String { "Joiner" }
  override var depth: Int { ownDepth }
  private let ownDepth: Int

  init(_ separator: TemplateValue) {
    self.separator = separator
    ownDepth = separator.depth + 1
  }
}

/// The functions that every template has.
enum TemplateFunction: String, CaseIterable {
  case range
  case dict
  case cycler
  case joiner
  case namespace
  case raise = "raise_exception"
  case time = "strftime_now"
  case lipsum
}
