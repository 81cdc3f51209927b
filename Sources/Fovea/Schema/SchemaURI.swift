/// A URI without its fragment, as far as references between schemas need it.
struct SchemaURI: Hashable {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?

  /// The URI of a document that has none.
  static let none = SchemaURI(scheme: nil, authority: nil, path: "", query: nil)

  private init(scheme: String?, authority: String?, path: String, query: String?) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.query = query
  }

  /// Splits a reference into URI and fragment.
  static func parse(_ text: String) -> (uri: SchemaURI, fragment: String?) {
    var rest = text[...]
    var fragment: String?
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    var uri = SchemaURI.none
    if let colon = rest.firstIndex(of: ":"), colon != rest.startIndex,
      !rest[..<colon].contains(where: { $0 == "/" || $0 == "?" })
    {
      uri.scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if let mark = rest.firstIndex(of: "?") {
      uri.query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      uri.authority = rest[..<end].lowercased()
      rest = rest[end...]
    }
    uri.path = String(rest)
    return (uri, fragment)
  }

  /// What a reference means that stands in a document with this URI.
  func resolving(_ reference: SchemaURI) -> SchemaURI {
    var result = reference
    if reference.scheme == nil {
      result.scheme = scheme
      if reference.authority == nil {
        result.authority = authority
        if reference.path.isEmpty {
          result.path = path
          result.query = reference.query ?? query
        } else if !reference.path.hasPrefix("/") {
          let folder = path.lastIndex(of: "/").map { path[...$0] } ?? (authority == nil ? "" : "/")
          result.path = String(folder) + reference.path
        }
      }
    }
    if result.path.contains("./") || result.path.hasSuffix(".") {
      result.path = Self.withoutDots(result.path)
    }
    return result
  }

  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      if step == "." {
        if isLast { kept.append("") }
      } else if step == ".." {
        if kept.count > 1 || (kept.count == 1 && kept[0] != "") { kept.removeLast() }
        if isLast { kept.append("") }
      } else {
        kept.append(step)
      }
    }
    return kept.joined(separator: "/")
  }

  /// The text of the URI.
  var text: String {
    (scheme.map { "\($0):" } ?? "") + (authority.map { "//\($0)" } ?? "") + path
      + (query.map { "?\($0)" } ?? "")
  }
}
