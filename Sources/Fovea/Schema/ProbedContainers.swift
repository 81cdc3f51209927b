/// The generic types of the standard library, whatever they hold. They decode themselves through
/// containers that a probe cannot follow, so their schemas are made from those of their parts.
protocol ProbedContainer {
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType
}

extension Optional: ProbedContainer where Wrapped: Decodable {
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType {
    let wrapped = try session.probe(Wrapped.self)
    return ProbedType(
      wrapped.schema.orNull, wrapped.values(Wrapped.self).map(Optional.some) + [.none])
  }
}

extension Array: ProbedContainer where Element: Decodable {
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType {
    let element = try session.probe(Element.self)
    let values = element.values(Element.self)
    return ProbedType(
      Schema(.array(items: element.schema, minItems: 0, maxItems: nil)),
      [Array(values.prefix(1)), [], Array(values.prefix(2)), Array(values.suffix(1))])
  }
}

extension Set: ProbedContainer where Element: Decodable {
  /// A set's decoder takes an item twice and keeps it once. Where items are scalars the schema
  /// asks for different ones; where they are lists or objects it does not, since no grammar can
  /// compare those.
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType {
    let element = try session.probe(Element.self)
    let values = element.values(Element.self)
    let kind: Schema.Kind =
      element.schema.isScalar
      ? .set(items: element.schema, minItems: 0, maxItems: nil)
      : .array(items: element.schema, minItems: 0, maxItems: nil)
    return ProbedType(Schema(kind), [Set(values.prefix(1)), [], Set(values.prefix(2))])
  }
}

extension Dictionary: ProbedContainer where Key: Decodable, Value: Decodable {
  /// Only keys that are text, whole numbers, or ``CodingKeyRepresentable`` make an object. Swift
  /// writes all others as a list of keys and values in turn, which JSON Schema cannot describe.
  static func probed(by session: ProbeSession) throws(FoveaError) -> ProbedType {
    let keys = try keyRule(session)
    let value = try session.probe(Value.self)
    let values = value.values(Value.self)
    var samples: [Self] = [[:]]
    if let key = keys.samples.first {
      samples = values.prefix(2).map { [key: $0] } + samples
    }
    if case .names(let names) = keys.rule {
      let properties = names.map { Schema.Property($0, value.schema, isRequired: false) }
      return ProbedType(Schema(.object(properties)), samples)
    }
    var rule: Schema.StringRule?
    if case .text(let keys) = keys.rule { rule = keys }
    let kind = Schema.Kind.dictionary(
      values: value.schema, keys: rule, minProperties: 0, maxProperties: nil)
    return ProbedType(Schema(kind), samples)
  }

  private static func keyRule(
    _ session: ProbeSession
  ) throws(FoveaError) -> (rule: KeyRule, samples: [Key]) {
    if Key.self == String.self { return (.any, ["a"].compactMap { $0 as? Key }) }
    if Key.self == Int.self {
      return (.text(.init(pattern: WholeNumberPattern.int)), [1].compactMap { $0 as? Key })
    }
    guard let coding = Key.self as? any CodingKeyRepresentable.Type else {
      throw session.fail(
        "Swift writes a dictionary with such keys as a list of keys and values in turn", of: self,
        fix: "let \(Key.self) conform to CodingKeyRepresentable, or use String keys")
    }
    let probed = try session.probe(Key.self)
    let samples = probed.values(Key.self).filter { sample in
      guard let key = (sample as? any CodingKeyRepresentable)?.codingKey else { return false }
      return coding.reads(key.stringValue)
    }
    switch probed.schema.kind {
    case .string(let rule) where samples.count == probed.samples.count:
      return (rule == .init() ? .any : .text(rule), samples)
    case .enumeration(let values):
      // A whole number is a key in digits.
      let names = values.map { value in
        if case .string(let text) = value { text } else { value.text }
      }
      guard names.allSatisfy(coding.reads) else { break }
      return (.names(names), samples)
    default: break
    }
    throw session.fail(
      "the keys that \(Key.self) reads are not known", of: self,
      fix: "use keys of type String, or an enum with raw values that is CaseIterable and "
        + "CodingKeyRepresentable")
  }
}

/// Which keys a dictionary has.
private enum KeyRule {
  case any
  case text(Schema.StringRule)
  case names([String])
}

extension CodingKeyRepresentable {
  /// Whether a key of this text becomes a value that is written under the same text.
  fileprivate static func reads(_ name: String) -> Bool {
    Self(codingKey: ProbingKey(stringValue: name))?.codingKey.stringValue == name
  }
}

/// The whole numbers of a type as a regular expression.
enum WholeNumberPattern {
  /// The texts that are an `Int`, each number in one spelling.
  static let int =
    "^(?:0|\(upTo(Int.max.description))|-(?:\(upTo(Int.min.description.dropFirst()))))$"

  /// The numbers from 1 to this one, which has at least two digits.
  ///
  ///     1 to 427:   [1-9][0-9]{0,1} | [1-3][0-9]{2} | 4[0-1][0-9]{1} | 42[0-6] | 427
  private static func upTo(_ greatest: some StringProtocol) -> String {
    let digits = Array(greatest)
    var parts = ["[1-9][0-9]{0,\(digits.count - 2)}"]
    for (index, digit) in digits.enumerated() {
      let least: Character = index == 0 ? "1" : "0"
      guard digit > least, let below = digit.wholeNumberValue.map({ $0 - 1 }) else { continue }
      let rest = digits.count - index - 1
      parts.append(
        String(digits[..<index]) + "[\(least)-\(below)]" + (rest > 0 ? "[0-9]{\(rest)}" : ""))
    }
    return (parts + [String(digits)]).joined(separator: "|")
  }
}

extension Schema {
  /// The same or `null`.
  var orNull: Schema {
    switch kind {
    case .anyOf(let branches):
      return branches.contains { $0.kind == .null }
        ? self : Schema(.anyOf(branches + [Schema(.null)]))
    case .null, .any: return self
    default: return Schema(.anyOf([self, Schema(.null)]))
    }
  }

  /// Whether its values are neither lists nor objects.
  var isScalar: Bool {
    switch kind {
    case .null, .boolean, .integer, .number, .string, .enumeration: true
    case .anyOf(let branches): branches.allSatisfy(\.isScalar)
    case .array, .set, .tuple, .object, .dictionary, .any, .reference, .document: false
    }
  }

  /// Whether it is an object with this one property.
  func isObject(of name: String) -> Bool {
    guard case .object(let properties) = kind else { return false }
    return properties.count == 1 && properties[0].name == name
  }
}
