/// The decoder that a type's `init(from:)` is run with to find out what it reads.
struct ProbingDecoder: Decoder {
  let run: ProbeRun
  let slot: ProbeSlot
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try run.noted(codingPath) { () throws(ProbeSlot.Conflict) in try slot.recordObject() }
    return KeyedDecodingContainer(
      ProbingKeyedContainer<Key>(run: run, slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw run.refusal(
      codingPath, "it reads a list item by item, so that its length and types are not known",
      fix: "use an array as a property instead")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ProbingSingleContainer(run: run, slot: slot, codingPath: codingPath)
  }
}

/// Notes the fields that are asked for.
private struct ProbingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let run: ProbeRun
  let slot: ProbeSlot
  let codingPath: [any CodingKey]

  var allKeys: [Key] {
    // A getter cannot throw: the failure is kept, and ends the run when its decoder returns.
    _ = run.refusal(
      codingPath,
      "it reads whatever keys there are, as an enum with associated values or a dictionary does",
      fix: "use a struct with optional fields, or give the enum raw values of type String")
    return []
  }

  // Optional fields come here too: the standard decodeIfPresent asks `contains`, `decodeNil` and
  // `decode`, in this order.
  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool { run.isNull(slot.field(key.stringValue)) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try run.value(type, in: slot.field(key.stringValue), path: codingPath + [key])
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try ProbingDecoder(
      run: run, slot: slot.field(key.stringValue), codingPath: codingPath + [key]
    ).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ProbingDecoder(
      run: run, slot: slot.field(key.stringValue), codingPath: codingPath + [key]
    ).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { throw superRefusal }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw superRefusal }

  private var superRefusal: FoveaError {
    run.refusal(
      codingPath, "it decodes its superclass apart (superDecoder)",
      fix: "use a struct, or call super.init(from: decoder) with the same decoder")
  }
}

/// Notes the one value that is asked for.
private struct ProbingSingleContainer: SingleValueDecodingContainer {
  let run: ProbeRun
  let slot: ProbeSlot
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { run.isNull(slot) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try run.value(type, in: slot, path: codingPath, isSingle: true)
  }
}

extension ProbeRun {
  /// Runs a note into a slot, and keeps its conflict as the session's failure.
  fileprivate func noted(
    _ path: [any CodingKey], _ body: () throws(ProbeSlot.Conflict) -> Void
  ) throws {
    do throws(ProbeSlot.Conflict) {
      try body()
    } catch {
      throw session.fail(error, within: path.map(\.stringValue))
    }
  }

  /// Keeps a refusal as the session's failure, so that no `try?` can swallow it.
  fileprivate func refusal(
    _ path: [any CodingKey], _ reason: String, fix: String
  ) -> FoveaError {
    session.fail(reason, within: path.map(\.stringValue), fix: fix)
  }
}
