@testable import Fovea

/// What the tests of chat templates render with.
///
/// The expected texts beside the templates are what jinja2 3.1.6 writes for this context, set up as
/// in `scripts/templates_oracle.py`.
enum TemplateSample {
  /// 25 July 2024, 09:33:20.
  static let now: Int64 = 1_721_900_000

  static let context = """
    {
      "name": "Ann", "empty": "", "n": 7, "f": 2.5, "yes": true, "no": false, "nothing": null,
      "xs": [3, 1, 2], "ws": ["b", "A", "c", "a"],
      "user": {"name": "Zoë", "age": 41, "tags": ["x", "y"]},
      "people": [
        {"name": "Bo", "age": 30, "town": "Bern"}, {"name": "al", "age": 25, "town": "Chur"},
        {"name": "Cy", "age": 30, "town": "Bern"}
      ],
      "text": "  one two\\n three  ", "odd": "a\\"b'c<d>&é😀\\\\"
    }
    """

  /// The text of a template in the common context, or in one given as JSON.
  static func render(_ template: String, _ context: String = context) throws -> String {
    try ChatTemplate(template).render(JSONValue(parsing: context), now: now).text
  }

  /// The error of a template; nil when there is none.
  static func error(_ template: String, _ context: String = context) throws -> FoveaError? {
    let context = try JSONValue(parsing: context)
    do throws(FoveaError) {
      _ = try ChatTemplate(template).render(context, now: now)
      return nil
    } catch {
      return error
    }
  }

  /// The text with what is not trusted in ⟨brackets⟩.
  static func marked(
    _ template: String, trusting paths: Set<[String]> = [], _ context: String = context
  ) throws -> String {
    let rendered = try ChatTemplate(template).render(
      JSONValue(parsing: context), now: now, isTrusted: { paths.contains($0) })
    return rendered.segments.map { $0.isTrusted ? $0.text : "⟨\($0.text)⟩" }.joined()
  }
}
