import Foundation
package import Fovea

extension Schema {
  /// A value that the schema allows. Texts are short, lists have at most two items more than they
  /// must, numbers stay near their bounds or near zero, and values of a type that contains itself
  /// end where they can.
  package func randomValue(using generator: inout some RandomNumberGenerator) -> JSONValue {
    RandomValues(schema: self).value(of: self, depth: 6, using: &generator)
  }
}

/// Values of one schema, with what its references stand for.
private struct RandomValues {
  let definitions: [String: Schema]

  init(schema: Schema) {
    definitions = Dictionary(uniqueKeysWithValues: schema.definitions.map { ($0.name, $0.schema) })
  }

  func value(
    of schema: Schema, depth: Int, using generator: inout some RandomNumberGenerator
  ) -> JSONValue {
    switch schema.kind {
    case .null: return .null
    case .boolean: return .boolean(.random(using: &generator))
    case .integer(let bounds): return .number(bounds.randomNumber(step: 1, using: &generator))
    case .number(let bounds):
      return .number(bounds.randomNumber(step: Decimal(1) / 8, using: &generator))
    case .string(let rule): return .string(rule.randomText(using: &generator))
    case .enumeration(let values): return values.randomElement(using: &generator) ?? .null
    case .array(let items, let least, let most):
      return .array(list(items, least, most, depth: depth, using: &generator))
    case .set(let items, let least, let most):
      var known: Set<String> = []
      let all = list(items, least, most, depth: depth, using: &generator)
      return .array(all.filter { known.insert($0.text).inserted })
    case .tuple(let items):
      return .array(items.map { value(of: $0, depth: depth - 1, using: &generator) })
    case .object(let properties):
      let present = properties.filter {
        $0.isRequired || (depth > 0 && Bool.random(using: &generator))
      }
      return .object(
        present.map { .init($0.name, value(of: $0.schema, depth: depth - 1, using: &generator)) })
    case .dictionary(let values, let keys, let least, let most):
      let items = list(values, least, most, depth: depth, using: &generator)
      var members: [JSONValue.Member] = []
      for item in items {
        let key = (keys ?? .init(maxLength: 8)).randomText(using: &generator)
        if members.contains(where: { $0.name == key }) { continue }
        members.append(.init(key, item))
      }
      return .object(members)
    case .anyOf(let branches):
      // Deep down only what ends soonest.
      let fitting =
        depth > 0 ? branches : [branches.min { cost(of: $0) < cost(of: $1) }].compactMap(\.self)
      guard let branch = fitting.randomElement(using: &generator) else { return .null }
      return value(of: branch, depth: depth - 1, using: &generator)
    case .any: return .random(depth: 2, using: &generator)
    case .reference(let name):
      guard let schema = definitions[name] else { return .null }
      return value(of: schema, depth: depth, using: &generator)
    case .document: return .null
    }
  }

  private func list(
    _ items: Schema, _ least: Int, _ most: Int?, depth: Int,
    using generator: inout some RandomNumberGenerator
  ) -> [JSONValue] {
    let most = depth > 0 ? min(least + 2, most ?? Int.max) : least
    return (0..<Int.random(in: least...most, using: &generator)).map { _ in
      value(of: items, depth: depth - 1, using: &generator)
    }
  }

  /// How many references a value has at least, as far as one level shows.
  private func cost(of schema: Schema) -> Int {
    switch schema.kind {
    case .reference: 1
    case .object(let properties):
      properties.reduce(0) { $0 + ($1.isRequired ? cost(of: $1.schema) : 0) }
    case .tuple(let items): items.reduce(0) { $0 + cost(of: $1) }
    case .anyOf(let branches): branches.map(cost).min() ?? 0
    case .array(let items, let least, _), .set(let items, let least, _): least * cost(of: items)
    default: 0
    }
  }
}

extension Schema.NumberBounds {
  /// A bound itself, or a number some steps away from it.
  fileprivate func randomNumber(
    step: Decimal, using generator: inout some RandomNumberGenerator
  ) -> String {
    let step = multipleOf ?? step
    var candidates: [Decimal] = []
    for bound in [minimum, maximum, 0].compactMap({ $0 }) {
      // Not a multiple itself, perhaps.
      if multipleOf == nil || bound == 0 { candidates.append(bound) }
      let start = multipleOf == nil ? bound : 0
      candidates.append(start + step * Decimal(Int.random(in: -100...100, using: &generator)))
    }
    let fitting = candidates.filter { number in
      if let minimum, number < minimum || (isMinimumExclusive && number == minimum) { return false }
      if let maximum, number > maximum || (isMaximumExclusive && number == maximum) { return false }
      return true
    }
    return (fitting.randomElement(using: &generator) ?? minimum ?? maximum ?? 0).description
  }
}

extension Schema.StringRule {
  fileprivate func randomText(using generator: inout some RandomNumberGenerator) -> String {
    if let pattern { return Self.randomText(pattern: pattern, using: &generator) }
    switch format {
    case .date: return randomDay(using: &generator)
    case .time: return randomTime(using: &generator)
    case .dateTime: return "\(randomDay(using: &generator))T\(randomTime(using: &generator))"
    case .uuid: return UUID.random(using: &generator).uuidString
    case .uri:
      let texts = [
        "https://example.com/a?b#c", "a:", "mailto:a@b", "http://[::1]:80/%20", "a:?", "z+1://",
      ]
      return texts.randomElement(using: &generator) ?? "a:"
    case .base64:
      let bytes = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      return Data(bytes).base64EncodedString()
    case .duration, .email, .hostname, .ipv4, .ipv6, nil: break
    }
    let alphabet: [Unicode.Scalar] = [
      "a", "Z", "7", " ", "\"", "\\", "\n", "é", "東", "😀", "\u{301}",
    ]
    let most = min(minLength + 5, maxLength ?? Int.max)
    var text = ""
    for _ in 0..<Int.random(in: minLength...most, using: &generator) {
      text.unicodeScalars.append(alphabet.randomElement(using: &generator) ?? "a")
    }
    return text
  }

  /// A number or a date if the pattern accepts one. The pattern is read by the standard library.
  private static func randomText(
    pattern: String, using generator: inout some RandomNumberGenerator
  ) -> String {
    guard let expression = try? Regex(pattern) else { return "the test cannot read \(pattern)" }
    let number = "\(Int.random(in: .min ... .max, using: &generator))"
    let parts = (0..<6).map { _ in
      String(format: "%02d", Int.random(in: 10...23, using: &generator))
    }
    let date = "\(parts[0]).0\(Int.random(in: 1...9, using: &generator)).20\(parts[1])"
    let texts =
      [number, "0", "-7", "\(Int.min)", date, "\(date) \(parts[3]):\(parts[4]):\(parts[5])"]
      + ["29.02.2000", "31.12.9999"]
    let fitting = texts.filter { $0.wholeMatch(of: expression) != nil }
    return fitting.randomElement(using: &generator) ?? "the test knows nothing like \(pattern)"
  }

  private func randomDay(using generator: inout some RandomNumberGenerator) -> String {
    let day = Int.random(in: 1...28, using: &generator)
    let month = Int.random(in: 1...12, using: &generator)
    let year = Int.random(in: 1...9999, using: &generator)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  private func randomTime(using generator: inout some RandomNumberGenerator) -> String {
    let parts = [24, 60, 60].map { padded(Int.random(in: 0..<$0, using: &generator), 2) }
    let fraction =
      Bool.random(using: &generator) ? ".\(Int.random(in: 0...999, using: &generator))" : ""
    let zone = ["Z", "+02:00", "-11:30"].randomElement(using: &generator) ?? "Z"
    return parts.joined(separator: ":") + fraction + zone
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: width - digits.count) + digits
  }
}

extension UUID {
  fileprivate static func random(using generator: inout some RandomNumberGenerator) -> UUID {
    var digits = ""
    for index in 0..<32 {
      if [8, 12, 16, 20].contains(index) { digits += "-" }
      digits += String(Int.random(in: 0..<16, using: &generator), radix: 16)
    }
    return UUID(uuidString: digits) ?? UUID()
  }
}
