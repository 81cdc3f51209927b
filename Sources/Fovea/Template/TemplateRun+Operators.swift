import Foundation

extension TemplateNumber {
  var value: TemplateValue {
    switch self {
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    }
  }
}

extension TemplateRun {
  func unfit(_ operation: String, _ value: TemplateValue) -> TemplateFailure {
    if case .undefined(let undefined) = value { return TemplateFailure(undefined.message) }
    return TemplateFailure("'\(operation)' cannot be done with a value of type '\(value.typeName)'")
  }

  func unfit(
    _ operation: String, _ left: TemplateValue, _ right: TemplateValue
  ) -> TemplateFailure {
    for case .undefined(let undefined) in [left, right] {
      return TemplateFailure(undefined.message)
    }
    return TemplateFailure(
      "'\(operation)' cannot be done with values of type '\(left.typeName)' and '\(right.typeName)'"
    )
  }

  func unhashable(_ value: TemplateValue) -> TemplateFailure {
    TemplateFailure("a value of type '\(value.typeName)' cannot be a key")
  }

  private var tooLarge: TemplateFailure {
    TemplateFailure("whole numbers beyond 64 bits", .unsupported)
  }

  func negative(_ value: TemplateValue) throws(TemplateFailure) -> TemplateValue {
    switch value.number {
    case .integer(let number)?:
      let (result, overflow) = 0.subtractingReportingOverflow(number)
      if overflow { throw tooLarge }
      return .integer(result)
    case .double(let number)?: return .double(-number)
    case nil: throw unfit("-", value)
    }
  }

  // MARK: Arithmetic

  func combine(
    _ operation: TemplateBinaryExpression.Operation, _ left: TemplateValue, _ right: TemplateValue
  ) throws(TemplateFailure) -> TemplateValue {
    if let one = left.number, let two = right.number {
      if case .integer(let one) = one, case .integer(let two) = two {
        return try combine(operation, one, two)
      }
      return try combine(operation, one.double, two.double)
    }
    switch operation {
    case .add: return try add(left, right)
    case .multiply:
      if let count = right.index {
        return try repeated(left, count, unless: unfit("*", left, right))
      }
      if let count = left.index {
        return try repeated(right, count, unless: unfit("*", left, right))
      }
    case .remainder:
      if let format = left.string {
        let arguments: [TemplateValue]
        var mapping: TemplateDictionary?
        switch right {
        case .tuple(let list): arguments = list.items
        case .dictionary(let dictionary):
          mapping = dictionary
          arguments = [right]
        default: arguments = [right]
        }
        return try formatted(
          format, arguments, mapping: mapping, isMarkup: left.isMarkup,
          mustUseAll: right.mustBeUsedByFormat)
      }
    default: break
    }
    throw unfit(operation.rawValue, left, right)
  }

  private func add(
    _ left: TemplateValue, _ right: TemplateValue
  ) throws(TemplateFailure) -> TemplateValue {
    switch (left, right) {
    case (.text(let one), .text(let two)):
      try spend(one.byteCount + two.byteCount)
      return .text(one + two)
    case (.markup, _) where right.string != nil, (_, .markup) where left.string != nil:
      let both = try escaped(left) + escaped(right)
      try spend(both.byteCount)
      return .markup(both)
    case (.list(let one), .list(let two)): return .list(try list(one.items + two.items))
    case (.tuple(let one), .tuple(let two)): return .tuple(try list(one.items + two.items))
    default: throw unfit("+", left, right)
    }
  }

  private func repeated(
    _ value: TemplateValue, _ count: Int, unless failure: TemplateFailure
  ) throws(TemplateFailure) -> TemplateValue {
    func checked(_ size: Int) throws(TemplateFailure) {
      let (product, overflow) = size.multipliedReportingOverflow(by: max(count, 0))
      try spend(overflow ? Int.max : product)
    }
    func items(_ items: [TemplateValue]) throws(TemplateFailure) -> TemplateList {
      try checked(items.count)
      return TemplateList((0..<max(count, 0)).flatMap { _ in items })
    }
    switch value {
    case .text(let text), .markup(let text):
      try checked(text.byteCount)
      var result = TemplateTextBuilder()
      for _ in 0..<(text.isEmpty ? 0 : max(count, 0)) { result.append(text) }
      return value.mapText { _ in result.text }
    case .list(let list): return .list(try items(list.items))
    case .tuple(let list): return .tuple(try items(list.items))
    default: throw failure
    }
  }

  private func combine(
    _ operation: TemplateBinaryExpression.Operation, _ left: Int, _ right: Int
  ) throws(TemplateFailure) -> TemplateValue {
    let result: (partialValue: Int, overflow: Bool)
    switch operation {
    case .add: result = left.addingReportingOverflow(right)
    case .subtract: result = left.subtractingReportingOverflow(right)
    case .multiply: result = left.multipliedReportingOverflow(by: right)
    case .divide:
      if right == 0 { throw divisionByZero }
      return .double(Double(left) / Double(right))
    case .divideWhole, .remainder:
      if right == 0 { throw divisionByZero }
      let (quotient, overflow) = left.dividedReportingOverflow(by: right)
      if overflow { throw tooLarge }
      let rest = left - quotient * right
      // Python rounds down, so that the rest has the divisor's sign.
      let isBelow = rest != 0 && (rest < 0) != (right < 0)
      if operation == .remainder { return .integer(isBelow ? rest + right : rest) }
      return .integer(isBelow ? quotient - 1 : quotient)
    case .power:
      if right < 0 {
        if left == 0 { throw divisionByZero }
        return .double(pow(Double(left), Double(right)))
      }
      return .integer(try power(left, right))
    }
    if result.overflow { throw tooLarge }
    return .integer(result.partialValue)
  }

  private func power(_ base: Int, _ exponent: Int) throws(TemplateFailure) -> Int {
    if (-1...1).contains(base) {
      return exponent == 0 ? 1 : base < 0 && exponent % 2 == 0 ? 1 : base
    }
    var result = 1
    for _ in 0..<min(exponent, 64) {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { throw tooLarge }
      result = product
    }
    return result
  }

  private func combine(
    _ operation: TemplateBinaryExpression.Operation, _ left: Double, _ right: Double
  ) throws(TemplateFailure) -> TemplateValue {
    switch operation {
    case .add: return .double(left + right)
    case .subtract: return .double(left - right)
    case .multiply: return .double(left * right)
    case .divide:
      if right == 0 { throw divisionByZero }
      return .double(left / right)
    case .divideWhole, .remainder:
      if right == 0 { throw divisionByZero }
      var rest = fmod(left, right)
      var quotient = (left - rest) / right
      if rest == 0 {
        rest = copysign(0, right)
      } else if (rest < 0) != (right < 0) {
        rest += right
        quotient -= 1
      }
      if operation == .remainder { return .double(rest) }
      guard quotient != 0 else { return .double(copysign(0, left / right)) }
      let floor = quotient.rounded(.down)
      return .double(quotient - floor > 0.5 ? floor + 1 : floor)
    case .power:
      if left == 0, right < 0 { throw divisionByZero }
      if left < 0, right != right.rounded() {
        throw TemplateFailure("complex numbers", .unsupported)
      }
      let result = pow(left, right)
      if result.isInfinite, left.isFinite, right.isFinite {
        throw TemplateFailure("the result of '**' is too large")
      }
      return .double(result)
    }
  }

  private var divisionByZero: TemplateFailure { TemplateFailure("a division by zero") }

  // MARK: Comparisons

  func holds(
    _ comparison: TemplateComparison.Operation, _ left: TemplateValue, _ right: TemplateValue
  ) throws(TemplateFailure) -> Bool {
    switch comparison {
    case .equal: try areEqual(left, right)
    case .unequal: try !areEqual(left, right)
    case .less: try isLess(left, right)
    case .greater: try isLess(right, left)
    case .lessOrEqual: try isLess(left, right, orEqual: true)
    case .greaterOrEqual: try isLess(right, left, orEqual: true)
    case .isIn: try contains(right, left)
    case .isNotIn: try !contains(right, left)
    }
  }

  /// Python's `<`, or `<=`.
  func isLess(
    _ left: TemplateValue, _ right: TemplateValue, orEqual: Bool = false
  ) throws(TemplateFailure) -> Bool {
    if let one = left.number, let two = right.number {
      if case .integer(let one) = one, case .integer(let two) = two {
        return orEqual ? one <= two : one < two
      }
      return orEqual ? one.double <= two.double : one.double < two.double
    }
    if let one = left.string, let two = right.string {
      return orEqual ? !(two < one) : one < two
    }
    switch (left, right) {
    case (.list(let one), .list(let two)), (.tuple(let one), .tuple(let two)):
      for (first, second) in zip(one.items, two.items) {
        if try areEqual(first, second) { continue }
        try enter(2)
        let isLess = try isLess(first, second, orEqual: orEqual)
        leave(2)
        return isLess
      }
      return orEqual ? one.items.count <= two.items.count : one.items.count < two.items.count
    case (.view, .view): throw TemplateFailure("comparing the keys of dictionaries", .unsupported)
    default: throw unfit("<", left, right)
    }
  }

  /// Python's `item in container`.
  func contains(
    _ container: TemplateValue, _ item: TemplateValue
  ) throws(TemplateFailure) -> Bool {
    switch container {
    case .text(let text), .markup(let text):
      guard let part = item.string else { throw unfit("in", item) }
      try look(through: text, for: part)
      return text.find(part) != nil
    case .dictionary(let dictionary):
      if case .text(let text) = item { return dictionary[text] != nil }
      guard let key = try key(of: item) else { throw unhashable(item) }
      return dictionary[key] != nil
    case .list(let list), .tuple(let list): return try contains(list.items, item)
    case .range(let range):
      guard case .integer(let number)? = item.number else {
        guard case .double(let double)? = item.number, let number = Int(exactly: double) else {
          return false
        }
        return range.holds(number)
      }
      return range.holds(number)
    default: return try contains(items(of: container), item)
    }
  }
}

extension TemplateRun {
  func contains(_ items: [TemplateValue], _ item: TemplateValue) throws(TemplateFailure) -> Bool {
    try spend(items.count)
    for other in items {
      if try areEqual(other, item) { return true }
    }
    return false
  }
}

extension TemplateRange {
  /// Whether a number is one of it.
  func holds(_ number: Int) -> Bool {
    let isWithin = step > 0 ? number >= start && number < stop : number <= start && number > stop
    return isWithin && (number - start) % step == 0
  }
}

extension TemplateValue {
  var isMarkup: Bool {
    if case .markup = self { return true }
    return false
  }

  /// Whether `%` fails when a format has no place for it.
  var mustBeUsedByFormat: Bool {
    switch self {
    case .tuple(let list): !list.items.isEmpty
    // What has items by key may be left over.
    case .dictionary, .list, .range: false
    default: true
    }
  }
}
