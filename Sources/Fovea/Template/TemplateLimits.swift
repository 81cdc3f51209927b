/// How much a template may do: real ones need a small part of it.
///
/// The depths hold on a stack of 256 KB in a build without optimisation, which needs up to 1.6 KB for
/// a level of a run and 7 KB for one of the source. Secondary threads of Apple's systems have twice
/// that. The deepest of the templates that `scripts/templates-oracle` renders go to 105 levels in
/// their run and 13 in their source.
struct TemplateLimits: Sendable {
  /// Statements, calls, filters and passes of loops, and looks through texts.
  var steps = 5_000_000
  /// Bytes of texts and items of lists, with all that is not written in the end.
  var characters = 64_000_000
  /// How deep a run may be nested: its statements, and what is nested in their expressions.
  var depth = 120
  /// How deep values may be nested.
  var depthOfValues = 48
  /// How deep statements and expressions may be nested in the source.
  static let depthOfSource = 30
}
