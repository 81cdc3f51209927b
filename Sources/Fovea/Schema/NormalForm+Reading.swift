extension NormalForm {
  /// The normal form of a JSON Schema document, with what has no effect in it.
  ///
  ///     let document = try JSONValue(parsing: #"{"type": "integer", "minimun": 3}"#)
  ///     let (form, warnings) = try NormalForm.read(document)
  ///     // warnings: ["#: \"minimun\" is no keyword and has no effect; did you mean \"minimum\"?"]
  ///
  /// Every keyword of the dialect that `$schema` names is exact or refused; without `$schema` that
  /// is 2020-12. Properties keep the order in which they are declared, and keys that are only
  /// required come after them.
  ///
  /// - Throws: ``FoveaError`` with one of the codes ``FoveaError/Code/unsupportedSchema``,
  ///   ``FoveaError/Code/invalidSchema`` (also when no value at all fits) and
  ///   ``FoveaError/Code/schemaTooComplex``; the message has the JSON pointer and the keyword.
  package static func read(
    _ document: JSONValue, options: SchemaOptions = SchemaOptions()
  ) throws(FoveaError) -> (form: NormalForm, warnings: [String]) {
    var normalizer = try SchemaNormalizer(document, options: options)
    let root = try normalizer.node(document, at: "#", in: 0)
    var form = try normalizer.form(root)
    try form.prune()
    try form.checkUniqueItems(options, warn: { normalizer.warn($0, $1) })
    return (form, normalizer.warnings)
  }
}

extension SchemaNormalizer {
  /// The form of all nodes that a root leads to.
  mutating func form(_ root: NodeID) throws(FoveaError) -> NormalForm {
    var number: [NodeID: NodeID] = [NormalForm.nothing: 0, NormalForm.anything: 1]
    var order = [NormalForm.nothing, NormalForm.anything]
    var nodes: [Node] = []
    func renumber(_ node: inout NodeID) {
      if let known = number[node] {
        node = known
      } else {
        number[node] = order.count
        order.append(node)
        node = order.count - 1
      }
    }
    var first = root
    renumber(&first)
    while nodes.count < order.count {
      var node = try content(of: order[nodes.count])
      node.forEachChild(renumber)
      nodes.append(node)
    }
    return NormalForm(nodes: nodes, root: first)
  }
}

extension NormalForm.Node {
  /// Visits, and may change, the numbers of the nodes that the shapes lead to.
  mutating func forEachChild(_ visit: (inout NormalForm.NodeID) -> Void) {
    for index in objects.indices {
      for place in objects[index].properties.indices {
        visit(&objects[index].properties[place].node)
      }
      for place in objects[index].patterns.indices { visit(&objects[index].patterns[place].node) }
      visit(&objects[index].additional)
    }
    for index in arrays.indices {
      for place in arrays[index].prefix.indices { visit(&arrays[index].prefix[place]) }
      visit(&arrays[index].rest)
      for demand in arrays[index].contains.indices {
        for place in arrays[index].contains[demand].nodes.indices {
          visit(&arrays[index].contains[demand].nodes[place])
        }
      }
    }
  }
}
