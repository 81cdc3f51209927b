/// A dictionary, in order of insertion; nothing changes it once it is made.
///
///     keys    │ role │ content │        few keys are compared one by one,
///     values  │ user │ Hello   │        many are found by `places`
final class TemplateDictionary {
  /// What keys are compared by: `1`, `1.0` and `true` are one key.
  enum Key: Hashable {
    case none
    case undefined
    case integer(Int)
    case double(Double)
    case text(TemplateText)
    indirect case tuple([Key])
    case object(ObjectIdentifier)
  }

  private(set) var keys: [TemplateValue] = []
  private(set) var values: [TemplateValue] = []
  /// Numbers that texts among the keys can be told by: see ``TemplateText/print``.
  private var prints: [UInt64] = []
  /// Where each key is, when there are many.
  private var places: [Key: Int] = [:]
  /// How deep the values are nested, and one more.
  private(set) var depth = 1
  /// How much there is to compare or to write.
  private(set) var weight = 1

  /// So many keys are compared one by one.
  private static let few = 16

  init() {}

  /// A dictionary with the keys of another, which are all texts.
  init(keysOf other: TemplateDictionary, _ values: [TemplateValue]) {
    keys = other.keys
    prints = other.prints
    places = other.places
    self.values = values
    depth = values.depth
    weight = keys.weight + values.weight
  }

  var count: Int { keys.count }

  var items: [TemplateValue] {
    (0..<count).map { .tuple(TemplateList([keys[$0], values[$0]])) }
  }

  /// The value of a text.
  subscript(text: TemplateText) -> TemplateValue? { self[text, text.print] }

  /// The value of a text whose number is known.
  subscript(text: TemplateText, print: UInt64) -> TemplateValue? {
    if keys.count > Self.few { return places[.text(text)].map { values[$0] } }
    for index in 0..<prints.count where prints[index] == print {
      if text.byteCount <= TemplateText.mostInPrint || keys[index].string == text {
        return values[index]
      }
    }
    return nil
  }

  subscript(key: Key) -> TemplateValue? {
    if case .text(let text) = key { return self[text] }
    return place(of: key).map { values[$0] }
  }

  private func place(of key: Key) -> Int? {
    if count > Self.few { return places[key] }
    return keys.firstIndex { $0.key == key }
  }

  /// Puts a value in while the dictionary is being made; false when the key cannot be one.
  @discardableResult
  func set(_ key: TemplateValue, _ value: TemplateValue) -> Bool {
    guard let hashed = key.key else { return false }
    depth = max(depth, value.depth + 1, key.depth + 1)
    let (sum, overflow) = weight.addingReportingOverflow(key.weight &+ value.weight)
    weight = overflow || value.weight == Int.max ? Int.max : sum
    if let place = place(of: hashed) {
      values[place] = value
      return true
    }
    keys.append(key)
    values.append(value)
    prints.append(key.string?.print ?? UInt64.max)
    if count == Self.few + 1 {
      for (index, key) in keys.enumerated() { if let key = key.key { places[key] = index } }
    } else if count > Self.few {
      places[hashed] = count - 1
    }
    return true
  }
}

extension TemplateText {
  /// Texts of so many bytes are equal when their numbers are.
  static let mostInPrint = 7

  /// A number that equal texts share: the length and the first bytes.
  var print: UInt64 {
    var number = UInt64(min(byteCount, 254))
    for place in 0..<min(byteCount, Self.mostInPrint) { number = number << 8 | UInt64(byte(place)) }
    return number
  }
}

extension TemplateValue {
  /// What the value is as a key of a dictionary; nil for what Python cannot hash.
  var key: TemplateDictionary.Key? {
    switch self {
    case .undefined: return .undefined
    case .none: return TemplateDictionary.Key.none
    case .boolean(let value): return .integer(value ? 1 : 0)
    case .integer(let value): return .integer(value)
    case .double(let value): return Int(exactly: value).map { .integer($0) } ?? .double(value)
    case .text(let text), .markup(let text): return .text(text)
    case .tuple(let list):
      let keys = list.items.compactMap(\.key)
      return keys.count == list.items.count ? .tuple(keys) : nil
    case .object(let object): return .object(ObjectIdentifier(object))
    case .iterator(let iterator): return .object(ObjectIdentifier(iterator))
    case .range(let range): return .tuple([.integer(range.start), .integer(range.stop)])
    case .list, .dictionary, .view: return nil
    }
  }

  /// Python's `==`.
  func equals(_ other: TemplateValue) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)): return left == right
    case (.undefined, .undefined), (.none, .none): return true
    case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)):
      return Self.areEqual(left.items, right.items)
    case (.dictionary(let left), .dictionary(let right)):
      guard left.count == right.count else { return false }
      return (0..<left.count).allSatisfy { index in
        left.keys[index].key.flatMap { right[$0] }?.equals(left.values[index]) ?? false
      }
    case (.view(let left), .view(let right)):
      if left === right { return true }
      guard left.kind != .values, right.kind != .values, left.items.count == right.items.count
      else { return false }
      return left.items.allSatisfy { item in right.items.contains { $0.equals(item) } }
    case (.range(let left), .range(let right)):
      return left.count == right.count
        && (left.count == 0
          || left.start == right.start && (left.count == 1 || left.step == right.step))
    case (.object(let left), .object(let right)): return left === right
    case (.iterator(let left), .iterator(let right)): return left === right
    default:
      if let left = string, let right = other.string { return left == right }
      guard let left = number, let right = other.number else { return false }
      if case .integer(let one) = left, case .integer(let two) = right { return one == two }
      return left.double == right.double
    }
  }

  private static func areEqual(_ left: [TemplateValue], _ right: [TemplateValue]) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where !left[index].equals(right[index]) { return false }
    return true
  }
}
