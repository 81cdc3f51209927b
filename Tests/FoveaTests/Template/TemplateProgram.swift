import Testing

/// A template of a test that may be too long to be shown.
struct TemplateProgram: Sendable, CustomTestStringConvertible, ExpressibleByStringInterpolation {
  var source: String

  init(stringLiteral source: String) { self.source = source }

  init(_ source: String) { self.source = source }

  var testDescription: String { source.count > 60 ? source.prefix(60) + "…" : source }

  /// A part again and again.
  static func repeated(_ count: Int, _ part: String) -> TemplateProgram {
    TemplateProgram(String(repeating: part, count: count))
  }

  /// A part within another again and again, all of it in place of the `#` of a template.
  static func nested(
    _ count: Int, _ start: String, _ inner: String, _ end: String, within whole: String = "#"
  ) -> TemplateProgram {
    let chain =
      String(repeating: start, count: count) + inner + String(repeating: end, count: count)
    return TemplateProgram(whole.replacing("#", with: chain))
  }

  static func + (left: TemplateProgram, right: TemplateProgram) -> TemplateProgram {
    TemplateProgram(left.source + right.source)
  }
}
