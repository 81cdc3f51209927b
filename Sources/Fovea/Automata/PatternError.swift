/// Why a pattern cannot be made into an automaton.
package struct PatternError: Error, Hashable {
  /// What kind of reason it is.
  package enum Kind: Sendable {
    /// It is not an ECMA-262 pattern.
    case malformed
    /// It is one, with something that Fovea cannot enforce.
    case unsupported
    /// Its automaton would need too much memory or time.
    case tooLarge
  }

  /// What kind of reason it is.
  package let kind: Kind
  /// A phrase, for example "look-behind at character 3"; characters are code points, the first is
  /// number 1.
  package let reason: String

  /// Makes an error.
  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}
