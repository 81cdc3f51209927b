/// Writes one instance of a grammar, byte by byte.
///
///     text   {"id":4,"na      ──▶ follow   m             forced
///            {"id":4,"name":  ──▶          " n           a kind of value is drawn, then its byte
///            {"id":4,"name":" ──▶          " a … z \ é   much choice: mostly letters
///            {"id":4          ──▶          0 … 9 ,       little choice: a digit, or an end
///
/// Only bytes that may follow are drawn, so the chances below decide how an instance looks and
/// never whether it is one.
struct InstanceWriter: ~Copyable {
  private typealias Place = ByteAutomaton.Place

  private var automaton: ByteAutomaton
  private var at: Configuration
  /// The bytes so far.
  private(set) var text: [UInt8] = []
  /// Where the present text, number or key began.
  private var start = 0

  init(_ grammar: Grammar) {
    automaton = ByteAutomaton(grammar, reach: 1)
    at = automaton.start
  }

  /// Appends a byte by chance; false when the text is complete.
  mutating func append(using generator: inout some RandomNumberGenerator) -> Bool {
    if automaton.isFinished(at) { return false }
    if automaton.isComplete(at), Bool.random(using: &generator) { return false }
    guard let byte = choice(using: &generator).randomElement(using: &generator) else {
      return false
    }
    append(byte)
    return true
  }

  /// Takes the shortest way to the end of the text.
  mutating func close() {
    while !automaton.isComplete(at), let byte = shorteningByte() { append(byte) }
  }

  private mutating func append(_ byte: UInt8) {
    if at.state < Place.firstMachine { start = text.count }
    at = automaton.step(at, byte)
    text.append(byte)
  }

  /// The first byte after which fewer are missing; see ``ByteAutomaton/shortestCompletion(_:)``.
  /// Where what is missing is only an estimate, as for undeclared keys that have a pattern and may
  /// not come twice, there may be no such byte: then the next part comes closer to the end.
  private mutating func shorteningByte() -> UInt8? {
    let missing = automaton.shortestCompletion(at)
    var best: (byte: UInt8, missing: Int)?
    for byte in Self.readableFirst {
      let after = automaton.step(at, byte)
      if after.isDead { continue }
      let rest = automaton.shortestCompletion(after)
      if rest < missing { return byte }
      if rest < best?.missing ?? .max { best = (byte, rest) }
    }
    let parts = Self.betweenParts.first { !automaton.step(at, $0).isDead }
    return parts ?? best?.byte
  }

  private static let betweenParts: [UInt8] = [0x2C, 0x22, 0x3A]

  private static let readableFirst: [UInt8] = {
    let letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
    let first = letters + digits
    return first + (UInt8.min...UInt8.max).filter { !first.contains($0) }
  }()

  // MARK: Choices

  /// Bytes of which one is to be taken, each as likely as the others.
  private mutating func choice(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    var part = at
    // Of several shapes that fit, one says what comes next.
    if part.state == Place.several {
      part = automaton.sets[Int(part.count)].randomElement(using: &generator) ?? part
    }
    let follow = automaton.follow(part).bytes
    if follow.isEmpty { return automaton.follow(at).bytes }
    if follow.count == 1 { return follow }
    switch part.state {
    case Place.value: return value(follow, using: &generator)
    case Place.objectOpen, Place.objectAfter:
      let declared = hasDeclared(part)
      return ending(follow, chance: declared ? 4 : 1, of: declared ? 5 : 8, using: &generator)
    case Place.arrayOpen, Place.arrayAfter:
      return ending(follow, chance: 3, of: 5, using: &generator)
    default: break
    }
    if part.state >= Place.firstMachine {
      let state = automaton.grammar.table.states[Int(part.state)]
      if state.role == .keyName {
        let declared = declaredBytes(part, state)
        let mayInvent = grammarNode(state).depth == 0 && chance(1, of: 10, using: &generator)
        if !declared.isEmpty, !mayInvent { return declared }
      }
      if state.role == .number, state.isFinal, chance(1, of: 3, using: &generator) {
        let ends = follow.filter { $0 != 0x2E && !Self.isDigit($0) }
        if !ends.isEmpty { return ends }
      }
      if follow.contains(0x2E), state.role == .number, chance(1, of: 3, using: &generator) {
        return [0x2E]
      }
      if text.count - start > Self.longText, chance(1, of: 3, using: &generator) {
        return [shorteningByte() ?? follow[0]]
      }
    }
    return follow.count > Self.muchChoice ? word(follow, using: &generator) : follow
  }

  /// With more bytes than this a text is free, or as good as free.
  private static let muchChoice = 48

  /// Texts longer than this are brought to their end.
  private static let longText = 20

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private func chance(
    _ part: Int, of whole: Int, using generator: inout some RandomNumberGenerator
  ) -> Bool {
    Int.random(in: 0..<whole, using: &generator) < part
  }

  /// First bytes of one kind of value; `null` and containers are rarer than scalars.
  private func value(
    _ follow: [UInt8], using generator: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let kinds: [(weight: Int, bytes: [UInt8])] = [
      (4, follow.filter { $0 == 0x22 }),
      (4, follow.filter { $0 == 0x2D || Self.isDigit($0) }),
      (2, follow.filter { $0 == 0x74 || $0 == 0x66 }),
      (1, follow.filter { $0 == 0x6E }),
      (2, follow.filter { $0 == 0x5B || $0 == 0x7B }),
    ].filter { !$0.1.isEmpty }
    var rest = Int.random(in: 0..<max(1, kinds.reduce(0) { $0 + $1.weight }), using: &generator)
    for kind in kinds {
      rest -= kind.weight
      if rest < 0 { return kind.bytes }
    }
    return follow
  }

  /// Goes on with a chance, or closes the container.
  private func ending(
    _ follow: [UInt8], chance part: Int, of whole: Int,
    using generator: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let goesOn = chance(part, of: whole, using: &generator)
    let bytes = follow.filter { ($0 == 0x5D || $0 == 0x7D) != goesOn }
    return bytes.isEmpty ? follow : bytes
  }

  /// Letters for the most part; what is left where a text has none.
  private func word(
    _ follow: [UInt8], using generator: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let isAfterLetter = text.last.map { (0x61...0x7A).contains($0) } ?? false
    let roll = Int.random(in: 0..<100, using: &generator)
    let wanted: [UInt8] =
      switch roll {
      case ..<12 where isAfterLetter: [0x22]
      case ..<18 where isAfterLetter: [0x20]
      case ..<22: Array(0x30...0x39)
      default: Array(0x61...0x7A)
      }
    for bytes in [wanted, Array(0x61...0x7A), Array(0x30...0x39), Array(0x41...0x5A)] {
      let found = bytes.filter(follow.contains)
      if !found.isEmpty { return found }
    }
    let plain = follow.filter { (0x20...0x7E).contains($0) && $0 != 0x5C }
    return plain.isEmpty ? follow : plain
  }

  // MARK: Keys

  private func grammarNode(_ state: MachineTable.State) -> KeyNode {
    automaton.grammar.keyNodes[Int(state.detail)]
  }

  /// Whether a declared key may come next.
  private func hasDeclared(_ part: Configuration) -> Bool {
    let key = automaton.frames[Int(part.frame)].key
    let shape = automaton.grammar.objects[Int(key.shape)]
    return shape.properties.indices.contains { automaton.allows(UInt32($0), key, shape) }
  }

  /// The bytes that keep a key on the way to a declared one that may come; the closing quote at
  /// its end.
  private mutating func declaredBytes(
    _ part: Configuration, _ state: MachineTable.State
  ) -> [UInt8] {
    let grammar = automaton.grammar
    let key = automaton.frames[Int(part.frame)].key
    let shape = grammar.objects[Int(key.shape)]
    let node = grammarNode(state)
    var bytes: Set<UInt8> = []
    for target in node.targets {
      let property = grammar.keyTargets[Int(target)]
      guard automaton.allows(property, key, shape) else { continue }
      let name = shape.properties[Int(property)].name
      bytes.insert(Int(node.depth) < name.count ? name[Int(node.depth)] : 0x22)
    }
    return bytes.filter { !automaton.step(part, $0).isDead }.sorted()
  }
}
