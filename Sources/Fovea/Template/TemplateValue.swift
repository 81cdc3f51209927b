/// A value in a template's run: Python's types, as far as templates meet them.
enum TemplateValue {
  /// What was not there, and what it was.
  case undefined(TemplateUndefined)
  case none
  case boolean(Bool)
  case integer(Int)
  case double(Double)
  case text(TemplateText)
  /// Text that is marked as safe for HTML: what is added to it is escaped.
  case markup(TemplateText)
  case list(TemplateList)
  case tuple(TemplateList)
  case dictionary(TemplateDictionary)
  /// Keys, values or items of a dictionary.
  case view(TemplateView)
  /// What filters such as `map` give: it can be gone through once.
  case iterator(TemplateIterator)
  /// `range(…)`.
  case range(TemplateRange)
  /// A namespace, a loop, or what can be called.
  case object(TemplateObject)

  static func text(_ text: String) -> TemplateValue { .text(TemplateText(text)) }

  static func undefined(_ message: String) -> TemplateValue {
    .undefined(TemplateUndefined(message))
  }

  /// Python's name of the type, for messages.
  var typeName: String {
    switch self {
    case .undefined: "Undefined"
    case .none: "NoneType"
    case .boolean: "bool"
    case .integer: "int"
    case .double: "float"
    case .text: "str"
    case .markup: "Markup"
    case .list: "list"
    case .tuple: "tuple"
    case .dictionary: "dict"
    case .view(let view): view.kind.rawValue
    case .iterator: "generator"
    case .range: "range"
    case .object(let object): object.typeName
    }
  }

  /// Python's truth.
  var isTrue: Bool {
    switch self {
    case .undefined, .none: false
    case .boolean(let value): value
    case .integer(let value): value != 0
    case .double(let value): value != 0
    case .text(let text), .markup(let text): !text.isEmpty
    case .list(let list), .tuple(let list): !list.items.isEmpty
    case .view(let view): !view.items.isEmpty
    case .dictionary(let dictionary): dictionary.count > 0
    case .range(let range): range.count > 0
    case .iterator: true
    case .object(let object): object.isTrue
    }
  }

  var isUndefined: Bool {
    if case .undefined = self { return true }
    return false
  }

  var isNone: Bool {
    if case .none = self { return true }
    return false
  }

  /// The text of a string, marked as safe or not.
  var string: TemplateText? {
    switch self {
    case .text(let text), .markup(let text): text
    default: nil
    }
  }

  /// A number that Python would compute with; truth values are 0 and 1.
  var number: TemplateNumber? {
    switch self {
    case .boolean(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    default: nil
    }
  }

  /// A whole number where Python takes one as an index or a count.
  var index: Int? {
    switch self {
    case .boolean(let value): value ? 1 : 0
    case .integer(let value): value
    default: nil
    }
  }

  /// How deep values are nested in it. What can be changed later ends the count: it is cleared at
  /// the end of the run.
  var depth: Int {
    switch self {
    case .list(let list), .tuple(let list): list.depth
    case .dictionary(let dictionary): dictionary.depth
    case .view(let view): view.depth
    case .iterator(let iterator): iterator.depth
    case .object(let object): object.depth
    default: 0
    }
  }

  /// How much there is to compare or to write: more than memory holds, where one value is held
  /// often.
  var weight: Int {
    switch self {
    case .text(let text), .markup(let text): 1 + text.byteCount / 16
    case .list(let list), .tuple(let list): list.weight
    case .dictionary(let dictionary): dictionary.weight
    case .view(let view): view.weight
    default: 1
    }
  }
}

extension [TemplateValue] {
  /// The depth of what holds these.
  var depth: Int { reduce(1) { Swift.max($0, $1.depth + 1) } }

  /// The weight of what holds these; it stays below the largest number.
  var weight: Int {
    reduce(1) { sum, value in
      let (weight, overflow) = sum.addingReportingOverflow(value.weight)
      return overflow ? Int.max : weight
    }
  }
}

/// A number.
enum TemplateNumber {
  case integer(Int)
  case double(Double)

  var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    }
  }
}

/// Why a value is not there.
final class TemplateUndefined {
  private let text: String
  private let key: TemplateText?

  init(_ message: String) {
    text = message
    key = nil
  }

  /// A value without an attribute.
  init(owner: String, attribute: TemplateText) {
    text = owner
    key = attribute
  }

  var message: String {
    key.map { "a value of type '\(text)' has nothing named '\($0.string)'" } ?? text
  }
}

/// The items of a list or a tuple.
final class TemplateList {
  let items: [TemplateValue]
  let depth: Int
  let weight: Int
  /// Whether it is a pair that `groupby` made, which has names for its parts.
  let isGroup: Bool

  init(_ items: [TemplateValue], isGroup: Bool = false) {
    self.items = items
    self.isGroup = isGroup
    depth = items.depth
    weight = items.weight
  }
}

/// What `keys()`, `values()` and `items()` give.
final class TemplateView {
  enum Kind: String {
    case keys = "dict_keys"
    case values = "dict_values"
    case items = "dict_items"
  }

  let kind: Kind
  let items: [TemplateValue]
  let depth: Int
  let weight: Int

  init(_ kind: Kind, _ dictionary: TemplateDictionary) {
    self.kind = kind
    depth = 2 + dictionary.depth
    weight = dictionary.weight
    switch kind {
    case .keys: items = dictionary.keys
    case .values: items = dictionary.values
    case .items: items = dictionary.items
    }
  }
}

/// `range(start, stop, step)`.
final class TemplateRange {
  let start: Int
  let step: Int
  let count: Int
  let stop: Int

  init(start: Int, stop: Int, step: Int) {
    self.start = start
    self.stop = stop
    self.step = step
    let (low, high) = step > 0 ? (start, stop) : (stop, start)
    let distance = high.subtractingReportingOverflow(low)
    let width = step.magnitude
    if high <= low || width == 0 {
      count = 0
    } else if distance.overflow {
      count = Int.max
    } else {
      count = Int((UInt(distance.partialValue) - 1) / width) + 1
    }
  }

  subscript(index: Int) -> Int { start + index * step }

  var items: [TemplateValue] { (0..<count).map { .integer(self[$0]) } }

  /// Some of the numbers, by their places; nil where that needs more than 64 bits.
  func part(from low: Int, to high: Int, by stride: Int) -> TemplateRange? {
    func bound(_ place: Int) -> Int? {
      let (distance, isFar) = place.multipliedReportingOverflow(by: step)
      let (bound, isOver) = start.addingReportingOverflow(distance)
      return isFar || isOver ? nil : bound
    }
    let (wide, isWide) = step.multipliedReportingOverflow(by: stride)
    guard let start = bound(low), let stop = bound(high), !isWide else { return nil }
    return TemplateRange(start: start, stop: stop, step: wide)
  }
}

/// Items that can be gone through once.
final class TemplateIterator {
  private var items: ArraySlice<TemplateValue>
  /// What went wrong behind the last item: Python would only notice there.
  private var failure: TemplateFailure?
  let depth: Int

  init(_ items: [TemplateValue], failure: TemplateFailure? = nil) {
    self.items = items[...]
    self.failure = failure
    depth = items.depth
  }

  /// What is left; nothing is left afterwards.
  func take() throws(TemplateFailure) -> [TemplateValue] {
    defer {
      items = []
      failure = nil
    }
    if let failure { throw failure }
    return Array(items)
  }

  /// The next one.
  func next() throws(TemplateFailure) -> TemplateValue? {
    if let next = items.popFirst() { return next }
    if let failure {
      self.failure = nil
      throw failure
    }
    return nil
  }
}
