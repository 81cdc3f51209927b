/// What a decoder asked for at one place: a single value, or the fields of an object.
///
///     struct Receipt { let vendor: String; let items: [Item] }
///
///     slot ── fields ── "vendor": slot ── value: text
///                   └── "items":  slot ── value: list of …     (nested types are one value here)
final class ProbeSlot {
  private(set) var value: Schema?
  private(set) var isNullable = false
  private(set) var fields: [(name: String, slot: ProbeSlot)]?
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
    if fields != nil {
      throw Conflict(reason: "it is read as an object and as \(schema.kind.noun)")
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
    if let value { throw Conflict(reason: "it is read as an object and as \(value.kind.noun)") }
    if fields == nil { fields = [] }
  }

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

  // MARK: Comparing runs

  /// Adds what another run of the same decoder asked for, which must be the same: all of it if
  /// that run went to its end, else a part.
  func absorb(_ other: ProbeSlot, isComplete: Bool) throws(Conflict) {
    if other.isNullable { isNullable = true }
    if let value = other.value { try record(value) }
    guard let theirs = other.fields else { return }
    try recordObject()
    for (name, slot) in theirs {
      guard let mine = known(name) else {
        throw Conflict(reason: "it is read only for some data (\"\(name)\")")
      }
      do throws(Conflict) {
        try mine.absorb(slot, isComplete: isComplete)
      } catch {
        throw Conflict(path: [name] + error.path, reason: error.reason)
      }
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
    } else if let fields {
      var properties: [Schema.Property] = []
      for (name, slot) in fields {
        do throws(Conflict) {
          properties.append(Schema.Property(name, try slot.schema()))
        } catch {
          throw Conflict(path: [name] + error.path, reason: error.reason)
        }
      }
      schema = Schema(.object(properties))
    } else if isNullable {
      throw Conflict(reason: "only whether it is null is read, never its value")
    } else {
      schema = Schema(.object([]))
    }
    return isNullable ? schema.orNull : schema
  }
}
