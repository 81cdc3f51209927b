package import Fovea

/// A JSON Schema, ready to judge values: the one place where the tools that prove the engine meet
/// its interface.
package struct CompiledSchema: Sendable {
  /// The schema, for the validator.
  package let schema: Schema
  /// What in the JSON Schema has no effect.
  package let warnings: [String]
  /// The grammar.
  package let grammar: Grammar

  /// Reads and compiles a JSON Schema.
  ///
  /// - Throws: `FoveaError` where the schema is refused.
  package init(
    _ jsonSchema: String, whitespace: Grammar.Whitespace = .compact,
    keys: Grammar.KeyOrder = .declared
  ) throws(FoveaError) {
    (schema, warnings) = try Schema.parse(jsonSchema: jsonSchema)
    grammar = try Grammar(schema, whitespace: whitespace, keyOrder: keys)
  }

  /// Whether the grammar allows a text.
  package func allows(_ text: String) -> Bool { grammar.accepts(text.utf8) }

  /// What the validator, which knows nothing of the grammar, finds wrong with a value; nil: nothing.
  package func violation(of value: JSONValue) -> String? { schema.violation(of: value) }
}
