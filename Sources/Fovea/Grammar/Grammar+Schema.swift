extension Grammar {
  /// Compiles a schema.
  package init(
    _ schema: Schema, whitespace: Whitespace = .compact, keyOrder: KeyOrder = .declared
  ) throws(FoveaError) {
    try self.init(schema.normalForm(), whitespace: whitespace, keyOrder: keyOrder)
  }
}
