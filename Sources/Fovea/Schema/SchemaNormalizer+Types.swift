/// The keywords that say something about values of one JSON type.
extension SchemaNormalizer {
  /// A set of JSON types.
  private struct Types: OptionSet {
    let rawValue: Int
    static let null = Types(rawValue: 1)
    static let boolean = Types(rawValue: 2)
    static let integer = Types(rawValue: 4)
    static let number = Types(rawValue: 8)
    static let string = Types(rawValue: 16)
    static let array = Types(rawValue: 32)
    static let object = Types(rawValue: 64)
    static let all = Types(rawValue: 127)

    init(rawValue: Int) { self.rawValue = rawValue }

    init?(_ value: JSONValue) {
      guard case .string(let name) = value else { return nil }
      switch name {
      case "null": self = .null
      case "boolean": self = .boolean
      case "integer": self = .integer
      case "number": self = .number
      case "string": self = .string
      case "array": self = .array
      case "object": self = .object
      default: return nil
      }
    }
  }

  private func types(_ place: SchemaPlace) throws(FoveaError) -> Types {
    guard let value = place[.type] else { return .all }
    var names = [value]
    if case .array(let items) = value { names = items }
    var types: Types = []
    for name in names {
      guard let type = Types(name) else {
        throw place.invalid(
          .type, "is \(name.shortened), which is no type",
          fix: "use null, boolean, integer, number, string, array or object")
      }
      types.insert(type)
    }
    return types
  }

  /// What a place allows by `type` and the keywords of each type.
  mutating func typed(_ place: SchemaPlace) throws(FoveaError) -> Node {
    let types = try types(place)
    var node = Node()
    node.pointer = place.pointer
    node.allowsNull = types.contains(.null)
    node.allowsFalse = types.contains(.boolean)
    node.allowsTrue = node.allowsFalse
    try checkFormat(place, matters: !types.isDisjoint(with: [.string, .number, .integer]))
    if !types.isDisjoint(with: [.number, .integer]) {
      node.numbers = try numbers(place, isInteger: !types.contains(.number))
    }
    if types.contains(.string) { node.strings = try strings(place) }
    if types.contains(.array), let shape = try arrayShape(place) { node.arrays = [shape] }
    if types.contains(.object), let shape = try objectShape(place) { node.objects = [shape] }
    return node
  }

  // MARK: Numbers

  private mutating func numbers(
    _ place: SchemaPlace, isInteger: Bool
  ) throws(FoveaError) -> DFA {
    var wanted = SchemaLanguages.Numbers(isInteger: isInteger)
    wanted.minimum = try bound(place, .minimum, .exclusiveMinimum) { $0 > $1 }
    wanted.maximum = try bound(place, .maximum, .exclusiveMaximum) { $0 < $1 }
    wanted.divisor = try place.number(.multipleOf)
    if let divisor = wanted.divisor, divisor.isNegative || divisor == ExactNumber("0") {
      throw place.invalid(.multipleOf, "must be greater than 0")
    }
    if let range = try place.string(.format).flatMap(NumberFormat.init) {
      if range.isInteger { wanted.isInteger = true }
      if let least = range.minimum, wanted.minimum.map({ least > $0.value }) ?? true {
        wanted.minimum = NumberLanguage.Bound(least)
      }
      if let most = range.maximum, wanted.maximum.map({ most < $0.value }) ?? true {
        wanted.maximum = NumberLanguage.Bound(most)
      }
    }
    if let least = wanted.minimum, let most = wanted.maximum {
      if least.value > most.value { return .empty }
      if least.value == most.value, least.isExclusive || most.isExclusive { return .empty }
    }
    return try build(at: place.pointer) { (languages) throws(AutomatonTooLarge) in
      try languages.numbers(wanted)
    }
  }

  /// The tighter one of a bound and its exclusive form.
  private mutating func bound(
    _ place: SchemaPlace, _ inclusive: SchemaKeyword, _ exclusive: SchemaKeyword,
    isTighter: (ExactNumber, ExactNumber) -> Bool
  ) throws(FoveaError) -> NumberLanguage.Bound? {
    let value = try place.number(inclusive)
    switch place[exclusive] {
    case nil: return value.map { NumberLanguage.Bound($0) }
    case .boolean(let isExclusive)?:
      if place.dialect != .draft4 {
        warn(
          place.pointer,
          "\"\(exclusive.rawValue)\" should be a number in \(place.dialect.name); it is read as in draft-04"
        )
      }
      return value.map { NumberLanguage.Bound($0, isExclusive: isExclusive) }
    default:
      if place.dialect == .draft4 {
        throw place.invalid(
          exclusive, "must be true or false in draft-04", fix: "declare a later \"$schema\"")
      }
      guard let limit = try place.number(exclusive) else { return nil }
      if let value, isTighter(value, limit) { return NumberLanguage.Bound(value) }
      return NumberLanguage.Bound(limit, isExclusive: true)
    }
  }

  // MARK: Strings

  private mutating func strings(_ place: SchemaPlace) throws(FoveaError) -> [NormalForm.Strings] {
    var minLength = try place.count(.minLength) ?? 0
    var maxLength = try place.count(.maxLength) ?? .max
    var language = TextLanguage.all
    if let pattern = try place.string(.pattern) {
      let strings = try reading(pattern, place, .pattern) { (languages) throws(PatternError) in
        try languages.strings(pattern)
      }
      language = strings.language
      minLength = max(minLength, strings.minLength)
      maxLength = min(maxLength, strings.maxLength)
    }
    if let format = try place.string(.format), !Self.annotatingFormats.contains(format),
      let known = languages.format(format)
    {
      language = try build(at: place.pointer) { (languages) throws(AutomatonTooLarge) in
        try languages.intersection(language, known)
      }
    }
    language = try withContent(language, place)
    if minLength > maxLength || language.isEmpty { return [] }
    return [NormalForm.Strings(language, minLength: minLength, maxLength: maxLength)]
  }

  /// What draft 7 says about a text's content. It may be asserted there, and its own test suite
  /// does; later drafts made it an annotation.
  private mutating func withContent(_ language: DFA, _ place: SchemaPlace) throws(FoveaError) -> DFA
  {
    guard place.dialect == .draft7 else { return language }
    if let type = try place.string(.contentMediaType), type.hasPrefix("application/json") {
      throw place.unsupported(
        .contentMediaType, "wants a text that holds JSON",
        fix: "remove it, or declare draft 2019-09 or later, where it is an annotation")
    }
    guard try place.string(.contentEncoding) == "base64", let base64 = languages.format("base64")
    else { return language }
    return try build(at: place.pointer) { (languages) throws(AutomatonTooLarge) in
      try languages.intersection(language, base64)
    }
  }

  /// The language of a pattern.
  mutating func pattern(
    _ text: String, _ place: SchemaPlace, _ keyword: SchemaKeyword
  ) throws(FoveaError) -> DFA {
    try reading(text, place, keyword) { (languages) throws(PatternError) in
      try languages.pattern(text)
    }
  }

  /// What a pattern is read as, or why it cannot be.
  private mutating func reading<Result>(
    _ text: String, _ place: SchemaPlace, _ keyword: SchemaKeyword,
    _ read: (inout SchemaLanguages) throws(PatternError) -> Result
  ) throws(FoveaError) -> Result {
    do throws(PatternError) {
      return try read(&languages)
    } catch {
      let name = JSONValue.string(text).shortened
      switch error.kind {
      case .malformed:
        throw place.invalid(keyword, "holds \(name), which is malformed: \(error.reason)")
      case .unsupported:
        throw place.unsupported(
          keyword, "holds \(name): \(error.reason)",
          fix: "write it without, or remove it and check the text after decoding")
      case .tooLarge:
        throw .schemaTooComplex(
          place.pointer(keyword), "\(name) is too large: \(error.reason)", fix: "use smaller bounds"
        )
      }
    }
  }

  // MARK: Formats

  /// Formats of API descriptions that say what becomes of a text. Their texts often keep to no
  /// form: placeholders, or binary data that was never encoded.
  private static let annotatingFormats: Set<String> = ["byte", "binary", "password"]

  private mutating func checkFormat(_ place: SchemaPlace, matters: Bool) throws(FoveaError) {
    guard matters, let name = try place.string(.format) else { return }
    if Self.annotatingFormats.contains(name) {
      warn(place.pointer, "\"format\" \"\(name)\" tells what a text is for and is not checked")
      return
    }
    guard NumberFormat(name) == nil,
      languages.format(name) == nil
    else { return }
    if options.unknownFormats == .annotate {
      warn(
        place.pointer, "\"format\" \(JSONValue.string(name).shortened) is not known and not checked"
      )
      return
    }
    throw place.unsupported(
      .format, "names \(JSONValue.string(name).shortened), which is not known",
      fix: "remove it, use a pattern, or let unknown formats be annotations")
  }
}

/// What a `format` says about numbers.
private struct NumberFormat {
  var isInteger = false
  var minimum: ExactNumber?
  var maximum: ExactNumber?

  /// Nil for a name that says nothing about numbers.
  init?(_ name: String) {
    switch name {
    case "int8": self.init(Int(Int8.min), Int(Int8.max))
    case "int16": self.init(Int(Int16.min), Int(Int16.max))
    case "int32": self.init(Int(Int32.min), Int(Int32.max))
    case "int64": self.init(Int.min, Int.max)
    case "uint8": self.init(0, Int(UInt8.max))
    case "uint16": self.init(0, Int(UInt16.max))
    case "uint32": self.init(0, Int(UInt32.max))
    case "uint64": self.init(0, UInt64.max)
    case "float", "double": self.init()
    default: return nil
    }
  }

  private init() {}

  private init(_ minimum: Int, _ maximum: some BinaryInteger) {
    isInteger = true
    self.minimum = ExactNumber("\(minimum)")
    self.maximum = ExactNumber("\(maximum)")
  }
}
