import Foundation

/// `$ref` within the document.
extension JSONSchemaReader {
  /// Whether a keyword has no effect because it stands beside `$ref` in an old draft.
  func isIgnored(_ keyword: String, beside node: Node) -> Bool {
    node["$ref"] != nil && dialect.ignoresSiblingsOfReferences && keyword != "$ref"
  }

  /// Reads what a reference points to, in the place of the reference.
  mutating func referenced(_ text: String, from node: Node) throws(FoveaError) -> Schema {
    for member in node.members where member.name != "$ref" {
      switch JSONSchemaKeyword(member.name) {
      case .annotation, nil: continue
      default:
        guard isIgnored(member.name, beside: node) else {
          throw node.unsupported(
            member.name, "it stands beside \"$ref\", and schemas are not merged yet",
            fix: "move it into the schema that is referred to")
        }
        warn(node.place, "\"\(member.name)\" beside \"$ref\" has no effect in this draft")
      }
    }
    let (value, place) = try target(of: text, from: node)
    if references.contains(place.pointer) || place.pointer == "#" {
      throw node.unsupported(
        "$ref", "\(text) contains itself, and recursion is not enforced yet",
        fix: "write the levels out to a fixed depth")
    }
    references.append(place.pointer)
    defer { references.removeLast() }
    return try schema(value, at: place)
  }

  private func target(
    of text: String, from node: Node
  ) throws(FoveaError) -> (JSONValue, Place) {
    var fragment = text[...]
    if case .string(let root)? = document[name: dialect.idKeyword], !root.isEmpty {
      // The document may call itself by its full name.
      var name = root[...]
      if name.hasSuffix("#") { name.removeLast() }
      if fragment.hasPrefix(name + "#") { fragment = fragment.dropFirst(name.count) }
    }
    guard fragment.hasPrefix("#") else {
      throw node.unsupported(
        "$ref", "\(text) is outside the document", fix: "copy what it refers to into $defs")
    }
    guard !node.place.isEmbedded else {
      throw node.unsupported(
        "$ref", "\(text) is relative to the $id of a schema around it", fix: "remove that $id")
    }
    fragment = fragment.dropFirst()
    guard fragment.isEmpty || fragment.hasPrefix("/"),
      let path = String(fragment).removingPercentEncoding
    else {
      throw node.unsupported(
        "$ref", "\(text) is not a JSON pointer", fix: "use the form #/$defs/name")
    }
    var value = document
    var isEmbedded = false
    var pointer = "#"
    for token in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      if pointer != "#", case .string(let id)? = value[name: dialect.idKeyword], !id.hasPrefix("#")
      {
        isEmbedded = true
      }
      let key = token.replacingOccurrences(of: "~1", with: "/")
        .replacingOccurrences(of: "~0", with: "~")
      guard let next = value[name: key] ?? value.item(key) else {
        throw node.invalid("$ref", "there is nothing at \(text)")
      }
      value = next
      pointer += "/" + key.pointerToken
    }
    return (value, Place(pointer: pointer, depth: node.place.depth + 1, isEmbedded: isEmbedded))
  }
}

extension JSONValue {
  /// The item of a list by its number as a JSON pointer writes it.
  fileprivate func item(_ token: String) -> JSONValue? {
    guard case .array(let items) = self, let index = Int(token), "\(index)" == token else {
      return nil
    }
    return items.indices.contains(index) ? items[index] : nil
  }
}
