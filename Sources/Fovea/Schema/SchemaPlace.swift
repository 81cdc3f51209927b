/// A schema in a document: its keywords, and where it stands.
struct SchemaPlace {
  /// What is written there.
  let value: JSONValue
  /// The JSON pointer from the root of the document, as a fragment: `#/properties/total`.
  let pointer: String
  /// The index of the resource around it, to whose URI references are relative.
  let resource: Int
  /// The version of JSON Schema that applies.
  let dialect: SchemaDialect
  /// The keywords that can restrict values, in the order in which they are written.
  var keywords: [(keyword: SchemaKeyword, value: JSONValue)] = []

  /// The value of a keyword.
  subscript(keyword: SchemaKeyword) -> JSONValue? {
    for entry in keywords where entry.keyword == keyword { return entry.value }
    return nil
  }

  /// The pointer of a keyword, or of a place under it.
  func pointer(_ keyword: SchemaKeyword, _ token: String? = nil) -> String {
    var text = pointer
    text += "/"
    text += keyword.rawValue
    if let token {
      text += "/"
      text += token.escapedForPointer
    }
    return text
  }

  // MARK: Errors

  /// The keyword is understood, but cannot be enforced.
  func unsupported(_ keyword: SchemaKeyword, _ reason: String, fix: String) -> FoveaError {
    .schemaUnsupported(pointer, keyword.rawValue, reason, fix: fix)
  }

  /// The keyword's value is not what JSON Schema allows there.
  func invalid(_ keyword: SchemaKeyword, _ reason: String, fix: String? = nil) -> FoveaError {
    FoveaError(
      .invalidSchema, "\"\(keyword.rawValue)\" at \(pointer) of the JSON Schema \(reason)",
      fix: fix ?? "correct the schema")
  }

  /// The automaton of a keyword is too large.
  func tooLarge(_ keyword: SchemaKeyword, _ error: AutomatonTooLarge) -> FoveaError {
    .schemaTooComplex(
      pointer, "\"\(keyword.rawValue)\" needs more than \(error.limit) states",
      fix: "make it simpler, or remove it and check the value after decoding")
  }

  // MARK: Values of keywords

  func string(_ keyword: SchemaKeyword) throws(FoveaError) -> String? {
    guard let value = self[keyword] else { return nil }
    guard case .string(let text) = value else { throw invalid(keyword, "must be a string") }
    return text
  }

  func boolean(_ keyword: SchemaKeyword) throws(FoveaError) -> Bool? {
    guard let value = self[keyword] else { return nil }
    guard case .boolean(let flag) = value else { throw invalid(keyword, "must be true or false") }
    return flag
  }

  func array(_ keyword: SchemaKeyword) throws(FoveaError) -> [JSONValue]? {
    guard let value = self[keyword] else { return nil }
    guard case .array(let items) = value else { throw invalid(keyword, "must be an array") }
    return items
  }

  func members(_ keyword: SchemaKeyword) throws(FoveaError) -> [JSONValue.Member]? {
    guard let value = self[keyword] else { return nil }
    guard case .object(let members) = value else { throw invalid(keyword, "must be an object") }
    return members
  }

  func number(_ keyword: SchemaKeyword) throws(FoveaError) -> ExactNumber? {
    guard let value = self[keyword] else { return nil }
    guard case .number(let text) = value else { throw invalid(keyword, "must be a number") }
    guard let number = ExactNumber(text) else {
      throw unsupported(keyword, "has a huge exponent", fix: "use a shorter number")
    }
    return number
  }

  /// A number of characters, items or properties; beyond `Int` it is `Int.max`.
  func count(_ keyword: SchemaKeyword) throws(FoveaError) -> Int? {
    guard let number = try number(keyword) else { return nil }
    guard number.isInteger, !number.isNegative else {
      throw invalid(keyword, "must be a whole number, at least 0")
    }
    return number.int ?? .max
  }

  /// The names in a list.
  func names(_ value: JSONValue, of keyword: SchemaKeyword) throws(FoveaError) -> [String] {
    guard case .array(let items) = value else { throw invalid(keyword, "must list names") }
    var names: [String] = []
    names.reserveCapacity(items.count)
    for item in items {
      guard case .string(let name) = item else {
        throw invalid(keyword, "must list names, and \(item.shortened) is none")
      }
      names.append(name)
    }
    return names
  }
}

extension FoveaError {
  /// A keyword that is understood, but cannot be enforced where it stands.
  static func schemaUnsupported(
    _ pointer: String, _ keyword: String, _ reason: String, fix: String
  ) -> FoveaError {
    FoveaError(
      .unsupportedSchema,
      "\"\(keyword)\" at \(pointer) of the JSON Schema cannot be enforced: it \(reason)", fix: fix)
  }

  /// A place that would take too much time or memory.
  static func schemaTooComplex(_ pointer: String, _ reason: String, fix: String) -> FoveaError {
    FoveaError(
      .schemaTooComplex, "the JSON Schema at \(pointer) is too complex: \(reason)", fix: fix)
  }
}

extension JSONValue {
  /// The value's text, cut for messages.
  var shortened: String {
    switch self {
    case .array: return "a list"
    case .object: return "an object"
    default:
      let text = self.text
      return text.count <= 40 ? text : text.prefix(39) + "…"
    }
  }
}
