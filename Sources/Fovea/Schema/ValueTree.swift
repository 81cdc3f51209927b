/// A JSON value as a flat list, so that it can be walked without recursion and its parts have
/// numbers.
///
///     {"a": [1, 2], "b": 3}      items   0 {…}   1 [1, 2]   2 3   3 1   4 2
///                                children of 0: 1..<3        of 1: 3..<5
///
/// Children stand together, behind their parent; their parents' order is theirs.
struct ValueTree {
  /// A part of the value.
  struct Item {
    let value: JSONValue
    /// The item that it is part of; -1 for the whole value.
    let parent: Int
    /// Around how many containers there are.
    let depth: Int
    /// The items that are its parts.
    var children = 0..<0
    /// The UTF-8 of the keys, for an object. Keys are compared by their bytes: Swift's strings are
    /// equal by canonical equivalence.
    var keys: [[UInt8]] = []
    /// The value of a number.
    var number: ExactNumber?
  }

  private(set) var items: [Item] = []
  /// What no schema allows: the item and the reason.
  private(set) var fault: (item: Int, reason: String)?

  init(_ value: JSONValue) {
    items.append(Item(value: value, parent: -1, depth: 0))
    var index = 0
    while index < items.count, fault == nil {
      expand(index)
      index += 1
    }
  }

  private mutating func expand(_ index: Int) {
    let depth = items[index].depth
    let first = items.count
    switch items[index].value {
    case .number(let text):
      items[index].number = ExactNumber(text)
      if items[index].number == nil {
        fault = (index, "is \(items[index].value.cutText), which is no number of a sensible size")
      }
    case .array(let elements):
      guard fits(index) else { return }
      items += elements.map { Item(value: $0, parent: index, depth: depth + 1) }
    case .object(let members):
      guard fits(index) else { return }
      items += members.map { Item(value: $0.value, parent: index, depth: depth + 1) }
      items[index].keys = members.map { Array($0.name.utf8) }
      var seen: Set<[UInt8]> = []
      if let twice = items[index].keys.first(where: { !seen.insert($0).inserted }) {
        fault = (index, "has the key \(JSONValue.quoted(twice)) twice")
      }
    default:
      return
    }
    items[index].children = first..<items.count
  }

  /// Whether a container is not too deep. What is deeper than any text that is read would not be
  /// found wrong here, but by whoever walks the value next, with its stack.
  private mutating func fits(_ index: Int) -> Bool {
    if items[index].depth < JSONParser.depthLimit { return true }
    fault = (index, "is nested deeper than \(JSONParser.depthLimit) levels")
    return false
  }

  /// A JSON pointer to an item; empty for the whole value.
  func pointer(to item: Int) -> String {
    var steps: [String] = []
    var item = item
    while items[item].parent >= 0 {
      let parent = items[items[item].parent]
      let position = item - parent.children.lowerBound
      steps.append(
        parent.keys.isEmpty
          ? "\(position)" : String(decoding: parent.keys[position], as: UTF8.self).escapedForPointer
      )
      item = items[item].parent
    }
    return steps.reversed().map { "/" + $0 }.joined()
  }

  /// A number for each item, the same for items that JSON Schema counts as equal: `1` and `1.0`,
  /// or objects with the same members in another order.
  func equalityClasses() -> [Int] {
    enum Key: Hashable {
      case scalar(ScalarKey)
      case list([Int])
      case object([[UInt8]: Int])
    }
    var classes = [Int](repeating: 0, count: items.count)
    var known: [Key: Int] = [:]
    // Parts come behind their containers.
    for (index, item) in items.enumerated().reversed() {
      let key: Key
      if let scalar = ScalarKey(item.value) {
        key = .scalar(scalar)
      } else if case .object = item.value {
        key = .object(
          Dictionary(zip(item.keys, classes[item.children])) { first, _ in first })
      } else {
        key = .list(Array(classes[item.children]))
      }
      classes[index] = known[key] ?? known.count
      known[key] = classes[index]
    }
    return classes
  }
}

extension JSONValue {
  /// The value as JSON, cut to what fits a message. Unlike ``text`` this costs no more than what
  /// it shows, and no stack for what lies deeper.
  var cutText: String {
    var text = ""
    append(to: &text, limit: 40)
    return text.unicodeScalars.count > 40
      ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(40))) + "…" : text
  }

  /// A key, or its beginning, in quotes.
  static func quoted(_ key: [UInt8]) -> String {
    JSONValue.string(String(decoding: key, as: UTF8.self)).cutText
  }

  private func append(to text: inout String, limit: Int) {
    func isFull() -> Bool { text.unicodeScalars.count > limit }
    switch self {
    case .array(let items):
      text += "["
      for (index, item) in items.enumerated() where !isFull() {
        if index > 0 { text += "," }
        item.append(to: &text, limit: limit)
        if isFull() { return }
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        JSONValue.string(member.name).append(to: &text, limit: limit)
        text += ":"
        member.value.append(to: &text, limit: limit)
        if isFull() { return }
      }
      text += "}"
    case .string(let value):
      let start = String(String.UnicodeScalarView(value.unicodeScalars.prefix(limit + 1)))
      text += JSONValue.string(start).text
    case .number(let digits): text += digits.prefix(limit + 1)
    case .null, .boolean: text += self.text
    }
  }
}
