import FoveaTestSupport
import Testing

@testable import Fovea

/// The validator against the plain recursive reading of what a normal form means.
@Suite("Values against normal forms: random forms")
struct NormalFormReferenceTests {
  static func fits(_ value: JSONValue, _ node: Int, _ form: NormalForm) -> Bool {
    let rules = form.nodes[node]
    switch value {
    case .null: return rules.allowsNull
    case .boolean(let value): return value ? rules.allowsTrue : rules.allowsFalse
    case .number(let text): return rules.numbers.accepts(text.utf8)
    case .string(let text):
      return rules.strings.contains {
        $0.language.accepts(text.utf8) && $0.minLength <= text.count && text.count <= $0.maxLength
      }
    case .array(let items): return rules.arrays.contains { fits(items, $0, form) }
    case .object(let members): return rules.objects.contains { fits(members, $0, form) }
    }
  }

  static func fits(
    _ items: [JSONValue], _ shape: NormalForm.ArrayShape, _ form: NormalForm
  ) -> Bool {
    guard (shape.minItems...shape.maxItems).contains(items.count) else { return false }
    for (index, item) in items.enumerated() {
      let node = index < shape.prefix.count ? shape.prefix[index] : shape.rest
      if !fits(item, node, form) { return false }
      if shape.isUnique, items[..<index].contains(where: { equal($0, item) }) { return false }
    }
    return shape.contains.allSatisfy { contains in
      items.enumerated().filter { index, item in
        fits(item, contains.nodes[min(index, shape.prefix.count)], form)
      }.count >= contains.minimum
    }
  }

  static func fits(
    _ members: [JSONValue.Member], _ shape: NormalForm.ObjectShape, _ form: NormalForm
  ) -> Bool {
    let names = members.map { Array($0.name.utf8) }
    guard Set(names).count == names.count,
      (shape.minProperties...shape.maxProperties).contains(names.count)
    else { return false }
    for (member, name) in zip(members, names) {
      let declared = shape.properties.first { $0.name == name }?.node
      let matched = shape.patterns.first { $0.language.accepts(name) }?.node
      if !fits(member.value, declared ?? matched ?? shape.additional, form) { return false }
    }
    return shape.properties.allSatisfy { !$0.isRequired || names.contains($0.name) }
      && shape.implications.allSatisfy { implication in
        !names.contains(shape.properties[implication.condition].name)
          || implication.consequences.allSatisfy { names.contains(shape.properties[$0].name) }
      }
  }

  static func equal(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): return ExactNumber(left) == ExactNumber(right)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(equal)
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && left.allSatisfy { member in
          right.contains { $0.name == member.name && equal($0.value, member.value) }
        }
    default: return left == right
    }
  }

  struct Dice {
    var generator: SeededGenerator
    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    mutating func happens(_ chance: Int) -> Bool { below(100) < chance }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
  }

  static let names = ["a", "b", "c", "dd"]

  static func form(_ dice: inout Dice) throws -> NormalForm {
    var form = FormBuilder().form
    let count = 5
    let languages = [
      NumberLanguage.all, NumberLanguage.integers, try NumberLanguage.values([.of("1")]), .empty,
      .empty,
    ]
    for _ in 0..<count {
      var node = NormalForm.Node()
      node.allowsNull = dice.happens(40)
      node.allowsTrue = dice.happens(40)
      node.allowsFalse = dice.happens(40)
      node.numbers = dice.pick(languages)
      if dice.happens(50) {
        let least = dice.below(2)
        node.strings = [
          NormalForm.Strings(
            FormBuilder.anyText, minLength: least, maxLength: least + dice.below(2))
        ]
      }
      if dice.happens(20) {
        node.strings.append(NormalForm.Strings(try FormBuilder.words(["dd", "x"])))
      }
      func id(_ dice: inout Dice) -> Int { dice.below(count + 2) }
      for _ in 0..<dice.below(3) {
        var shape = NormalForm.ArrayShape()
        for _ in 0..<dice.below(3) { shape.prefix.append(id(&dice)) }
        shape.rest = id(&dice)
        if dice.happens(30) { shape.minItems = dice.below(3) }
        if dice.happens(30) { shape.maxItems = shape.minItems + dice.below(3) }
        shape.isUnique = dice.happens(30)
        if dice.happens(30) {
          let nodes = (0...shape.prefix.count).map { _ in id(&dice) }
          shape.contains = [NormalForm.Contains(nodes: nodes, minimum: 1 + dice.below(2))]
        }
        node.arrays.append(shape)
      }
      for _ in 0..<dice.below(4) {
        var shape = NormalForm.ObjectShape()
        for name in names where dice.happens(50) {
          shape.properties.append(
            NormalForm.Property(Array(name.utf8), id(&dice), isRequired: dice.happens(40)))
        }
        shape.additional = id(&dice)
        if dice.happens(30) {
          shape.patterns = [NormalForm.Pattern(try FormBuilder.words(["dd", "c"]), id(&dice))]
        }
        if dice.happens(20) { shape.minProperties = dice.below(3) }
        if dice.happens(20) { shape.maxProperties = shape.minProperties + dice.below(3) }
        if dice.happens(30), shape.properties.count > 1 {
          shape.implications = [NormalForm.Implication(0, [1])]
        }
        node.objects.append(shape)
      }
      form.nodes.append(node)
    }
    form.root = 2
    return form
  }

  static func value(_ dice: inout Dice, depth: Int = 0) -> JSONValue {
    switch dice.below(depth > 2 ? 5 : 9) {
    case 0: return .null
    case 1: return .boolean(dice.happens(50))
    case 2, 3: return .number(dice.pick(["1", "1.0", "2", "0.5", "-0"]))
    case 4: return .string(dice.pick(["", "x", "dd", "é"]))
    case 5, 6: return .array((0..<dice.below(4)).map { _ in value(&dice, depth: depth + 1) })
    default:
      var members: [JSONValue.Member] = []
      for name in names where dice.happens(40) {
        members.append(.init(name, value(&dice, depth: depth + 1)))
      }
      if dice.happens(2), let first = members.first { members.append(first) }
      return .object(members.shuffled(using: &dice.generator))
    }
  }

  static func hasTwice(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let items): items.contains(where: hasTwice)
    case .object(let members):
      Set(members.map(\.name)).count != members.count || members.contains { hasTwice($0.value) }
    default: false
    }
  }

  @Test func agrees() throws {
    var dice = Dice(generator: SeededGenerator(seed: 77))
    var accepted = 0
    for _ in 0..<300 {
      let form = try Self.form(&dice)
      for _ in 0..<60 {
        let value = Self.value(&dice)
        let fits = Self.fits(value, form.root, form) && !Self.hasTwice(value)
        if fits, value.text.count > 4 { accepted += 1 }
        let violation = form.violation(of: value)
        #expect((violation == nil) == fits, "\(value.text): \(violation ?? "")")
        #expect(violation?.contains("does not fit") != true)
      }
    }
    // Enough of both to mean something.
    #expect(accepted > 300)
  }
}
