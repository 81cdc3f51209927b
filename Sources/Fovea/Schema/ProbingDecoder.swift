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
    try run.noted(codingPath) { () throws(ProbeSlot.Conflict) in try slot.recordList() }
    return ProbingUnkeyedContainer(run: run, slot: slot, codingPath: codingPath)
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

  /// An enum with associated values asks which key there is, and expects one.
  var allKeys: [Key] {
    let keys = run.session.keys(Key.self)
    guard slot === run.root, !keys.isEmpty else {
      // A getter cannot throw: the failure is kept, and ends the run when its decoder returns.
      _ = run.refusal(
        codingPath, "it reads whatever keys there are, and which they can be is not known",
        fix: "for an enum with associated values, declare \"enum CodingKeys: CodingKey, "
          + "CaseIterable\" in it with the names of its cases; else use a struct with optional "
          + "fields, or a dictionary")
      return []
    }
    return run.present(of: keys)
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
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder(ProbingKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }

  private func decoder(_ key: any CodingKey) -> ProbingDecoder {
    ProbingDecoder(run: run, slot: slot.field(key.stringValue), codingPath: codingPath + [key])
  }
}

/// Notes the items that are read.
private struct ProbingUnkeyedContainer: UnkeyedDecodingContainer {
  let run: ProbeRun
  let slot: ProbeSlot
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(run: ProbeRun, slot: ProbeSlot, codingPath: [any CodingKey]) {
    self.run = run
    self.slot = slot
    self.codingPath = codingPath
  }

  var count: Int? { run.length(of: slot, after: currentIndex) }
  var isAtEnd: Bool { currentIndex >= run.length(of: slot, after: currentIndex) }

  mutating func decodeNil() throws -> Bool {
    guard run.isNull(try item()) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try run.value(type, in: item(), path: path)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try superDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = ProbingDecoder(run: run, slot: try item(), codingPath: path)
    currentIndex += 1
    return decoder
  }

  private var path: [any CodingKey] { codingPath + [ProbingKey(currentIndex)] }

  private func item() throws -> ProbeSlot {
    if let item = slot.withList({ $0.item(currentIndex) }) { return item }
    throw DecodingError.valueNotFound(
      Any.self, DecodingError.Context(codingPath: path, debugDescription: "the list has ended"))
  }
}

/// A key that is no type's own.
struct ProbingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = Int(stringValue)
  }

  init(intValue: Int) { self.init(intValue) }

  init(_ index: Int) {
    stringValue = "\(index)"
    intValue = index
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
