internal import Foundation

/// Turns the normal form of a schema into states.
struct SchemaCompiler {
  /// How many states a grammar may have: far more than any useful schema needs (a receipt has a
  /// few hundred), and little enough to stay within tens of megabytes.
  static let mostStates = 1_000_000

  let whitespace: Grammar.Whitespace
  var builder = GrammarBuilder()

  init(whitespace: Grammar.Whitespace) { self.whitespace = whitespace }

  /// A state that reads a value of this node.
  mutating func value(_ node: NormalNode, depth: Int) throws(FoveaError) -> UInt32 {
    let literals = node.literals.sorted { $0.lexicographicallyPrecedes($1) }
    var leaves = builder.choice(of: literals[...]).map { [$0] } ?? []
    for number in node.numbers { leaves.append(try self.number(number)) }
    for format in Schema.Format.allCases where node.formats.contains(format) {
      leaves.append(builder.format(format))
    }
    var starts: [UInt32] = []
    if let first = leaves.first {
      var union = first
      for leaf in leaves.dropFirst() { union = builder.union(union, leaf) }
      starts.append(union)
    }
    if let text = node.text {
      starts.append(builder.text(minimum: text.minimum, maximum: text.maximum))
    }
    if case .of(let items, let minimum, let maximum) = node.list {
      let counts = NormalText(minimum: minimum, maximum: maximum)
      starts.append(try list(of: items, counts, depth: depth))
    }
    if let properties = node.object {
      starts.append(try object(properties, depth: depth))
    }
    if builder.drafts.count > Self.mostStates {
      throw .unsupported(
        node.path, "is too large: more than \(Self.mostStates) states",
        fix: "split the schema, or shorten its enumerations")
    }
    // What remains differs in the first byte, so the starts are one state with all their edges.
    let edges = starts.flatMap { builder.drafts[Int($0)].edges }
    return starts.count == 1 ? starts[0] : builder.add(GrammarBuilder.Draft(edges: edges))
  }

  private mutating func number(_ number: NormalNumber) throws(FoveaError) -> UInt32 {
    let bounds = number.bounds
    if bounds.minimum?.isNaN ?? false || bounds.maximum?.isNaN ?? false {
      throw .impossible(number.path, "has a bound that is not a number", fix: "give a number")
    }
    if let state = builder.number(bounds, isInteger: number.isInteger) { return state }
    let lower = bounds.minimum.map { "\(bounds.isMinimumExclusive ? "above" : "at least") \($0)" }
    let upper = bounds.maximum.map { "\(bounds.isMaximumExclusive ? "below" : "at most") \($0)" }
    let wanted = [lower, upper].compactMap { $0 }.joined(separator: " and ")
    throw .impossible(
      number.path, "allows no \(number.isInteger ? "integer" : "number"): \(wanted)",
      fix: "widen the bounds")
  }

  /// A list counts its items in the configuration instead of having states for each of them.
  ///
  ///     [ ──▶ open ──item──▶ after ──]──▶ end
  ///             │             ▲  │
  ///             ]             │  ,          the comma needs room, the bracket enough items
  ///             ▼             │  ▼
  ///            end          item◀─ before
  private mutating func list(
    of items: NormalNode, _ counts: NormalText, depth: Int
  ) throws(FoveaError) -> UInt32 {
    let item = try value(items, depth: depth + 1)
    let empty = builder.literal([0x5D], then: GrammarState.end)
    if counts.maximum == 0 { return builder.literal([0x5B], then: empty) }
    let separator = whitespace.separator(depth: depth + 1)
    let itemBytes = builder.entryCost(item)
    let unit = UInt32(clamping: itemBytes + separator.count)
    let counter = builder.counter(
      GrammarCounter(minimum: counts.minimum, maximum: counts.maximum, unit: unit))

    let close = builder.literal(whitespace.closing(0x5D, depth: depth), then: GrammarState.end)
    let closeEdges = builder.drafts[Int(close)].edges
    var after = GrammarBuilder.Draft(
      edges: closeEdges, role: .afterItem, counter: counter)
    let afterState = builder.reserve(after, shortest: builder.shortest[Int(close)])

    // What lies between the comma and the item carries the count on.
    var before = builder.add(
      GrammarBuilder.Draft(
        role: .beforeItem, counter: counter, callee: item, returnState: afterState))
    for byte in separator.dropFirst().reversed() {
      before = builder.add(
        GrammarBuilder.Draft(
          edges: [GrammarEdge(byte, before)], role: .beforeItem, counter: counter))
    }
    if counts.maximum > 1 { after.edges.append(GrammarEdge(0x2C, before)) }
    builder.define(afterState, as: after)

    let first = builder.firstItem(
      item, then: afterState, extra: max(0, Int(counts.minimum) - 1) * Int(unit),
      empty: counts.minimum == 0 ? empty : nil, lead: whitespace.opening(depth: depth + 1))
    return builder.literal([0x5B], then: first)
  }

  /// An object is a run of literal keys with calls between them. Where properties may be left
  /// out, the keys that may come next form a trie, and the tries of one object share states.
  private mutating func object(
    _ properties: [NormalProperty], depth: Int
  ) throws(FoveaError) -> UInt32 {
    let separator = whitespace.separator(depth: depth + 1)
    let colon = whitespace.colon
    let close = builder.literal(whitespace.closing(0x7D, depth: depth), then: GrammarState.end)
    let closeEdges = builder.drafts[Int(close)].edges
    var keys: UInt32?
    var mayClose = true
    for property in properties.reversed() {
      // After this property: a comma and one of the later keys, or the end.
      var edges = mayClose ? closeEdges : []
      if let keys {
        let next = builder.literal(separator.dropFirst(), then: keys)
        edges.append(GrammarEdge(0x2C, next))
      }
      let after = builder.add(GrammarBuilder.Draft(edges: edges))
      let value = builder.call(try value(property.node, depth: depth + 1), then: after)
      let key = property.key + colon
      if let later = keys, !property.isRequired {
        keys = builder.inserting(key, then: value, into: later)
      } else {
        keys = builder.literal(key, then: value)
      }
      if property.isRequired { mayClose = false }
    }
    var edges: [GrammarEdge] = []
    if mayClose {
      edges.append(GrammarEdge(0x7D, GrammarState.end))
    }
    if let keys {
      let lead = builder.literal(whitespace.opening(depth: depth + 1), then: keys)
      edges += builder.drafts[Int(lead)].edges
    }
    let open = builder.add(GrammarBuilder.Draft(edges: edges))
    return builder.literal([0x7B], then: open)
  }
}

extension GrammarBuilder {
  /// The state after a list's opening bracket: the first item, or the closing bracket.
  fileprivate mutating func firstItem(
    _ item: UInt32, then after: UInt32, extra: Int, empty: UInt32?, lead: [UInt8]
  ) -> UInt32 {
    var draft = Draft(callee: item, returnState: after)
    var cost = entryCost(item) + shortest[Int(after)] + extra
    if lead.isEmpty {
      if let empty {
        draft.edges = drafts[Int(empty)].edges
        cost = 1
      }
      return reserve(draft, shortest: cost)
    }
    let first = literal(lead, then: reserve(draft, shortest: cost))
    guard let empty else { return first }
    return add(Draft(edges: drafts[Int(first)].edges + drafts[Int(empty)].edges))
  }
}
