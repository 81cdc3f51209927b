/// What a decoder asked of a list that it reads item by item (`unkeyedContainer`).
///
/// A decoder that never asks where the list ends reads a fixed number of items. One that does is
/// run with lists of several lengths: those it accepts tell a loop over equal items from a check
/// that nothing follows.
struct ProbedList {
  /// A slot for each position that was read.
  private(set) var items: [ProbeSlot] = []
  /// How long the list is in this run; nil while its end was not asked for.
  private(set) var length: Int?
  /// How many items this run read.
  private var count = 0
  /// How the complete runs went.
  private var endings: [Ending] = []
  /// The lengths of all runs, complete or not.
  private var tried: Set<Int> = []

  private struct Ending {
    let length: Int?
    let count: Int
  }

  /// How many lengths are tried: those from 0 to 8, or that many from where the end was asked for.
  static let lengthCount = 9

  /// The slot of an item; nil behind the end of the list.
  mutating func item(_ index: Int) -> ProbeSlot? {
    if let length, index >= length { return nil }
    while items.count <= index { items.append(ProbeSlot()) }
    count = max(count, index + 1)
    return items[index]
  }

  /// Fixes the length when the end is asked for after `index` items.
  mutating func end(after index: Int, choice: Int) {
    // A list of two comes first: most pairs are read without a loop.
    let order = index == 0 ? [2, 0, 1, 3, 4, 5, 6, 7, 8] : Array(0..<Self.lengthCount)
    length = index + order[choice % order.count]
  }

  /// Adds what another run asked for.
  mutating func absorb(_ other: ProbedList, isComplete: Bool) throws(ProbeSlot.Conflict) {
    for (index, slot) in other.items.enumerated() {
      guard index < items.count else {
        items.append(slot)
        continue
      }
      let mine = items[index]
      try ProbeSlot.at("\(index)") { () throws(ProbeSlot.Conflict) in
        try mine.absorb(slot, isComplete: isComplete)
      }
    }
    if let length = other.length { tried.insert(length) }
    if isComplete { endings.append(Ending(length: other.length, count: other.count)) }
  }

  /// The schema of what was read.
  func schema() throws(ProbeSlot.Conflict) -> Schema {
    let counts = Set(endings.map(\.count))
    let lengths = Set(endings.compactMap(\.length))
    let longest = counts.max() ?? 0
    var schemas: [Schema] = []
    for (index, slot) in items.prefix(longest).enumerated() {
      schemas.append(
        try ProbeSlot.at("\(index)") { () throws(ProbeSlot.Conflict) in try slot.schema() })
    }
    if counts.count == 1, lengths.isEmpty || lengths.contains(longest) {
      return Schema(.tuple(schemas))
    }
    // Every length from the least on was accepted, and read to its end.
    guard let least = lengths.min(), longest == lengths.max(), lengths == Set(least...longest),
      endings.allSatisfy({ $0.length == $0.count })
    else { throw ProbeSlot.Conflict(reason: "it reads a list whose length depends on the data") }
    guard let item = schemas.first, schemas.allSatisfy({ $0 == item }) else {
      throw ProbeSlot.Conflict(reason: "it reads a list of any length with items of several types")
    }
    return Schema(
      .array(items: item, minItems: least, maxItems: longest == tried.max() ? nil : longest))
  }
}
