/// A schema as the set of JSON types it allows, each at most once: the form from which the
/// automaton is made.
///
/// `anyOf` is a union of such sets. Literals, numbers and formats may overlap, because they are
/// merged into one automaton; two free strings, two lists or two objects are refused.
struct NormalNode {
  /// The JSON of single values, in canonical form.
  var literals: Set<[UInt8]> = []
  var numbers: [NormalNumber] = []
  var formats: Set<Schema.Format> = []
  var text: NormalText?
  var list: NormalList?
  var object: [NormalProperty]?
  /// Where the node stands in the schema.
  var path: String
}

struct NormalNumber {
  var bounds: Schema.NumberBounds
  var isInteger: Bool
  var path: String
}

struct NormalText: Equatable {
  var minimum: UInt32
  var maximum: UInt32
}

indirect enum NormalList {
  case of(NormalNode, minimum: UInt32, maximum: UInt32)
}

struct NormalProperty {
  /// With quotes.
  var key: [UInt8]
  var node: NormalNode
  var isRequired: Bool
}

extension NormalNode {
  /// How deep objects, lists and alternatives may be nested in a schema: deeper than any useful
  /// one, and shallow enough for the small stacks of worker threads, since compiling recurses.
  static let deepestNesting = 64

  init(_ schema: Schema, path: String = "#", depth: Int = 0) throws(FoveaError) {
    self.init(path: path)
    if depth > Self.deepestNesting {
      throw .unsupported(
        path, "is nested deeper than \(Self.deepestNesting) levels", fix: "flatten the schema")
    }
    switch schema.kind {
    case .null: literals = [Array("null".utf8)]
    case .boolean: literals = [Array("true".utf8), Array("false".utf8)]
    case .integer(let bounds):
      numbers = [NormalNumber(bounds: bounds, isInteger: true, path: path)]
    case .number(let bounds):
      numbers = [NormalNumber(bounds: bounds, isInteger: false, path: path)]
    case .string(let rule): try addText(rule)
    case .enumeration(let values): try addLiterals(values)
    case .array(let items, let minItems, let maxItems):
      let range = try Self.range(
        minItems, maxItems, of: "items", path: path)
      let node = try NormalNode(items, path: path + "/items", depth: depth + 1)
      list = .of(node, minimum: range.minimum, maximum: range.maximum)
    case .object(let properties):
      object = try Self.normal(properties, path: path, depth: depth)
    case .anyOf(let branches):
      if branches.isEmpty {
        throw .impossible(path, "has no alternatives", fix: "give anyOf at least one schema")
      }
      for (index, branch) in branches.enumerated() {
        try merge(NormalNode(branch, path: "\(path)/anyOf/\(index)", depth: depth + 1))
      }
    }
  }

  private mutating func addText(_ rule: Schema.StringRule) throws(FoveaError) {
    let range = try Self.range(rule.minLength, rule.maxLength, of: "length", path: path)
    guard let format = rule.format else {
      text = range
      return
    }
    let lengths = format.lengths
    if range.minimum > lengths.upperBound || range.maximum < lengths.lowerBound {
      throw .impossible(
        path, "allows no text: \(format.rawValue) has \(lengths) characters",
        fix: "remove minLength and maxLength beside the format")
    }
    if range.minimum > lengths.lowerBound || range.maximum < lengths.upperBound {
      throw .unsupported(
        path, "bounds the length of a \(format.rawValue), which has \(lengths) characters",
        fix: "remove minLength and maxLength beside the format")
    }
    formats = [format]
  }

  private mutating func addLiterals(_ values: [JSONValue]) throws(FoveaError) {
    if values.isEmpty {
      throw .impossible(path, "has an empty enumeration", fix: "list at least one value")
    }
    for (index, value) in values.enumerated() {
      switch value {
      case .null: literals.insert(Array("null".utf8))
      case .boolean(let value): literals.insert(Array((value ? "true" : "false").utf8))
      case .string(let text): literals.insert(CanonicalText.quoted(text))
      case .number(let digits):
        guard CanonicalText.isNumber(digits) else {
          throw .impossible(
            "\(path)/enum/\(index)", "is not a JSON number: \"\(digits)\"",
            fix: "write it as JSON does, for example 0.5 and not .5")
        }
        literals.insert(Array(digits.utf8))
      case .array, .object:
        throw .unsupported(
          "\(path)/enum/\(index)", "enumerates a list or an object",
          fix: "enumerate strings, numbers, booleans and null only")
      }
    }
  }

  private static func normal(
    _ properties: [Schema.Property], path: String, depth: Int
  ) throws(FoveaError) -> [NormalProperty] {
    var keys: Set<[UInt8]> = []
    var result: [NormalProperty] = []
    for property in properties {
      let name = property.name.split(separator: "~", omittingEmptySubsequences: false)
        .joined(separator: "~0").split(separator: "/", omittingEmptySubsequences: false)
        .joined(separator: "~1")
      let place = "\(path)/properties/\(name)"
      let key = CanonicalText.quoted(property.name)
      guard keys.insert(key).inserted else {
        throw .impossible(place, "is declared twice", fix: "give every property its own name")
      }
      let node = try NormalNode(property.schema, path: place, depth: depth + 1)
      result.append(NormalProperty(key: key, node: node, isRequired: property.isRequired))
    }
    return result
  }

  private static func range(
    _ minimum: Int, _ maximum: Int?, of name: String, path: String
  ) throws(FoveaError) -> NormalText {
    if minimum < 0 || maximum ?? 0 < 0 {
      throw .impossible(path, "has a negative bound of \(name)", fix: "use 0 or more")
    }
    if let maximum, maximum < minimum {
      throw .impossible(
        path, "wants at least \(minimum) and at most \(maximum) (\(name))",
        fix: "make the minimum no larger than the maximum")
    }
    guard minimum < Int32.max else {
      throw .unsupported(
        path, "wants at least \(minimum) (\(name)), more than any model writes",
        fix: "lower the minimum")
    }
    // More than two thousand million cannot be reached, so it is no bound.
    let most = maximum.map { $0 < Int32.max ? UInt32($0) : GrammarCounter.unlimited }
    return NormalText(minimum: UInt32(minimum), maximum: most ?? GrammarCounter.unlimited)
  }
}

extension Schema.Format {
  /// How many characters a text of this format can have.
  var lengths: ClosedRange<UInt32> {
    switch self {
    case .date: 10...10
    case .time: 9...24
    case .dateTime: 20...35
    }
  }
}

extension FoveaError {
  static func unsupported(_ path: String, _ reason: String, fix: String) -> FoveaError {
    FoveaError(.unsupportedSchema, "the schema at \(path) \(reason)", fix: fix)
  }

  static func impossible(_ path: String, _ reason: String, fix: String) -> FoveaError {
    FoveaError(.invalidSchema, "the schema at \(path) \(reason)", fix: fix)
  }
}
