/// The versions of JSON Schema, in the order in which they were published.
enum SchemaDialect: Int, Comparable {
  case draft4, draft6, draft7, draft2019, draft2020

  static func < (left: SchemaDialect, right: SchemaDialect) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The dialect of a `$schema`; nil for one that is not known.
  init?(uri: String) {
    var rest = uri[...]
    if rest.hasSuffix("#") { rest.removeLast() }
    for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
      break
    }
    switch rest {
    case "json-schema.org/draft-04/schema", "json-schema.org/draft-04/hyper-schema": self = .draft4
    // Draft 5 changed the text of draft 4, not its meaning.
    case "json-schema.org/draft-05/schema": self = .draft4
    case "json-schema.org/draft-06/schema", "json-schema.org/draft-06/hyper-schema": self = .draft6
    case "json-schema.org/draft-07/schema", "json-schema.org/draft-07/hyper-schema": self = .draft7
    case "json-schema.org/draft/2019-09/schema": self = .draft2019
    case "json-schema.org/draft/2020-12/schema": self = .draft2020
    default: return nil
    }
  }

  /// Whether a `$schema` names a version older than any that can be read.
  static func isTooOld(_ uri: String) -> Bool {
    ["draft-00", "draft-01", "draft-02", "draft-03"].contains { draft in
      uri.hasPrefix("http://json-schema.org/\(draft)/")
        || uri.hasPrefix("https://json-schema.org/\(draft)/")
    }
  }

  /// Whether keywords beside `$ref` have no effect.
  var ignoresSiblingsOfReferences: Bool { self <= .draft7 }

  /// The keyword that names a schema.
  var identifier: SchemaKeyword { self == .draft4 ? .id : .dollarID }

  /// For messages.
  var name: String {
    switch self {
    case .draft4: "draft-04"
    case .draft6: "draft-06"
    case .draft7: "draft-07"
    case .draft2019: "2019-09"
    case .draft2020: "2020-12"
    }
  }
}
