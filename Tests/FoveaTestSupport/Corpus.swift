package import Fovea

/// JSON Schemas with values that are said to be valid or invalid.
package struct Corpus: Sendable {
  /// A schema with its values.
  package struct Entry: Sendable {
    /// Where it comes from: an id, or a file and the description of a group.
    package var name: String
    /// The schema.
    package var schema: JSONValue
    /// The values.
    package var instances: [Instance]
  }

  /// A value, or a text that may be no JSON at all.
  package struct Instance: Sendable {
    /// The JSON text, written by our writer or as it was given.
    package var text: String
    /// The value; nil where the text is no JSON.
    package var value: JSONValue?
    /// What the corpus says about it.
    package var isValid: Bool
    /// What is special about it.
    package var description: String
  }

  /// `maskbench/BFCL`, `suite/draft7` and so on.
  package var name: String
  /// Its schemas.
  package var entries: [Entry]
  /// The grammars that a value is tried with; one that allows it is enough.
  package var whitespaces: [Grammar.Whitespace] = [.compact]
  /// In which order the keys of a value may stand.
  package var keys: Grammar.KeyOrder = .declared
}
