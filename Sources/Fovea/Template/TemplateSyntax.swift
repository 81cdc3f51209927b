/// A name in a template, as a place in the list of all its names.
struct TemplateSymbol: Hashable, Sendable {
  let index: Int
}

/// A name behind a dot.
struct TemplateAttribute: Sendable {
  let text: TemplateText
  let print: UInt64
  /// The method of this name, where some type has one.
  let method: TemplateMethod?

  init(_ name: String) {
    text = TemplateText(name)
    print = text.print
    method = TemplateMethod(rawValue: name)
  }
}

/// Statements with names of their own.
struct TemplateBlock: Sendable {
  /// Names that have no value at first, whatever those around say.
  var hidden: [TemplateSymbol] = []
  var statements: [TemplateStatement]
}

/// What a value is given to.
indirect enum TemplateTarget: Sendable {
  case name(TemplateSymbol)
  /// A namespace's attribute.
  case attribute(TemplateSymbol, TemplateText)
  case tuple([TemplateTarget])
}

/// `name(arguments)` behind a bar.
struct TemplateFilter: Sendable {
  var name: String
  /// Which one it is; nil for a name that no filter has.
  var kind: TemplateFilterKind?
  var arguments: TemplateArguments
}

/// `is name(arguments)`.
struct TemplateTest: Sendable {
  var name: String
  /// Which one it is; nil for a name that no test has.
  var kind: TemplateTestKind?
  var arguments: TemplateArguments
}

/// The arguments of a call.
struct TemplateArguments: Sendable {
  var positional: [any TemplateExpression] = []
  var named: [(name: String, value: any TemplateExpression)] = []
  /// `*list` and `**dictionary`.
  var list: (any TemplateExpression)?
  var dictionary: (any TemplateExpression)?

  /// The expressions in it.
  var parts: [any TemplateExpression] {
    positional + named.map(\.value) + [list, dictionary].compactMap { $0 }
  }

  var isEmpty: Bool { positional.isEmpty && isPositional }

  /// Whether all are given by position, each for itself.
  var isPositional: Bool { named.isEmpty && list == nil && dictionary == nil }
}
