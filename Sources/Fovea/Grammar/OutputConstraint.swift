/// What a model may write, where that is no JSON.
///
///     let answer = try await model.respond(
///       to: [Message(.user, "Is 91 a prime number?")], constraint: .choice(["yes", "no"]))
///     answer.text        // "yes" or "no"
///
/// The constraint is about the whole answer, from its first to its last character. Every token is
/// checked before it is chosen, so an answer cannot leave it.
public enum OutputConstraint: Sendable {
  /// One of these texts, exactly as they are.
  case choice([String])
  /// A text that an ECMA-262 regular expression (as JavaScript has them, without flags,
  /// look-around and back-references) matches as a whole: `[A-Z]{3}-\d{4}`.
  case regex(String)
  /// A text of a grammar in llama.cpp's notation (the content of a `.gbnf` file), from its rule
  /// `root`. Left recursion and references to tokens (`<think>`) are refused.
  case gbnf(String)
}

extension OutputConstraint {
  /// Checks that the constraint can be enforced, without a model.
  ///
  /// - Throws: ``FoveaError``: `.invalidArgument` for a choice among nothing, `.invalidSchema` when
  ///   the expression or grammar is malformed, `.unsupportedSchema` when it uses what cannot be
  ///   enforced, `.schemaTooComplex`. Messages about grammars name line and column.
  public func check() throws(FoveaError) { _ = try machine() }

  /// The constraint's texts.
  package func machine() throws(FoveaError) -> RuleMachine {
    switch self {
    case .choice(let texts): try RuleMachine(choice: texts)
    case .regex(let pattern): try RuleMachine(regex: pattern)
    case .gbnf(let text): try RuleMachine(gbnf: text)
    }
  }

  /// Strings with the same characters in different bytes are equal, but not the same constraint.
  private var bytes: [[UInt8]] {
    switch self {
    case .choice(let texts): [[0]] + texts.map { Array($0.utf8) }
    case .regex(let pattern): [[1], Array(pattern.utf8)]
    case .gbnf(let text): [[2], Array(text.utf8)]
    }
  }
}

extension OutputConstraint: Hashable {
  /// Whether both are the same byte for byte.
  public static func == (left: OutputConstraint, right: OutputConstraint) -> Bool {
    left.bytes == right.bytes
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
