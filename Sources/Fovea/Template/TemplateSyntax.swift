/// A name in a template, as a place in the list of all its names.
struct TemplateSymbol: Hashable, Sendable {
  let index: Int
}

/// A name behind a dot.
struct TemplateAttribute: Sendable {
  let text: TemplateText
  /// The method of this name, where some type has one.
  let method: TemplateMethod?

  init(_ name: String) {
    text = TemplateText(name)
    method = TemplateMethod(rawValue: name)
  }
}

/// A part of a template that is run.
struct TemplateStatement: Sendable {
  indirect enum Kind: Sendable {
    case text([UInt32])
    case output(TemplateExpression)
    case loop(TemplateLoop)
    /// Conditions and what they lead to, in order; the last may have none.
    case conditional([(condition: TemplateExpression?, body: [TemplateStatement])])
    case set(TemplateTarget, TemplateExpression)
    case setBlock(TemplateTarget, filters: [TemplateFilter], body: TemplateBlock)
    case macro(TemplateMacro)
    case callBlock(TemplateMacro, TemplateExpression)
    case filterBlock([TemplateFilter], body: TemplateBlock)
    case with([(target: TemplateTarget, value: TemplateExpression)], body: TemplateBlock)
    /// What the model wrote, in templates that say so: run like any other part.
    case generation(TemplateBlock)
    case stop
    case skip
  }

  var kind: Kind
  /// Where it begins in the source, in code points.
  var offset: Int
}

/// Statements with names of their own.
struct TemplateBlock: Sendable {
  /// Names that have no value at first, whatever those around say.
  var hidden: [TemplateSymbol] = []
  var statements: [TemplateStatement]
}

/// `for … in … if … recursive`.
struct TemplateLoop: Sendable {
  var target: TemplateTarget
  var items: TemplateExpression
  var condition: TemplateExpression?
  var isRecursive: Bool
  /// The symbol of `loop`.
  var symbol: TemplateSymbol
  var body: TemplateBlock
  var otherwise: TemplateBlock
}

/// What a value is given to.
indirect enum TemplateTarget: Sendable {
  case name(TemplateSymbol)
  /// A namespace's attribute.
  case attribute(TemplateSymbol, TemplateText)
  case tuple([TemplateTarget])
}

/// A macro, or the block of a call.
struct TemplateMacro: Sendable {
  struct Parameter: Sendable {
    var name: String
    var symbol: TemplateSymbol
    var value: TemplateExpression?
  }

  var name: String
  var symbol: TemplateSymbol
  var parameters: [Parameter]
  var body: TemplateBlock
  /// The symbols of `varargs`, `kwargs` and `caller` where the body asks for them.
  var varargs: TemplateSymbol?
  var kwargs: TemplateSymbol?
  var caller: TemplateSymbol?
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
  var positional: [TemplateExpression] = []
  var named: [(name: String, value: TemplateExpression)] = []
  /// `*list` and `**dictionary`.
  var list: TemplateExpression?
  var dictionary: TemplateExpression?

  var isEmpty: Bool {
    positional.isEmpty && named.isEmpty && list == nil && dictionary == nil
  }
}

/// An expression.
indirect enum TemplateExpression: Sendable {
  enum Constant: Sendable {
    case none
    case boolean(Bool)
    case integer(Int)
    case double(Double)
    case text(TemplateText)

    var value: TemplateValue {
      switch self {
      case .none: .none
      case .boolean(let value): .boolean(value)
      case .integer(let value): .integer(value)
      case .double(let value): .double(value)
      case .text(let text): .text(text)
      }
    }
  }

  enum Binary: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case divideWhole = "//"
    case remainder = "%"
    case power = "**"
  }

  enum Comparison: String, Sendable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case isNotIn = "not in"
  }

  case constant(Constant)
  case name(TemplateSymbol, String)
  case list([TemplateExpression])
  case tuple([TemplateExpression])
  case dictionary([(key: TemplateExpression, value: TemplateExpression)])
  case attribute(TemplateExpression, TemplateAttribute)
  case item(TemplateExpression, TemplateExpression)
  case slice(TemplateExpression, [TemplateExpression?])
  case call(TemplateExpression, TemplateArguments)
  case filter(TemplateExpression, TemplateFilter)
  case test(TemplateExpression, TemplateTest)
  case negative(TemplateExpression)
  case positive(TemplateExpression)
  case not(TemplateExpression)
  case and(TemplateExpression, TemplateExpression)
  case or(TemplateExpression, TemplateExpression)
  case binary(Binary, TemplateExpression, TemplateExpression)
  case compare(TemplateExpression, [(comparison: Comparison, right: TemplateExpression)])
  case join([TemplateExpression])
  case conditional(TemplateExpression, then: TemplateExpression, otherwise: TemplateExpression?)
}
