import Foundation
package import Fovea

extension Schema {
  /// A value that the schema allows. Texts are short, lists have at most two items more than they
  /// must, and numbers stay near their bounds or near zero.
  package func randomValue(using generator: inout some RandomNumberGenerator) -> JSONValue {
    switch kind {
    case .null: return .null
    case .boolean: return .boolean(.random(using: &generator))
    case .integer(let bounds): return .number(bounds.randomNumber(step: 1, using: &generator))
    case .number(let bounds):
      return .number(bounds.randomNumber(step: Decimal(1) / 8, using: &generator))
    case .string(let rule): return .string(rule.randomText(using: &generator))
    case .enumeration(let values): return values.randomElement(using: &generator) ?? .null
    case .array(let items, let minItems, let maxItems):
      let most = min(minItems + 2, maxItems ?? Int.max)
      let count = Int.random(in: minItems...most, using: &generator)
      return .array((0..<count).map { _ in items.randomValue(using: &generator) })
    case .object(let properties):
      let present = properties.filter { $0.isRequired || Bool.random(using: &generator) }
      return .object(
        present.map { JSONValue.Member($0.name, $0.schema.randomValue(using: &generator)) })
    case .anyOf(let branches):
      return branches.randomElement(using: &generator)?.randomValue(using: &generator) ?? .null
    }
  }
}

extension Schema.NumberBounds {
  /// A bound itself, or a number some steps away from it.
  fileprivate func randomNumber(
    step: Decimal, using generator: inout some RandomNumberGenerator
  ) -> String {
    var candidates: [Decimal] = []
    for bound in [minimum, maximum, 0].compactMap({ $0 }) {
      candidates.append(bound)
      candidates.append(bound + step * Decimal(Int.random(in: -100...100, using: &generator)))
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
    switch format {
    case .date: return randomDay(using: &generator)
    case .time: return randomTime(using: &generator)
    case .dateTime: return "\(randomDay(using: &generator))T\(randomTime(using: &generator))"
    case nil: break
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
