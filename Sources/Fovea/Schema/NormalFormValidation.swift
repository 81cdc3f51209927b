/// Checks the parts of a value against the nodes of a normal form.
///
///     value   0 {"kind": …, "next": …}        normal form   2 ─ shapes ─┬ kind ▶ 3, next ▶ 2
///                                                                       └ kind ▶ 4, next ▶ 2
///     pairs   (2, 0) ─┬ shape 0 ─▶ (3, 1) (2, 2)
///                     └ shape 1 ─▶ (4, 1) (2, 2)  the same pair, checked once
///
/// First, from the whole to the parts, it finds out which pairs of a node and an item matter;
/// then, from the parts to the whole, what each pair costs: 0 when the item fits, and else how far
/// it is from fitting. Without recursion, and without trying one pair twice: shapes inside shapes
/// do not multiply.
struct NormalFormValidation {
  typealias NodeID = NormalForm.NodeID

  /// A node and an item that might be one of its values.
  struct Pair {
    let node: NodeID
    let item: Int
    /// For each shape the nodes of the item's children. Empty for scalars.
    var targets: [[NodeID]] = []
    /// How far the item is from fitting.
    var cost = 0
    /// The shape from which the item is the least apart.
    var nearest = 0
  }

  private struct Key: Hashable {
    let node: NodeID
    let item: Int
  }

  let form: NormalForm
  let tree: ValueTree
  private(set) var pairs: [Pair] = []
  private var known: [Key: Int] = [:]
  /// Filled when the first list without repetitions is met.
  private(set) lazy var classes = tree.equalityClasses()
  /// Where a declared property stands in its shape.
  private var positions: [Key: [[UInt8]: Int]] = [:]

  init(_ form: NormalForm, _ tree: ValueTree) {
    self.form = form
    self.tree = tree
  }

  /// Where the value breaks the normal form; nil when it does not.
  mutating func breach() -> (item: Int, reason: String)? {
    demand(form.root, 0)
    var index = 0
    while index < pairs.count {
      expand(index)
      index += 1
    }
    // Pairs were found level by level, so those of the parts come last.
    for index in pairs.indices.reversed() { weigh(index) }
    return pairs[0].cost == 0 ? nil : explanation()
  }

  /// The pair of a node and an item, which was found before.
  func pair(_ node: NodeID, _ item: Int) -> Pair {
    known[Key(node: node, item: item)].map { pairs[$0] } ?? Pair(node: node, item: item)
  }

  private mutating func demand(_ node: NodeID, _ item: Int) {
    let key = Key(node: node, item: item)
    if known[key] != nil { return }
    known[key] = pairs.count
    pairs.append(Pair(node: node, item: item))
  }

  private mutating func expand(_ index: Int) {
    let item = tree.items[pairs[index].item]
    let id = pairs[index].node
    let node = form.nodes[id]
    switch item.value {
    case .array:
      for shape in node.arrays {
        let count = item.children.count
        let targets = (0..<count).map { $0 < shape.prefix.count ? shape.prefix[$0] : shape.rest }
        pairs[index].targets.append(targets)
        for contains in shape.contains {
          for (position, child) in item.children.enumerated() {
            demand(contains.nodes[min(position, shape.prefix.count)], child)
          }
        }
      }
    case .object:
      for (number, shape) in node.objects.enumerated() {
        let positions = positions(of: shape, Key(node: id, item: number))
        pairs[index].targets.append(item.keys.map { shape.target(of: $0, positions) })
      }
    default: return
    }
    for targets in pairs[index].targets {
      for (child, target) in zip(item.children, targets) { demand(target, child) }
    }
  }

  private mutating func positions(
    of shape: NormalForm.ObjectShape, _ key: Key
  ) -> [[UInt8]: Int] {
    if let known = positions[key] { return known }
    var result: [[UInt8]: Int] = [:]
    for (index, property) in shape.properties.enumerated() where result[property.name] == nil {
      result[property.name] = index
    }
    positions[key] = result
    return result
  }

  private mutating func weigh(_ index: Int) {
    let item = tree.items[pairs[index].item]
    let node = form.nodes[pairs[index].node]
    switch item.value {
    case .null: pairs[index].cost = node.allowsNull ? 0 : Self.otherType
    case .boolean(let value):
      let isAllowed = value ? node.allowsTrue : node.allowsFalse
      let isSameType = node.allowsTrue || node.allowsFalse
      pairs[index].cost = isAllowed ? 0 : isSameType ? Self.otherKind : Self.otherType
    case .number:
      let isIn = item.number.map { NumberLanguage.contains(node.numbers, $0) } ?? false
      pairs[index].cost = isIn ? 0 : node.numbers.isEmpty ? Self.otherType : 1
    case .string(let text):
      let isIn = node.strings.contains { $0.violation(of: text) == nil }
      pairs[index].cost = isIn ? 0 : node.strings.isEmpty ? Self.otherType : Self.otherKind
    case .array, .object:
      if pairs[index].targets.isEmpty {
        pairs[index].cost = Self.otherType + item.children.count
        return
      }
      let costs = pairs[index].targets.indices.map { shape in
        cost(of: pairs[index], shape: shape)
      }
      let least = costs.min() ?? 0
      pairs[index].cost = least
      pairs[index].nearest = costs.firstIndex(of: least) ?? 0
    }
  }

  /// The cost of a value of another JSON type.
  private static let otherType = 8
  /// The cost of a text that does not fit: more than that of a number, since texts are what tells
  /// kinds of objects apart (`"kind": "circle"`).
  private static let otherKind = 3

  private mutating func cost(of pair: Pair, shape: Int) -> Int {
    let item = tree.items[pair.item]
    var cost = own(pair, shape: shape) == nil ? 0 : 1
    for (child, target) in zip(item.children, pair.targets[shape]) {
      // Far values far inside count as one that is far; sums must not overflow.
      cost = min(1_000_000, cost + self.pair(target, child).cost)
    }
    return cost
  }
}

extension NormalForm.ObjectShape {
  /// The node of a key's value.
  fileprivate func target(of key: [UInt8], _ positions: [[UInt8]: Int]) -> NormalForm.NodeID {
    if let position = positions[key] { return properties[position].node }
    return patterns.first { $0.language.accepts(key) }?.node ?? additional
  }
}

extension NormalForm.Strings {
  /// What a text breaks: its length, or the language; nil when nothing.
  func violation(of text: String) -> NormalFormValidation.TextBreach? {
    let length = text.unicodeScalars.count
    if !language.accepts(text.utf8) { return .language }
    if length < minLength { return .tooShort(length, minLength) }
    return length > maxLength ? .tooLong(length, maxLength) : nil
  }
}
