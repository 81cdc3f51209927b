/// Makes values of the JSON that a template is given.
///
/// Messages mostly have the same keys one after another: those are made once.
struct TemplateContextReader {
  /// The names that led to the present value; places in lists are left out.
  private var path: [String]
  /// For each level, the latest object and its keys.
  private var latest: [(members: [JSONValue.Member], made: TemplateDictionary)?] = []
  private var level = 0

  init(path: [String]) { self.path = path }

  /// The value of JSON; texts are not trusted unless the caller says so.
  mutating func value(
    of value: JSONValue, isTrusted: ([String]) -> Bool
  ) throws(TemplateFailure) -> TemplateValue {
    switch value {
    case .null: return .none
    case .boolean(let value): return .boolean(value)
    case .number(let text): return try Self.number(text)
    case .string(let text): return .text(TemplateText(text, isTrusted: isTrusted(path)))
    case .array(let items):
      try enter()
      var values: [TemplateValue] = []
      values.reserveCapacity(items.count)
      for item in items { values.append(try self.value(of: item, isTrusted: isTrusted)) }
      level -= 1
      return .list(TemplateList(values))
    case .object(let members): return .dictionary(try dictionary(members, isTrusted: isTrusted))
    }
  }

  private mutating func enter() throws(TemplateFailure) {
    level += 1
    if level > TemplateLimits().depthOfValues {
      throw TemplateFailure("values are nested too deeply", .tooLong)
    }
  }

  private static func number(_ text: String) throws(TemplateFailure) -> TemplateValue {
    if text.utf8.contains(where: { !(0x30...0x39).contains($0) && $0 != 0x2D }) {
      return .double(Double(text) ?? .nan)
    }
    guard let whole = Int(text) else {
      throw TemplateFailure("whole numbers beyond 64 bits", .unsupported)
    }
    return .integer(whole)
  }

  private mutating func dictionary(
    _ members: [JSONValue.Member], isTrusted: ([String]) -> Bool
  ) throws(TemplateFailure) -> TemplateDictionary {
    while latest.count <= level { latest.append(nil) }
    try enter()
    var values: [TemplateValue] = []
    values.reserveCapacity(members.count)
    for member in members {
      path.append(member.name)
      values.append(try value(of: member.value, isTrusted: isTrusted))
      path.removeLast()
    }
    level -= 1
    if let before = latest[level], before.made.count == members.count,
      Self.haveSameNames(before.members, members)
    {
      return TemplateDictionary(keysOf: before.made, values)
    }
    let dictionary = TemplateDictionary()
    for (member, value) in zip(members, values) {
      dictionary.set(.text(TemplateText(member.name, isTrusted: false)), value)
    }
    latest[level] = (members, dictionary)
    return dictionary
  }

  private static func haveSameNames(
    _ left: [JSONValue.Member], _ right: [JSONValue.Member]
  ) -> Bool {
    guard left.count == right.count else { return false }
    // By bytes: Swift takes different spellings of a character for the same.
    for index in left.indices
    where !left[index].name.utf8.elementsEqual(right[index].name.utf8) { return false }
    return true
  }
}
