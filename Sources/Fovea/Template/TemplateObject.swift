/// A value with attributes of its own: a namespace, a loop, or what can be called.
class TemplateObject {
  var typeName: String { "object" }
  var isTrue: Bool { true }
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

  init(_ items: [TemplateValue]) { self.items = items }
}

/// `cycler.next` or `cycler.reset`.
final class TemplateCyclerMethod: TemplateObject {
  let cycler: TemplateCycler
  let isReset: Bool

  override var typeName: String { "method" }

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

  init(_ separator: TemplateValue) { self.separator = separator }
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

/// The names of a part of a template: the whole, a pass of a loop, a macro's call.
final class TemplateScope {
  private var names: [(symbol: TemplateSymbol, value: TemplateValue)] = []
  let parent: TemplateScope?

  init(_ parent: TemplateScope?) { self.parent = parent }

  /// The value of a name, here or around.
  subscript(symbol: TemplateSymbol) -> TemplateValue? {
    var scope: TemplateScope? = self
    while let present = scope {
      for entry in present.names where entry.symbol == symbol { return entry.value }
      scope = present.parent
    }
    return nil
  }

  /// Gives a name a value here.
  func set(_ symbol: TemplateSymbol, _ value: TemplateValue) {
    for index in names.indices where names[index].symbol == symbol {
      names[index].value = value
      return
    }
    names.append((symbol, value))
  }

  /// Lets go of all values: a macro holds the scope that holds it.
  func clear() { names = [] }
}

/// Where a loop is.
final class TemplateLoopState: TemplateObject {
  let loop: TemplateLoop
  /// The names around the loop.
  let scope: TemplateScope
  /// How many loops of a recursive one are around.
  let depth0: Int
  private var source: TemplateLoopSource
  private var upcoming: TemplateValue?
  private var isExhausted = false
  private(set) var index0 = -1
  private(set) var previous: TemplateValue?
  private(set) var current: TemplateValue?
  /// What `loop.changed` saw last.
  var latest: [TemplateValue]?

  override var typeName: String { "LoopContext" }

  init(_ loop: TemplateLoop, _ source: TemplateLoopSource, in scope: TemplateScope, depth0: Int) {
    self.loop = loop
    self.source = source
    self.scope = scope
    self.depth0 = depth0
  }

  /// Goes on to the next item.
  func advance() throws(TemplateFailure) -> TemplateValue? {
    let item = try peek()
    upcoming = nil
    guard let item else { return nil }
    index0 += 1
    previous = current
    current = item
    return item
  }

  /// The next item, which stays the next.
  func peek() throws(TemplateFailure) -> TemplateValue? {
    if let upcoming { return upcoming }
    if isExhausted { return nil }
    upcoming = try source.next()
    isExhausted = upcoming == nil
    return upcoming
  }

  func length() throws(TemplateFailure) -> Int {
    try source.countRest() + (upcoming == nil ? 0 : 1) + index0 + 1
  }
}

/// The items of a loop, of which a condition may leave some out.
struct TemplateLoopSource {
  private var items: [TemplateValue]
  private var position = 0
  /// Whether an item takes part; nil when all do.
  private var condition: ((TemplateValue) throws(TemplateFailure) -> Bool)?

  init(
    _ items: [TemplateValue],
    condition: ((TemplateValue) throws(TemplateFailure) -> Bool)? = nil
  ) {
    self.items = items
    self.condition = condition
  }

  mutating func next() throws(TemplateFailure) -> TemplateValue? {
    while position < items.count {
      let item = items[position]
      position += 1
      guard let condition else { return item }
      if try condition(item) { return item }
    }
    return nil
  }

  /// How many items there still are.
  mutating func countRest() throws(TemplateFailure) -> Int {
    guard condition != nil else { return items.count - position }
    var rest: [TemplateValue] = []
    while let item = try next() { rest.append(item) }
    items = rest
    position = 0
    condition = nil
    return rest.count
  }
}
