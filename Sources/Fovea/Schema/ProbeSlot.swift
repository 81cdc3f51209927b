/// What a decoder asked for at one place: a single value, the fields of an object, or the items of
/// a list that it reads one by one.
///
///     struct Receipt { let vendor: String; let items: [Item] }
///
///     slot ── fields ── "vendor": slot ── value: text
///                   └── "items":  slot ── value: list of …     (nested types are one value here)
///     struct Point { … x = try list.decode(Double.self); y = try list.decode(Double.self) }
///
///     slot ── list ── 0: slot ── value: number
///                 └── 1: slot ── value: number
final class ProbeSlot {
  private(set) var value: Schema?
  private(set) var isNullable = false
  private(set) var fields: [(name: String, slot: ProbeSlot)]?
  private(set) var list: ProbedList?
  /// Where each name is among the fields, by its bytes.
  private var places: [[UInt8]: Int] = [:]

  /// Two requests that no single schema answers.
  struct Conflict: Error {
    /// The keys down to the place.
    var path: [String] = []
    let reason: String
  }

  // MARK: Recording

  /// A value of this schema was asked for.
  func record(_ schema: Schema) throws(Conflict) {
    if fields != nil || list != nil {
      throw Conflict(reason: "it is read as \(noun) and as \(schema.kind.noun)")
    }
    if let value, value != schema {
      throw Conflict(
        reason: value.kind.noun == schema.kind.noun
          ? "it is read as two different types"
          : "it is read as \(value.kind.noun) and as \(schema.kind.noun)")
    }
    value = schema
  }

  /// Whether it is `null` was asked.
  func recordNullable() { isNullable = true }

  /// An object was asked for.
  func recordObject() throws(Conflict) {
    if value != nil || list != nil {
      throw Conflict(reason: "it is read as an object and as \(noun)")
    }
    if fields == nil { fields = [] }
  }

  /// A list was asked for, to be read item by item.
  func recordList() throws(Conflict) {
    if value != nil || fields != nil {
      throw Conflict(reason: "it is read as a list and as \(noun)")
    }
    if list == nil { list = ProbedList() }
  }

  private var noun: String { value?.kind.noun ?? (list == nil ? "an object" : "a list") }

  /// The slot of a field, which is added when it is new.
  func field(_ name: String) -> ProbeSlot {
    if let known = known(name) { return known }
    let slot = ProbeSlot()
    places[Array(name.utf8)] = fields?.count ?? 0
    fields = (fields ?? []) + [(name, slot)]
    return slot
  }

  private func known(_ name: String) -> ProbeSlot? {
    places[Array(name.utf8)].flatMap { fields?[$0].slot }
  }

  /// Changes what is known of the list.
  func withList<Result>(_ change: (inout ProbedList) -> Result) -> Result {
    var list = self.list ?? ProbedList()
    defer { self.list = list }
    return change(&list)
  }

  // MARK: Comparing runs

  /// Adds what another run of the same decoder asked for, which must be the same: all of it if
  /// that run went to its end, else a part.
  func absorb(_ other: ProbeSlot, isComplete: Bool) throws(Conflict) {
    if other.isNullable { isNullable = true }
    if let value = other.value { try record(value) }
    if let theirs = other.list {
      try recordList()
      var mine = list ?? ProbedList()
      try mine.absorb(theirs, isComplete: isComplete)
      list = mine
    }
    guard let theirs = other.fields else { return }
    try recordObject()
    for (name, slot) in theirs {
      guard let mine = known(name) else {
        throw Conflict(reason: "it is read only for some data (\"\(name)\")")
      }
      try Self.at(name) { () throws(Conflict) in try mine.absorb(slot, isComplete: isComplete) }
    }
    if isComplete, let missing = fields?.first(where: { other.known($0.name) == nil }) {
      throw Conflict(path: [missing.name], reason: "it is read only for some data")
    }
  }

  /// The schema of all that was asked for.
  func schema() throws(Conflict) -> Schema {
    let schema: Schema
    if let value {
      schema = value
    } else if let list {
      schema = try list.schema()
    } else if let fields {
      var properties: [Schema.Property] = []
      for (name, slot) in fields {
        properties.append(
          try Self.at(name) { () throws(Conflict) in Schema.Property(name, try slot.schema()) })
      }
      schema = Schema(.object(properties))
    } else if isNullable {
      throw Conflict(reason: "only whether it is null is read, never its value")
    } else {
      schema = Schema(.object([]))
    }
    return isNullable ? schema.orNull : schema
  }

  /// Puts a key before the path of what fails.
  static func at<Result>(
    _ key: String, _ body: () throws(Conflict) -> Result
  ) throws(Conflict) -> Result {
    do throws(Conflict) {
      return try body()
    } catch {
      throw Conflict(path: [key] + error.path, reason: error.reason)
    }
  }
}
