/// The tests, by the names that templates call them.
enum TemplateTestKind: String, Sendable {
  case boolean, callable, defined, divisibleby, eq, escaped, even, `false`, filter, float, ge, gt,
    `in`, integer, iterable, le, lower, lt, mapping, ne, none, number, odd, sameas, sequence,
    string,
    test, `true`, undefined, upper

  init?(_ name: String) {
    let name =
      switch name {
      case "==", "equalto": "eq"
      case "!=": "ne"
      case ">", "greaterthan": "gt"
      case ">=": "ge"
      case "<", "lessthan": "lt"
      case "<=": "le"
      default: name
      }
    self.init(rawValue: name)
  }

  /// How many arguments it takes.
  var count: Int {
    switch self {
    case .divisibleby, .eq, .ge, .gt, .in, .le, .lt, .ne, .sameas: 1
    default: 0
    }
  }
}

extension TemplateRun {
  func holds(
    _ test: TemplateTest, for value: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> Bool {
    guard let kind = test.kind else { throw TemplateFailure("there is no test '\(test.name)'") }
    return try holds(kind, for: value, call)
  }

  /// The most frequent tests without arguments; nil for all others.
  func holdsPlainly(_ kind: TemplateTestKind, _ value: TemplateValue) -> Bool? {
    switch kind {
    case .defined: !value.isUndefined
    case .undefined: value.isUndefined
    case .none: value.isNone
    case .string: value.string != nil
    default: nil
    }
  }

  func holds(
    _ kind: TemplateTestKind, for value: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> Bool {
    guard call.positional.count == kind.count, call.named.isEmpty else {
      throw TemplateFailure("the test '\(kind.rawValue)' takes \(kind.count) arguments")
    }
    let other = call.positional.first ?? .none
    switch kind {
    case .defined: return !value.isUndefined
    case .undefined: return value.isUndefined
    case .none: return value.isNone
    case .eq: return try areEqual(value, other)
    case .ne: return try !areEqual(value, other)
    case .lt: return try isLess(value, other)
    case .le: return try isLess(value, other, orEqual: true)
    case .gt: return try isLess(other, value)
    case .ge: return try isLess(other, value, orEqual: true)
    case .in: return try contains(other, value)
    case .odd, .even, .divisibleby:
      let rest = try combine(.remainder, value, kind == .divisibleby ? other : .integer(2))
      return rest.equals(.integer(kind == .odd ? 1 : 0))
    case .sameas: return isSame(value, other)
    case .filter, .test:
      guard try key(of: value) != nil else { throw unhashable(value) }
      guard let name = value.string?.string else { return false }
      return kind == .filter
        ? TemplateFilterKind(rawValue: name) != nil : TemplateTestKind(name) != nil
    case .lower: return try text(of: value).isAllCase(upper: false)
    case .upper: return try text(of: value).isAllCase(upper: true)
    default: return isOfKind(kind, value)
    }
  }

  private func isOfKind(_ kind: TemplateTestKind, _ value: TemplateValue) -> Bool {
    switch (kind, value) {
    case (.boolean, .boolean), (.integer, .integer), (.float, .double), (.mapping, .dictionary):
      return true
    case (.true, .boolean(let value)): return value
    case (.false, .boolean(let value)): return !value
    case (.number, _): return value.number != nil
    case (.string, _): return value.string != nil
    case (.escaped, .markup): return true
    case (.callable, .undefined): return true
    case (.callable, .object(let object)):
      return !(object is TemplateNamespace || object is TemplateCycler)
    case (.sequence, .undefined), (.sequence, .text), (.sequence, .markup), (.sequence, .list),
      (.sequence, .tuple), (.sequence, .dictionary), (.sequence, .range):
      return true
    case (.iterable, .object(let object)): return object is TemplateLoopState
    case (.iterable, .none), (.iterable, .boolean), (.iterable, .integer), (.iterable, .double):
      return false
    case (.iterable, _): return true
    default: return false
    }
  }

  /// Python's `is`, as far as it can be foreseen.
  private func isSame(_ left: TemplateValue, _ right: TemplateValue) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.boolean(let one), .boolean(let two)): one == two
    case (.integer(let one), .integer(let two)): one == two
    case (.text(let one), .text(let two)): one == two
    case (.list(let one), .list(let two)), (.tuple(let one), .tuple(let two)): one === two
    case (.dictionary(let one), .dictionary(let two)): one === two
    case (.object(let one), .object(let two)): one === two
    case (.undefined(let one), .undefined(let two)): one === two
    default: false
    }
  }
}
